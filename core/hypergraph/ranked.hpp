// SPDX-License-Identifier: Apache-2.0
// The best derivations of the items of a hypergraph (items.hpp), one after the other.
//
// Set:        derivations of an item, told apart by their edges. Where derivations and structures correspond one to one, the k best
//             derivations are the k best distinct structures.
// Method:     lazy k-best (Huang & Chiang 2005, algorithm 3; for paths, the recursive enumeration of Jimenez & Marzal 1999) over items
//             whose best values are known. An item keeps the derivations found so far and a heap of candidates; asking for its next
//             derivation advances one candidate and asks that candidate's tails for one more each. Only items that matter are opened.
//             Items wait on a stack of their own, not on the machine's: chains are as deep as they are long.
// Complexity: the edges of an item to open it, O(log edges) for a further derivation of each item on the way.
//
// Ties between candidates of one item: Ties::first_edge prefers the edge that comes first, as the best derivation does (derivation.hpp),
// so that rank 0 is that one; Ties::as_found leaves them in the order of the heap, which is repeatable and no more.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

enum class Ties { first_edge, as_found };

// value(id): the value of an item's best derivation. Graph and values must outlive the ranking.
template <class Graph, class Value, Ties ties = Ties::first_edge>
class Ranked {
 public:
  Ranked(const Graph& graph, Value value) : graph_(graph), value_(value) {}

  // Whether an item has a derivation of this rank, 0 the best. Ranks must be asked for in order.
  bool reach(std::size_t item, std::size_t rank) {
    if (open(item).found.size() <= rank) advance(item);
    return open(item).found.size() > rank;
  }

  // visit(Item, number of the edge) for the items of a derivation of the goal, right tails before left ones.
  template <class Visit>
  void trace(std::size_t rank, Visit&& visit) {
    agenda_.assign(1, {graph_.goal(), static_cast<uint32_t>(rank)});
    while (!agenda_.empty()) {
      const Step step = agenda_.back();
      agenda_.pop_back();
      const State& state = open(step.item);
      const Derivation derivation = state.found[step.rank];
      const auto edge = edge_of(state, derivation.edge);
      visit(state.item, static_cast<std::size_t>(derivation.edge));
      if (edge.left != nothing) agenda_.push_back({edge.left, derivation.left_rank});
      if (edge.right != nothing) agenda_.push_back({edge.right, derivation.right_rank});
    }
  }

 private:
  using Item = typename Graph::Item;
  using Kept = Edge<typename Graph::Weight>;
  static constexpr bool direct = requires(const Graph& graph, Item item) { graph.edge(item, std::size_t{}); };

  struct Nothing {};

  // An edge with the left_rank-th and right_rank-th best derivations of its tails.
  struct Derivation {
    double score;
    uint32_t edge, left_rank, right_rank;

    bool operator<(const Derivation& other) const {
      if constexpr (ties == Ties::as_found) return score < other.score;
      if (score != other.score) return score < other.score;
      return std::tuple(edge, left_rank, right_rank) > std::tuple(other.edge, other.left_rank, other.right_rank);
    }
  };
  // What is still to be proposed of the successors of the last derivation found.
  enum class Next : uint8_t { right, left, none };
  struct State {
    Item item;
    std::vector<Derivation> found, heap;
    [[no_unique_address]] std::conditional_t<direct, Nothing, std::vector<Kept>> edges;  // where the graph cannot give them directly
    Next next = Next::none;
    bool exhausted = false;
  };
  struct Step {
    std::size_t item;
    uint32_t rank;
  };

  auto edge_of(const State& state, std::size_t number) const {
    if constexpr (direct) return graph_.edge(state.item, number);
    else return state.edges[number];
  }

  // The item's state; when it is first met, with the best derivation of each edge proposed and the best of all found.
  State& open(std::size_t id) {
    const auto [place, created] = states_.try_emplace(id);
    State& state = place->second;  // references into an unordered_map survive insertions
    if (!created) return state;
    state.item = graph_.item(id);
    uint32_t number = 0;
    graph_.edges(state.item, [&](std::size_t left, std::size_t right, auto&& edge) {
      const auto weight = graph_.weight(edge);
      const double score = graph_.join(weight, value_(left), value_(right));
      if constexpr (!direct) state.edges.push_back({left, right, weight});
      if (score != forbidden) state.heap.push_back({score, number, 0, 0});
      ++number;
    });
    std::make_heap(state.heap.begin(), state.heap.end());
    take(state);
    return state;
  }

  static void take(State& state) {
    state.exhausted = state.heap.empty();
    if (state.exhausted) return;
    std::pop_heap(state.heap.begin(), state.heap.end());
    state.found.push_back(state.heap.back());
    state.heap.pop_back();
    state.next = Next::right;
  }

  // Finds one more derivation of the item.
  void advance(std::size_t goal) {
    waiting_.assign(1, goal);
    while (!waiting_.empty()) {
      State& state = open(waiting_.back());
      if (!propose(state)) continue;
      take(state);
      waiting_.pop_back();
    }
  }

  // Puts the successors of the last derivation found into the heap; false when a tail must be advanced first, which then waits.
  bool propose(State& state) {
    if (state.next == Next::none || state.found.empty()) return true;
    const Derivation last = state.found.back();
    const auto edge = edge_of(state, last.edge);
    if (state.next == Next::right) {
      const Derivation next{0, last.edge, last.left_rank, last.right_rank + 1};
      const auto join = [&](double right) { return graph_.join(edge.weight, score(edge.left, last.left_rank), right); };
      if (!successor(state, next, edge.right, next.right_rank, join)) return false;
      // Only derivations that use the best right tail advance the left one: each pair of ranks is proposed once.
      state.next = last.right_rank == 0 ? Next::left : Next::none;
    }
    if (state.next == Next::left) {
      const Derivation next{0, last.edge, last.left_rank + 1, 0};
      const auto join = [&](double left) { return graph_.join(edge.weight, left, value_(edge.right)); };
      if (!successor(state, next, edge.left, next.left_rank, join)) return false;
      state.next = Next::none;
    }
    return true;
  }

  // Proposes a derivation whose one tail is advanced to a rank, if the tail has it; false when that is not known yet. join(score of the
  // tail's derivation) is the score of the whole.
  template <class Join>
  bool successor(State& state, Derivation derivation, std::size_t tail, uint32_t rank, Join&& join) {
    if (tail == nothing) return true;
    const State& below = open(tail);
    if (below.found.size() <= rank) {
      if (below.exhausted) return true;
      waiting_.push_back(tail);
      return false;
    }
    derivation.score = join(below.found[rank].score);
    state.heap.push_back(derivation);
    std::push_heap(state.heap.begin(), state.heap.end());
    return true;
  }

  double score(std::size_t id, uint32_t rank) { return rank == 0 ? value_(id) : open(id).found[rank].score; }

  const Graph& graph_;
  Value value_;
  std::unordered_map<std::size_t, State> states_;
  std::vector<std::size_t> waiting_;
  std::vector<Step> agenda_;
};

template <Ties ties = Ties::first_edge, class Graph, class Value>
Ranked<Graph, Value, ties> rank_derivations(const Graph& graph, Value value) {
  return {graph, value};
}

}  // namespace accord::hypergraph
