// SPDX-License-Identifier: Apache-2.0
// A score for every assignment of a few variables.
//
// Set:        the assignments whose score is not -infinity; own(v) = scores[bits], bit i of bits being v_i.
// Complexity: O(2^k) for the maximum and for all marginals and max-marginals together: the table is folded in half once
//             per variable. At most 16 variables.
// Hull:       mixtures of assignments, one column each; projection is left to the generic active-set method, which visits
//             few of them.
#pragma once
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/score_table.hpp"

namespace accord::graph {

class Table final : public Factor {
 public:
  static constexpr int most_variables = 16;

  // 2^variables scores, finite or -infinity; throws std::invalid_argument otherwise.
  Table(int variables, std::vector<double> scores);

  std::string_view kind() const override { return "table"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return range_of(scores_); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

 private:
  // Fills totals_ with own(v) + scores . v of every assignment; returns the largest.
  double add_up(std::span<const double> scores);

  size_t size_;
  std::vector<double> scores_;
  std::vector<double> totals_;
};

}  // namespace accord::graph
