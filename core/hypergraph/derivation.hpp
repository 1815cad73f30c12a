// SPDX-License-Identifier: Apache-2.0
// From the goal of a hypergraph down one derivation, asking at each item which edge to follow: the best edge gives the best derivation,
// an edge drawn by its share gives an exact sample.
//
// Complexity: the edges of the items on the way; no back-pointers are kept.
#pragma once
#include <cstddef>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

// choose(Item) gives a Choice; visit(Item, number of the edge) sees every item of the derivation, right tails before left ones.
template <class Graph, class Choose, class Visit>
void descend(const Graph& graph, std::vector<std::size_t>& agenda, Choose&& choose, Visit&& visit) {
  agenda.clear();  // left tails that wait for the derivations to their right; a path has none
  for (std::size_t next = graph.goal();;) {
    const auto item = graph.item(next);
    const Choice choice = choose(item);
    visit(item, choice.edge);
    next = choice.right != nothing ? choice.right : choice.left;
    if (choice.right != nothing && choice.left != nothing) agenda.push_back(choice.left);
    if (next != nothing) continue;
    if (agenda.empty()) return;
    next = agenda.back();
    agenda.pop_back();
  }
}

// The edge of largest value, the first of equals; value(id) is the value of an item's best derivation.
template <class Graph, class Item, class Value>
Choice best_edge(const Graph& graph, const Item& item, Value&& value) {
  Choice chosen;
  double best = forbidden;
  std::size_t number = 0;
  graph.edges(item, [&](std::size_t left, std::size_t right, auto&& edge) {
    const double here = graph.join(graph.weight(edge), value(left), value(right));
    if (here > best) best = here, chosen = {number, left, right};
    ++number;
  });
  return chosen;
}

// The first edge at which the running sum of shares passes a number in [0, 1); the last possible one when rounding keeps it below.
template <class Shares, class Item>
Choice drawn_edge(const Shares& shares, const Item& item, double uniform) {
  if constexpr (requires { shares.draw(item, uniform); }) return shares.draw(item, uniform);
  Choice chosen;
  double running = 0;
  std::size_t number = 0;
  shares.each(item, [&](std::size_t left, std::size_t right, auto&&, auto&& share) {
    const std::size_t mine = number++;
    if (running > uniform) return;
    const double part = share.value();
    if (part == 0) return;
    running += part;
    chosen = {mine, left, right};
  });
  return chosen;
}

}  // namespace accord::hypergraph
