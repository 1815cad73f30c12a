// SPDX-License-Identifier: Apache-2.0
// Paths through an acyclic graph whose nodes switch variables on: the engine behind head automata and chains.
//
// Set:        paths from the source (node 0) to the sink (the last node). A node may carry a variable; a configuration is
//             the set of variables met on the way, and in the lattices built here it determines its path.
// Score:      own score = sum of the weights of the steps taken; a weight of -infinity forbids a step.
// Layout:     nodes stand in topological order and the predecessors of a node are neighbours, so that every inner loop runs
//             along two contiguous arrays.
// Complexity: best path and sums O(steps); max-marginals O(steps) per variable on the best path.
// Rows:       the flow polytope of unit flows from source to sink. Its matrix is a node-arc incidence matrix, hence totally
//             unimodular: the vertices are the paths, and the projection to the variables is the hull (Ahuja, Magnanti &
//             Orlin 1993, chapter 11; for sibling automata Martins et al. 2011, Table 1).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class PathLattice {
 public:
  static constexpr int no_variable = -1;

  // A new node entered from the `count` nodes starting at `first`, with weights zero; returns its number. The first node
  // added is the source (count = 0), the last one the sink.
  int add_node(int variable, int first, int count);

  double& weight(int from, int to) {
    range_known_ = false;
    return weights_[position(from, to)];
  }
  double weight(int from, int to) const { return weights_[position(from, to)]; }

  // As in Factor, for the configurations of paths.
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration);
  double maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration);
  double marginals(std::span<const double> scores, std::span<double> out);
  double log_marginals(std::span<const double> scores, std::span<double> out);
  double expected_own(std::span<const double> scores);
  // Probabilities of all steps under the distribution of marginals(); flow() tells them until the next call.
  void flows(std::span<const double> scores);
  double flow(int from, int to) const { return flows_[position(from, to)]; }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one);
  OwnRange range() const;  // of the weights of whole paths; zeros where there is no path
  void rows(RowSink& sink, size_t variables) const;

 private:
  struct Node {
    int variable;
    int first;  // predecessors first, first + 1, ..., first + count - 1
    int count;
    size_t weights;  // where the weights of the entering steps start
  };

  size_t position(int from, int to) const {
    const Node& node = nodes_[static_cast<size_t>(to)];
    return node.weights + static_cast<size_t>(from - node.first);
  }
  double entering(const Node& node, std::span<const double> scores) const {
    return node.variable == no_variable ? 0.0 : scores[static_cast<size_t>(node.variable)];
  }
  double best_value(std::span<const double> scores);  // fills forward_ with best values of paths from the source
  double log_sums(std::span<const double> scores);    // fills forward_ with logs of sums over paths from the source
  void trace_back(std::span<uint8_t> configuration) const;
  int best_predecessor(const Node& node) const;

  std::vector<Node> nodes_;
  std::vector<double> weights_;
  mutable OwnRange range_;  // of the weights of paths, once somebody has asked
  mutable bool range_known_ = false;
  // Working space, by node and by variable.
  std::vector<double> forward_, backward_;
  std::vector<double> blocked_scores_;
  std::vector<double> flows_;           // by step
  std::vector<double> best_marginals_;  // working space of flows
  std::vector<uint8_t> best_;
};

}  // namespace accord::graph
