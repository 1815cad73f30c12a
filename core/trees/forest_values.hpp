// SPDX-License-Identifier: Apache-2.0
// Values of the nodes of a given forest: every node takes one of its own values, and neighbours have a say in each other's.
//
// Set:        one value per node.
// Score:      sum over nodes of own[v][y] + sum over nodes with a parent of pair[v][x][y], x the parent's value.
// Complexity: O(sum over nodes of K(parent) K(v)) for the best choice, the sum over all choices and all marginals.
// Method:     sums or maxima from the leaves to the roots, and back; a forest's log Z is the sum of those of its trees.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::trees {

class ForestValues {
  // The part of a node in an array with the parts of all.
  template <typename Vector>
  static auto slice(Vector& values, const std::vector<size_t>& starts, int node) {
    const auto v = static_cast<size_t>(node);
    return std::span(values).subspan(starts[v], starts[v + 1] - starts[v]);
  }

 public:
  // parents: of each node, -1 for a root; counts: values of each node, at least 1. Cycles raise std::invalid_argument.
  void build(std::span<const int32_t> parents, std::span<const int32_t> counts);

  int nodes() const { return static_cast<int>(parents_.size()); }
  int parent(int node) const { return parents_[static_cast<size_t>(node)]; }
  int count(int node) const { return counts_[static_cast<size_t>(node)]; }

  // Scores, zero after build(): by value; by value of the parent, then own (empty for a root).
  std::span<double> own(int node) { return slice(own_, own_starts_, node); }
  std::span<double> pair(int node) { return slice(pair_, pair_starts_, node); }

  // The log of the sum over all choices.
  double log_partition();
  // The same, and the probabilities of values and of pairs of values, in the layouts of own() and pair().
  double marginals();
  std::span<const double> own_marginals(int node) const { return slice(own_out_, own_starts_, node); }
  std::span<const double> pair_marginals(int node) const { return slice(pair_out_, pair_starts_, node); }
  // The best choice, a value for each node; returns its score. Of equal ones it takes the one with the first values.
  double maximize(std::span<int32_t> choice);

 private:
  std::vector<int32_t> parents_, counts_, order_;  // order_: parents before children
  std::vector<size_t> own_starts_, pair_starts_;
  std::vector<double> own_, pair_, own_out_, pair_out_;
  std::vector<double> inside_;   // by value: the node's own score and all that hangs from it
  std::vector<double> message_;  // of a node to its parent, by value of the parent, at message_starts_
  std::vector<size_t> message_starts_;
  std::vector<int32_t> choices_;  // best own value by value of the parent, in the layout of message_
};

}  // namespace accord::trees
