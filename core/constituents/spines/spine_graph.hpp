// SPDX-License-Identifier: Apache-2.0
// The derivations of a sentence as a hypergraph (core/hypergraph/items.hpp), from the candidates that a pruner left.
//
// Set:    derivations whose spines and adjunctions are candidates, one word under the root. On each side of a head, nodes never move
//         down its spine. What a side has done is a state (node, doubled): the last node used, and whether it was doubled on this side.
// Score:  the sum over parts: the spine of a word; an adjunction; with order 2, for each adjunction of m to h the modifier of h before m on
//         the same side (sibling), and a left and a right modifier of m (grandchildren): the outermost ones, or the nearest; and the
//         boundaries where runs of nodes of a spine close on one side.
// Items:  side(h, spine, state, e, memory)  one side of h with all below it, from h to e; memory: its last modifier (sibling), or its first
//                                           one too (nearest grandchildren), or nothing (order 1)
//         done(h, spine, e, child)          the same whatever the state, when h takes no more; child: the modifier that parents see
//         seen(adjunction, spine of m, e)   done, as the head of m sees it: with the grandchild part
//         ready(adjunction, spine of h, node, e)   a side of h that may take m next: with the sibling part
//         joined(adjunction, spine of h, node, spine of m)   ready and the inner side of m, over all splits
//         side(.. e) is made of joined and the outer side of m.
// Only items are made that have a derivation. Parts have the numbers of spine_parts.hpp.
// Complexity: O(n^3) edges for order 1, O(n^4) for order 2, O(n^5) with nearest grandchildren; times spines, nodes and relations. With a
//         bounded number of candidates a word, O(n^2).
//
// Paper: Carreras, Collins & Koo (2008), section 4; the automaton of sides is that of their "label" consistency.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/constituents/spines/spine_parts.hpp"
#include "core/hypergraph/items.hpp"

namespace accord::constituents {

class SpineGraph {
 public:
  // All must outlive the graph.
  void build(const SpineGrammar& grammar, const SpineCandidates& candidates, const SpineShape& shape);

  int words() const { return candidates_->words(); }
  bool possible() const { return goal_ != hypergraph::nothing; }
  const SpinePartNumbers& parts() const { return parts_; }

  struct Edge {
    uint32_t left, right;
    int32_t part, other;
  };
  std::size_t size() const { return first_.size() - 1; }
  std::size_t goal() const { return goal_; }
  std::size_t edge_total() const { return edges_.size(); }
  std::span<const Edge> edges(std::size_t item) const { return {edges_.data() + first_[item], edges_.data() + first_[item + 1]}; }
  // What an edge of an item says about the derivation.
  void read(std::size_t item, std::size_t edge, SpineDerivation& derivation) const;

 private:
  struct Join {  // an item that is an adjunction, or an edge of the goal
    int32_t adjunction;
    int32_t head_spine, node, spine;
  };
  struct Adjunction {
    int32_t relation;  // its number in the grammar
    int32_t joins_first, joins_end;
    std::vector<int32_t> tops;  // places of the spines of the dependent that fit
  };
  struct JoinItem {
    uint32_t item;
    int32_t state, memory, top;  // of the head's side afterwards; top: place in Adjunction::tops
  };
  struct SideItem {
    uint32_t item;
    int32_t state, memory;
  };
  struct DoneItem {
    uint32_t item;
    int32_t child;
  };
  struct Side {
    int word;
    bool right;
    int reach;                                     // how far it may go
    int positions;                                 // of its modifiers, with 0: none
    std::vector<std::pair<size_t, size_t>> items;  // by distance: in side_items_
    std::vector<std::pair<size_t, size_t>> done;   // by spine * (reach + 1) + distance: in done_items_
  };
  struct Pending {
    int64_t key;
    Edge edge;
  };

  void prepare();
  void prepare_sides();
  void prepare_adjunctions();
  void number_states();
  void join(int32_t arc);
  void extend(Side& side, int distance);
  void finish(Side& side, int distance);
  void reach_goal();

  Side& side(int word, bool right) { return sides_[2 * static_cast<size_t>(word) + (right ? 1 : 0)]; }
  const Side& side(int word, bool right) const { return sides_[2 * static_cast<size_t>(word) + (right ? 1 : 0)]; }
  std::span<const int32_t> spines(int word) const { return candidates_->spines[static_cast<size_t>(word)]; }
  const AdjunctionArc& arc_of(int32_t adjunction) const { return candidates_->arcs[static_cast<size_t>(parts_.arc_of(adjunction))]; }
  // Items that see a dependent's side from its head: an item or nothing.
  uint32_t seen(int32_t adjunction, int32_t top, bool right, int distance);

  int memories(const Side& side) const { return shape_.order == 1 ? 1 : shape_.nearest ? side.positions * side.positions : side.positions; }
  int last_of(const Side& side, int memory) const { return shape_.nearest ? memory % side.positions : memory; }
  int child_of(const Side& side, int memory) const { return shape_.order == 1 ? 0 : shape_.nearest ? memory / side.positions : memory; }
  int next_memory(const Side& side, int memory, int position) const {
    if (shape_.order == 1) return 0;
    if (!shape_.nearest) return position;
    const int first = memory / side.positions;
    return (first == 0 ? position : first) * side.positions + position;
  }

  uint32_t new_item(std::span<const Edge> edges, int32_t join = -1);

  const SpineGrammar* grammar_ = nullptr;
  const SpineCandidates* candidates_ = nullptr;
  SpineShape shape_;

  SpinePartNumbers parts_;

  // Items.
  std::vector<Edge> edges_;
  std::vector<size_t> first_;
  std::vector<int32_t> join_of_;  // by item
  std::size_t goal_ = hypergraph::nothing;
  std::vector<Join> joins_, goal_joins_;
  std::vector<Adjunction> adjunctions_;
  std::vector<Side> sides_;
  std::vector<SideItem> side_items_;
  std::vector<DoneItem> done_items_;
  std::vector<JoinItem> join_items_;
  std::vector<std::vector<int32_t>> state_starts_;  // by word: the first state of each spine, one more at the end
  std::vector<uint32_t> seen_;                      // order 2: by adjunction, top, side and distance
  std::vector<size_t> seen_starts_;                 // by adjunction
  std::vector<std::vector<int32_t>> arcs_by_length_;

  // Working space.
  std::vector<Pending> pending_;
  std::vector<Edge> gathered_, gathered_ready_;
};

// A graph with the scores of its parts.
class ScoredSpines {
 public:
  using Item = std::size_t;
  using Weight = double;

  ScoredSpines(const SpineGraph& graph, const double* scores) : graph_(&graph), scores_(scores) {}

  std::size_t size() const { return graph_->size(); }
  std::size_t goal() const { return graph_->goal(); }
  std::size_t edge_total() const { return graph_->edge_total(); }
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
    for (const SpineGraph::Edge& edge : graph_->edges(item)) visit(edge.left, edge.right, edge);
  }
  hypergraph::Edge<double> edge(std::size_t item, std::size_t number) const {
    const SpineGraph::Edge& found = graph_->edges(item)[number];
    return {found.left, found.right, weight(found)};
  }
  double weight(const SpineGraph::Edge& edge) const { return scores_[edge.part] + scores_[edge.other]; }
  static double join(double weight, double left, double right) { return left + right + weight; }

 private:
  const SpineGraph* graph_;
  const double* scores_;
};

}  // namespace accord::constituents
