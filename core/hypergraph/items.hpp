// SPDX-License-Identifier: Apache-2.0
// What a dynamic programme is to the algorithms of this room: items, and for each item the edges that make it of others.
//
// Set:    derivations of a goal. A derivation of an item is one of the item's edges and a derivation of each of the edge's tails.
// Score:  the sum of the weights of the edges used; -infinity forbids an edge.
// Items:  numbered 1..size()-1. Item 0, `nothing`, has one derivation of score zero: it stands where an edge has one tail or none.
//         Edges have at most two tails; Hypergraph (hypergraph.hpp) turns longer ones into several.
//
// A graph is any class with the members below. It is given by its edges, not by arrays: most programmes compute them from a sentence
// faster than memory could deliver them. Item is how the graph itself names an item, id() and item() translate.
//     Item, Weight                          Weight is what an edge adds, small enough to be kept by value
//     size(), goal()                        ids; the goal is `nothing` when there is certainly no derivation
//     id(Item), item(id)
//     bottom_up(visit), top_down(visit)     visit(Item) for all items, each after (before) those that it is made of
//     edges(Item, visit)                    visit(left, right, edge), tails as ids, in an order that never changes
//     weight(edge) -> Weight
//     join(Weight, left, right) -> double   the score of an edge whose tails score left and right
//     edge(Item, number) -> Edge<Weight>    optional: the number-th edge at once, where that is cheaper than keeping them
//     edge_total()                          optional: the number of all edges
//
// Papers: Gallo, Longo, Pallottino & Nguyen (1993) for the structure; Goodman (1999), one algorithm for many semirings.
#pragma once
#include <cstddef>
#include <limits>
#include <type_traits>

namespace accord::hypergraph {

inline constexpr std::size_t nothing = 0;
inline constexpr double forbidden = -std::numeric_limits<double>::infinity();

// How algorithms hold a graph: small views by value, so that inner loops find their numbers in one step.
template <class Graph>
using Held = std::conditional_t<std::is_trivially_copyable_v<Graph> && sizeof(Graph) <= 64, const Graph, const Graph&>;

template <class Weight>
struct Edge {
  std::size_t left, right;
  Weight weight;
};

// The score of an edge, given those of its tails.
template <class Graph>
struct Join {
  Held<Graph> graph;
  template <class Given>
  double operator()(const Given& edge, double left, double right) const {
    return graph.join(graph.weight(edge), left, right);
  }
};

// One edge of an item: its number in the order of edges(), and where it leads.
struct Choice {
  std::size_t edge = 0;
  std::size_t left = nothing, right = nothing;
};

}  // namespace accord::hypergraph
