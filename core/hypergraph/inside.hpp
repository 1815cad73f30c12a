// SPDX-License-Identifier: Apache-2.0
// The value of every item of a hypergraph (items.hpp) in a semiring (semirings.hpp), from the smallest items to the goal.
//
//     value(nothing) = one;   value(item) = sum over its edges of  weight x value(left) x value(right)
// Complexity: one term an edge.
#pragma once
#include <utility>
#include <vector>

#include "core/hypergraph/items.hpp"
#include "core/hypergraph/semirings.hpp"

namespace accord::hypergraph {

// term(edge, left, right) is the value of an edge whose tails have the values left and right. Returns the goal's value; zero, without
// touching the values, when the graph has no goal.
template <class Semiring, class Graph, class Term>
typename Semiring::Value fold(const Graph& graph, const Term& term, std::vector<typename Semiring::Value>& values) {
  if (graph.goal() == nothing) return Semiring::zero();
  values.assign(graph.size(), Semiring::zero());
  values[nothing] = Semiring::one();
  typename Semiring::Sum sum;
  auto* const of = values.data();  // a local pointer: the inner loop need not ask the vector again
  graph.bottom_up([&sum, &graph, &term, of](const auto& item) {
    graph.edges(item, [&sum, term, of](std::size_t left, std::size_t right, auto&& edge) { sum.add(term(edge, of[left], of[right])); });
    of[graph.id(item)] = sum.total();
  });
  return values[graph.goal()];
}

// MaxPlus or LogSum, whose values are scores that the graph itself can join.
template <class Semiring, class Graph>
double inside(const Graph& graph, std::vector<double>& values) {
  return fold<Semiring>(graph, Join<Graph>{graph}, values);
}

}  // namespace accord::hypergraph
