// SPDX-License-Identifier: Apache-2.0
// Variables with several values that tables over two of them join into a forest.
//
// Set:        exactly one value of every variable is on. A value is a binary variable of the graph: the values of the first variable,
//             then those of the second, and so on.
// Score:      own(v) = sum over the edges of scores[value of one end][value of the other]; -infinity forbids a pair.
// Method:     from the leaves to the roots and back (dynamic programming); a chain is a tree whose nodes have one child at most.
// Complexity: O(sum over edges of the product of the ends' numbers of values) for everything.
// Hull:       one column a pair of values in rows(), which is tight on forests; projection is left to the active-set method.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

struct ForestEdge {
  size_t first, second;                               // variables of the forest
  std::shared_ptr<const std::vector<double>> scores;  // [value of first][value of second]
};

class ForestFactor final : public Factor {
 public:
  // values: of each variable, one or more. Throws std::invalid_argument where edges close a cycle or scores do not fit.
  ForestFactor(std::vector<size_t> values, const std::vector<ForestEdge>& edges);

  std::string_view kind() const override { return "forest"; }
  size_t size() const override { return first_.back(); }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return range_; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  std::vector<size_t> choices() const override { return values_; }
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double log_marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

 private:
  static constexpr size_t none = static_cast<size_t>(-1);
  // How a variable hangs on its parent: score of (value of parent, value of child) is at parent * parent_step + child * child_step.
  struct Link {
    size_t parent = none;
    size_t parent_step = 0, child_step = 0;
    std::shared_ptr<const std::vector<double>> scores;
  };

  void hang(const std::vector<ForestEdge>& edges);
  // up_: of each value, its score and all below it. sent_: of each value of a variable's parent, what the variable sends it. Returns the
  // total of all roots.
  template <typename Sum>
  double gather(std::span<const double> scores);
  // out: of each value, the total of all configurations in which it is on. Needs gather.
  template <typename Sum>
  void scatter(double total, std::span<double> out);

  std::vector<size_t> values_;
  std::vector<size_t> first_;  // place of the first value of each variable, and the number of all values at the end
  std::vector<size_t> sent_first_;
  std::vector<size_t> order_;  // variables, parents before children
  std::vector<Link> links_;    // by variable
  OwnRange range_{0, 0};
  std::vector<double> up_, sent_, mass_;
  std::vector<size_t> chosen_;
};

}  // namespace accord::graph
