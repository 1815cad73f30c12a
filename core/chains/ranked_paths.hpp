// SPDX-License-Identifier: Apache-2.0
// The k best paths into a vertex of an acyclic graph, best first.
//
// Method:     recursive enumeration (Jimenez & Marzal 1999), the lazy k-best of Huang & Chiang (2005) for paths: a vertex keeps the
//             paths found so far and a heap of candidates, one a link; after a path is taken, its successor is the next best
//             path into the vertex before it. Only vertices of the k best paths are opened. No recursion: long chains are deep.
// Complexity: O(links) to open a vertex, O(length log links) a path at most.
//
// Graph offers:  Vertex;  size_t key(Vertex);  size_t links(Vertex);  bool begins(Vertex, link)  (the path starts with the link);
//                Vertex before(Vertex, link);  double extend(Vertex, link, value);  double best(Vertex), of paths into it.
#pragma once
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/chains/chain.hpp"

namespace accord::chains {

template <typename Graph>
class RankedPaths {
 public:
  using Vertex = typename Graph::Vertex;

  explicit RankedPaths(const Graph& graph) : graph_(graph) {}

  // Whether `goal` has a path of this rank. Ranks must be asked for in order, 0 first.
  bool reach(Vertex goal, size_t rank) {
    if (open(goal).found.size() <= rank) advance(goal);
    return open(goal).found.size() > rank;
  }

  // visit(vertex, link) from the goal back to the start.
  template <typename Visit>
  void trace(Vertex goal, size_t rank, Visit&& visit) {
    for (Vertex vertex = goal;;) {
      const Path path = open(vertex).found[rank];
      visit(vertex, path.link);
      if (graph_.begins(vertex, path.link)) return;
      vertex = graph_.before(vertex, path.link);
      rank = path.rank;
    }
  }

 private:
  struct Path {
    double value;
    size_t link, rank;  // the rank of the path into the vertex before
    bool operator<(const Path& other) const { return value != other.value ? value < other.value : link > other.link; }
  };
  struct State {
    std::vector<Path> found, heap;
    bool proposed = true;  // whether the successor of the last path found is in the heap, or is known not to exist
    bool exhausted = false;
  };

  State& open(Vertex vertex) {
    const auto [place, created] = states_.try_emplace(graph_.key(vertex));
    State& state = place->second;
    if (!created) return state;
    for (size_t link = 0; link < graph_.links(vertex); ++link) {
      const double start = graph_.begins(vertex, link) ? 0.0 : graph_.best(graph_.before(vertex, link));
      const double value = graph_.extend(vertex, link, start);
      if (value != forbidden) state.heap.push_back({value, link, 0});
    }
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
    state.proposed = false;
  }

  // Finds one more path into the vertex.
  void advance(Vertex goal) {
    waiting_.assign(1, goal);
    while (!waiting_.empty()) {
      const Vertex vertex = waiting_.back();
      State& state = open(vertex);
      if (!state.proposed) {
        const Path last = state.found.back();
        if (!graph_.begins(vertex, last.link)) {
          const Vertex source = graph_.before(vertex, last.link);
          const State& before = open(source);
          if (before.found.size() <= last.rank + 1 && !before.exhausted) {
            waiting_.push_back(source);
            continue;
          }
          if (before.found.size() > last.rank + 1) {
            state.heap.push_back({graph_.extend(vertex, last.link, before.found[last.rank + 1].value), last.link, last.rank + 1});
            std::push_heap(state.heap.begin(), state.heap.end());
          }
        }
        state.proposed = true;
      }
      take(state);
      waiting_.pop_back();
    }
  }

  const Graph& graph_;
  std::unordered_map<size_t, State> states_;
  std::vector<Vertex> waiting_;
};

}  // namespace accord::chains
