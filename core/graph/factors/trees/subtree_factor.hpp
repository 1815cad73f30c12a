// SPDX-License-Identifier: Apache-2.0
// A subtree: variables are the nodes of a given forest, and a node that is on has its parent on.
//
// Set:       configurations v with v[i] <= v[parent of i]: what is left of a forest when whole subtrees are deleted. Where a node is
//            tied to its parent, v[i] = v[parent of i]. Own scores are zero: a score for cutting the arc above i is a score of the
//            parent minus a score of i, since v[parent] (1 - v[i]) = v[parent] - v[i] on this set.
// maximize, marginals, max_marginals: from the leaves to the roots and back, O(n).
// project:   isotonic regression on a forest. From the leaves to the roots, the block of a node absorbs the block below it of the
//            largest mean as long as that mean exceeds its own; heaps that can be joined find these blocks, O(n log n)
//            (Pardalos & Xue 1999). Cutting the result to [0, 1] gives the projection with bounds.
// rows:      v[i] - v[parent of i] <= 0; the matrix is totally unimodular, so that the relaxation is the hull.
// Uses:      compressive summaries (Almeida & Martins 2013; Qian & Liu 2013), where subtrees of dependency trees are deleted.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class SubtreeFactor final : public Factor {
 public:
  // parents[i] is a position among the variables, or -1 for a root. tied: empty, or one bit a variable, zero for roots. Throws
  // std::invalid_argument when there are no variables, a parent is not one of them, a root is tied or parents form a circle.
  explicit SubtreeFactor(std::vector<int> parents, std::vector<uint8_t> tied = {});

  std::string_view kind() const override { return "subtree"; }
  size_t size() const override { return parents_.size(); }
  bool can(Ability) const override { return true; }
  OwnRange own_range() const override { return {0, 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  // A group: nodes that are tied together. Groups are numbered from the roots down.
  struct Group {
    int parent;   // group, or -1
    double size;  // number of nodes
  };
  // A block of groups with one value in the projection. Blocks below a block wait in a leftist heap, the largest mean on top.
  struct Block {
    double sum, size, mean;
    int into = -1;              // the block that absorbed this one
    int below = -1;             // top of the heap of blocks below
    int left = -1, right = -1;  // this block's place in the heap that it waits in
    int rank = 1;
  };

  void number_groups();
  void add_up(std::span<const double> scores);
  int join(int first, int second);
  void absorb_larger(int block);

  std::vector<int> parents_;
  std::vector<uint8_t> tied_;
  std::vector<int> group_of_;  // by variable
  std::vector<Group> groups_;
  std::vector<double> sums_;            // by group: scores, then what a group is worth when it is on
  std::vector<double> around_, other_;  // by group
  std::vector<uint8_t> on_;             // by group
  std::vector<Block> blocks_;           // by group
};

}  // namespace accord::graph
