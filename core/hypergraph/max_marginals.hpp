// SPDX-License-Identifier: Apache-2.0
// The score of the best derivation through each edge of a hypergraph (items.hpp): inside values in MaxPlus, then the best of what
// surrounds an item, from the goal down. Complexity: three joins an edge.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

// values: those of inside<MaxPlus>. rest: working space. visit(score, edge) for every edge of an item that the goal can contain.
template <class Graph, class Visit>
void max_marginals(const Graph& graph, std::span<const double> values, std::vector<double>& rest, Visit&& visit) {
  rest.assign(graph.size(), forbidden);
  rest[graph.goal()] = 0;
  const auto raise = [of = rest.data()](std::size_t id, double value) {
    if (of[id] < value) of[id] = value;
  };
  graph.top_down([held = Join<Graph>{graph}, raise, &rest, values, &visit](const auto& item) {
    const auto& graph = held.graph;
    const double around = rest[graph.id(item)];
    if (around == forbidden) return;
    graph.edges(item, [&graph, around, raise, values, &visit](std::size_t left, std::size_t right, auto&& edge) {
      const auto weight = graph.weight(edge);
      visit(graph.join(weight, values[left], values[right]) + around, edge);
      raise(left, around + graph.join(weight, 0.0, values[right]));
      if (right != nothing) raise(right, around + graph.join(weight, values[left], 0.0));
    });
  });
}

}  // namespace accord::hypergraph
