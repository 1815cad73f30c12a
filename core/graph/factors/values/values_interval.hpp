// SPDX-License-Identifier: Apache-2.0
// A linear constraint over variables with several values: the costs of the chosen values sum to something between two limits.
//
// Set:        exactly one value of every variable is on, low <= sum of the costs of these values <= high; own scores are zero. Costs are
// whole
//             numbers, not negative, and the least cost of every variable is zero.
// Method:     a path over variables and sums of costs, for maxima, marginals and max-marginals.
// Complexity: O(values * high).
// Why:        a budget over the binary variables of values does not know that only one value is chosen. This factor does, so that messages
//             over values are exact.
// Hull:       rows() has the relaxed set alone, as a budget has; projection is left to the active-set method.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/factor_graph.hpp"

namespace accord::graph {

class ValuesInterval final : public Factor {
 public:
  // values: how many each variable has. costs: of all values, one variable after the other.
  ValuesInterval(std::vector<size_t> values, std::vector<int32_t> costs, int32_t low, int32_t high);

  std::string_view kind() const override { return "linear"; }
  size_t size() const override { return costs_.size(); }
  bool can(Ability ability) const override { return ability != Ability::project; }
  bool tight() const override { return false; }
  OwnRange own_range() const override { return {0, 0}; }
  std::vector<size_t> choices() const override { return values_; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double log_marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

 private:
  size_t sums() const { return static_cast<size_t>(high_) + 1; }
  // before_[k * sums() + s]: the total of all choices of the first k variables whose costs sum to s.
  template <typename Sum>
  void gather_before(std::span<const double> scores);
  // Totals with each value into out; returns that of all.
  template <typename Sum>
  double gather(std::span<const double> scores, std::span<double> out);

  std::vector<size_t> values_;
  std::vector<size_t> first_;  // the place of the first value of each variable
  std::vector<int32_t> costs_;
  int32_t low_, high_;
  std::vector<double> before_, after_, next_;
};

// Adds a linear constraint as a factor over values, where some variables are values of one group, all are values of groups, none is
// negated, and the coefficients are whole in some unit. False: this constraint is none of that kind. Throws std::invalid_argument where
// nothing satisfies the constraint.
bool add_linear_over_values(FactorGraph& graph, std::span<const int64_t> variables, std::span<const double> coefficients, double low,
                            double high, std::span<const uint8_t> negated);

}  // namespace accord::graph
