// SPDX-License-Identifier: Apache-2.0
// Expectations over the derivations of a goal, P(derivation) ~ exp(score), from the shares of edges (shares.hpp).
//
// Method:     the goal has probability one; what probability an item has is shared among its edges and goes to their tails. All numbers
//             are probabilities, so nothing overflows and what underflows is negligible. An item that a derivation uses twice has
//             "probability" two: numbers are expected uses.
// Tangents:   how expectations move when the weights of edges move along a direction. An item's rate is the mean of the direction
//             over its derivations (the expectation semiring of Li & Eisner 2009, in shares); its flow is what its probability moves by.
// Complexity: each question costs one or two terms an edge.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

// Working space: numbers by item.
struct Expectations {
  std::vector<double> probabilities, rates, flows;
};

// visit(probability, share, edge) for every edge that some derivation uses.
template <class Graph, class Shares, class Visit>
void outside(const Graph& graph, const Shares& shares, Expectations& space, Visit&& visit) {
  space.probabilities.assign(graph.size(), 0.0);
  double* const probabilities = space.probabilities.data();
  probabilities[graph.goal()] = 1.0;
  graph.top_down([&, probabilities](const auto& item) {
    const double whole = probabilities[graph.id(item)];
    if (whole == 0.0) return;
    shares.each(item, [&visit, probabilities, whole](std::size_t left, std::size_t right, auto&& edge, auto&& share) {
      const double probability = whole * share.value();
      if (probability == 0.0) return;
      probabilities[left] += probability;
      probabilities[right] += probability;
      visit(probability, share, edge);
    });
  });
}

// In nats. Each item's choice among its edges adds its own entropy: no difference of large numbers.
template <class Graph, class Shares>
double entropy(const Graph& graph, const Shares& shares, Expectations& space) {
  double total = 0;
  outside(graph, shares, space, [&](double probability, auto&& share, auto&&) { total -= probability * share.logarithm(); });
  return std::max(total, 0.0);
}

// The expectation of a sum over the edges of a derivation of amount(edge).
template <class Graph, class Shares, class Amount>
double expectation(const Graph& graph, const Shares& shares, Expectations& space, Amount&& amount) {
  space.rates.assign(graph.size(), 0.0);
  double* const rates = space.rates.data();
  graph.bottom_up([&, rates](const auto& item) {
    double rate = 0;
    shares.each(item, [&](std::size_t left, std::size_t right, auto&& edge, auto&& share) {
      if (const double part = share.value(); part > 0) rate += part * (rates[left] + rates[right] + amount(edge));
    });
    rates[graph.id(item)] = rate;
  });
  return rates[graph.goal()];
}

// visit(moved, edge): what the probability of the edge moves by when every weight moves by amount(edge).
template <class Graph, class Shares, class Amount, class Visit>
void tangents(const Graph& graph, const Shares& shares, Expectations& space, Amount&& amount, Visit&& visit) {
  expectation(graph, shares, space, amount);
  space.probabilities.assign(graph.size(), 0.0);
  space.flows.assign(graph.size(), 0.0);
  double *const probabilities = space.probabilities.data(), *const flows = space.flows.data();
  const double* const rates = space.rates.data();
  probabilities[graph.goal()] = 1.0;
  graph.top_down([&, probabilities, flows, rates](const auto& item) {
    const std::size_t id = graph.id(item);
    const double whole = probabilities[id], flow = flows[id];
    if (whole == 0) return;
    shares.each(item, [&](std::size_t left, std::size_t right, auto&& edge, auto&& share) {
      const double part = share.value();
      if (part == 0) return;
      const double moved = part * (flow + whole * (rates[left] + rates[right] + amount(edge) - rates[id]));
      probabilities[left] += part * whole;
      probabilities[right] += part * whole;
      flows[left] += moved;
      flows[right] += moved;
      visit(moved, edge);
    });
  });
}

}  // namespace accord::hypergraph
