// SPDX-License-Identifier: Apache-2.0
// Linear constraints: low <= coefficients . v <= high, with coefficients of any sign.
//
// A variable with a negative coefficient is negated: c v = c + |c| (1 - v), so that all costs are positive. A constraint with one side is
// then a budget, on the variables or on their negations. One with two sides is a CostInterval where the costs are whole numbers in some
// unit and the sums few enough, and two budgets otherwise.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/graph/count_lattice.hpp"
#include "core/graph/factor.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

// The costs of the variables that are on sum to something between two limits; costs are whole numbers.
//
// Set:      configurations v with low <= costs . v <= high; own scores are zero.
// Method:   a path over items and sums of costs (count_lattice.hpp), O(n high), for maxima, marginals and max-marginals.
// project, rows: on the relaxed set { 0 <= z <= 1, low <= costs . z <= high }, as in budget.hpp.
class CostInterval final : public Factor {
 public:
  // 0 < low <= high; costs whole numbers, not negative.
  CostInterval(std::vector<double> costs, double low, double high);

  std::string_view kind() const override { return "linear"; }
  size_t size() const override { return costs_.size(); }
  bool can(Ability) const override { return true; }
  bool tight() const override { return false; }
  OwnRange own_range() const override { return {0, 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    return lattice_.maximize({scores, steps_, final_scores_}, configuration);
  }
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override {
    return lattice_.marginals({scores, steps_, final_scores_}, out);
  }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    return lattice_.max_marginals({scores, steps_, final_scores_}, zero, one);
  }
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  std::vector<double> costs_;
  double low_, high_;
  std::vector<int32_t> steps_;
  std::vector<double> final_scores_;  // by sum: zero from low to high
  std::vector<double> reflected_;
  std::vector<Breakpoint> breakpoints_;
  CountLattice lattice_;
};

// One factor or two over the same variables, or none where the constraint always holds. `negated`: as in negated.hpp, on top of what the
// signs ask for. Throws std::invalid_argument where a number is not finite (limits may be infinite), or where nothing can hold.
std::vector<std::unique_ptr<Factor>> make_linear(std::span<const double> coefficients, double low, double high,
                                                 std::span<const uint8_t> negated);

}  // namespace accord::graph
