// SPDX-License-Identifier: Apache-2.0
// A score for every joint setting of a few variables with several values each.
//
// Set:        exactly one value of every variable is on, and their tuple is not forbidden. A value is a binary variable of the graph:
//             the values of the first variable, then those of the second, and so on.
// Score:      own(v) = scores[tuple], the last variable running fastest; -infinity forbids a tuple.
// Complexity: O(tuples) for the maximum, O(tuples * variables) for all marginals or max-marginals together.
// Hull:       mixtures of tuples, one column each in rows(), which is tight; projection is left to the active-set method.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/score_table.hpp"

namespace accord::graph {

class CategoricalTable final : public Factor {
 public:
  static constexpr size_t most_tuples = size_t{1} << 24;

  // values: of each variable, one or more. Throws std::invalid_argument when the scores do not fit, or are NaN or +infinity.
  CategoricalTable(const std::vector<int>& values, std::vector<double> scores)
      : CategoricalTable(values, std::make_shared<const std::vector<double>>(std::move(scores))) {}
  // The same with scores that many tables share.
  CategoricalTable(const std::vector<int>& values, std::shared_ptr<const std::vector<double>> scores);

  std::string_view kind() const override { return "categorical_table"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return range_of(scores_); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  std::vector<size_t> choices() const override { return values_; }
  double log_marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

  std::span<const size_t> values() const { return values_; }                                          // of each variable
  std::span<const double> scores() const { return scores_; }                                          // of each tuple
  const std::shared_ptr<const std::vector<double>>& shared_scores() const { return shared_scores_; }  // of each tuple

 private:
  // Fills totals_ with own + scores of every tuple; returns the largest.
  double add_up(std::span<const double> scores);
  // Calls visit(place of a value among all values) for each value of a tuple.
  template <typename Visit>
  void for_each_value(size_t tuple, Visit&& visit) const;

  std::vector<size_t> values_;
  std::vector<size_t> first_;  // the place of the first value of each variable
  size_t size_ = 0;
  std::shared_ptr<const std::vector<double>> shared_scores_;
  std::span<const double> scores_;  // the same
  std::vector<double> totals_;
  std::vector<double> tops_;  // by value: the largest total of its tuples
};

}  // namespace accord::graph
