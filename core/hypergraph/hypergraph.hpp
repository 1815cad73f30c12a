// SPDX-License-Identifier: Apache-2.0
// A hypergraph given edge by edge, and the questions one can ask about its derivations.
//
// Set:        derivations of the goal: one edge into it and a derivation of each of the edge's tails, and so on down.
// Score:      the sum of the weights of the edges used (an edge used twice counts twice); P(derivation) ~ exp(score).
// Layout:     items are numbered 0, 1, ... so that each is made of smaller numbers; edges are numbered as given, and may have any
//             number of tails. An edge without tails is an axiom. Inside, an edge of more than two tails becomes a chain of helper
//             items with two tails each, which keeps its derivations as they are (items.hpp has the numbering within).
// Complexity: one or two terms an edge and tail for each question; k best O(edges) and O(log edges) for each item of a derivation.
//
// For grammars, tests and first drafts of programmes: a programme that can compute its edges from its input should do so (items.hpp)
// and spare the arrays.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

struct ScoredDerivation {
  double score;
  std::vector<int32_t> edges;  // the derivations of the tails from left to right, then the edge that joins them
};

class Hypergraph {
 public:
  // The edges into an item, one after another: edge e has the head heads[e], the tails tails[starts[e]] .. tails[starts[e + 1] - 1]
  // and a weight. Throws std::invalid_argument, with the number of the edge, when a tail is not smaller than its head, a number is not
  // that of an item, or a weight is NaN or +infinity.
  Hypergraph(int32_t items, int32_t goal, std::span<const int32_t> heads, std::span<const int64_t> starts, std::span<const int32_t> tails,
             std::span<const double> weights);

  size_t edge_count() const { return weights_.size(); }

  // The k best distinct derivations, best first; fewer only if fewer exist. Of equal scores, the first edge of an item wins.
  std::vector<ScoredDerivation> kbest(int k) const;
  // -infinity when there is no derivation; then no question below may be asked.
  double log_partition() const;
  // How many derivations there are, exact below 2^53.
  double count() const;
  // Expected number of uses of every edge: P(edge) where no derivation uses an edge twice. Returns the entropy in nats.
  double marginals(std::span<double> out) const;
  // The score of the best derivation through each edge; -infinity where there is none.
  void max_marginals(std::span<double> out) const;
  // The mean of the sum of amounts, one an edge, over the edges of a derivation.
  double expectation(std::span<const double> amounts) const;
  // How the marginals move when the weights move along a direction: the Hessian of the log-partition function times the direction.
  void tangents(std::span<const double> direction, std::span<double> out) const;
  // Exact independent samples, edges in the order of ScoredDerivation. The i-th depends on the seed and i alone.
  std::vector<std::vector<int32_t>> sample(int count, uint64_t seed) const;

  // The hypergraph as items.hpp wants it.
  struct Arc {
    std::size_t left, right;
    double weight;
    int32_t number;  // the edge as given, or -1 inside an edge of many tails
  };
  using Item = std::size_t;
  using Weight = double;
  std::size_t size() const { return first_.size() - 1; }
  std::size_t goal() const { return goal_; }
  std::size_t edge_total() const { return arcs_.size(); }
  static std::size_t id(std::size_t item) { return item; }
  static std::size_t item(std::size_t id) { return id; }
  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (std::size_t item = 1; item < size(); ++item) visit(item);
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    for (std::size_t item = size() - 1; item > 0; --item) visit(item);
  }
  template <class Visit>
  void edges(std::size_t item, Visit&& visit) const {
    for (const Arc& arc : arcs(item)) visit(arc.left, arc.right, arc);
  }
  Edge<double> edge(std::size_t item, std::size_t number) const {
    const Arc& arc = arcs(item)[number];
    return {arc.left, arc.right, arc.weight};
  }
  static double weight(const Arc& arc) { return arc.weight; }
  static double join(double weight, double left, double right) { return left + right + weight; }

 private:
  std::span<const Arc> arcs(std::size_t item) const { return {arcs_.data() + first_[item], arcs_.data() + first_[item + 1]}; }
  double score(std::span<const int32_t> edges) const;
  void note(std::size_t item, std::size_t arc, std::vector<int32_t>& edges) const {
    if (const int32_t number = arcs(item)[arc].number; number >= 0) edges.push_back(number);
  }

  std::vector<double> weights_;  // by edge
  std::vector<Arc> arcs_;
  std::vector<std::size_t> first_;  // by item, one more at the end
  std::size_t goal_ = nothing;
};

}  // namespace accord::hypergraph
