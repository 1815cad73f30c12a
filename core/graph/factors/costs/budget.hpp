// SPDX-License-Identifier: Apache-2.0
// A budget: each variable costs something, and the costs of those that are on must not exceed a limit.
//
// Set:       configurations v with costs . v <= limit; own scores are zero. This is the 0/1 knapsack.
// maximize:  exactly (knapsack.hpp).
// marginals: by a lattice over sums of costs, O(n limit), when the costs are whole numbers in some unit (at most three
//            decimals) and n * limit is moderate; otherwise can(marginals) is false.
// max_marginals: by the same lattice, or else by one knapsack a variable.
// project, rows: on the relaxed set { 0 <= z <= 1, costs . z <= limit }, whose projection is a threshold (simplex.hpp),
//            O(n log n), after Almeida & Martins (2013), "Fast and Robust Compressive Summarization". It is larger than
//            the hull, which has no short description, unless all costs are equal and the limit a multiple (tight()).
//
// What this means for bounds: AD3 converges to the linear relaxation with the row, the one that an LP solver gets from
// rows(). A dual bound evaluated with maximize() uses the exact set, so that it is at least as tight as that relaxation
// and may lie below the relaxed primal value.
#pragma once
#include <vector>

#include "core/graph/count_lattice.hpp"
#include "core/graph/factor.hpp"
#include "core/graph/factors/costs/knapsack.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

class Budget final : public Factor {
 public:
  // Costs and limit finite and not negative, at least one cost; throws std::invalid_argument otherwise.
  Budget(std::vector<double> costs, double limit);

  std::string_view kind() const override { return "budget"; }
  size_t size() const override { return costs_.size(); }
  bool can(Ability ability) const override { return ability != Ability::marginals || !steps_.empty(); }
  bool tight() const override { return tight_; }
  OwnRange own_range() const override { return {0, 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  size_t searches_for_max_marginals() const override { return steps_.empty() ? size() : 1; }
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  void prepare_lattice();
  bool relaxation_is_hull() const;
  double max_marginals_by_knapsacks(std::span<const double> scores, std::span<double> zero, std::span<double> one);

  std::vector<double> costs_;
  double limit_;
  // The same in units that make all costs whole, where there are such: then sums are exact in any order. Otherwise a
  // sum may exceed the limit by its own rounding.
  std::vector<double> units_;
  double unit_limit_;
  bool tight_;
  std::vector<int32_t> steps_;        // units for the lattice, empty when it would be too large
  std::vector<double> final_scores_;  // zeros, one for each sum within the limit
  std::vector<double> forced_;        // scores with one variable forced
  std::vector<uint8_t> chosen_, other_;
  std::vector<Breakpoint> breakpoints_;
  Knapsack knapsack_;
  CountLattice lattice_;
};

}  // namespace accord::graph
