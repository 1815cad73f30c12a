// SPDX-License-Identifier: Apache-2.0
// P(edge | item): how the derivations of an item are shared by its edges, P(derivation) ~ exp(score). Marginals, entropies, tangents
// (outside.hpp) and samples (derivation.hpp) need nothing else.
//
// Two ways to know the shares:
//     ValueShares   from inside values, exp(edge's value - item's value), computed when asked for: no memory an edge. Where scores are
//                   of a size s the logarithm of a share has the absolute precision of s.
//     StoredShares  computed with the inside values and kept, one number an edge, normalised item by item: shares of one item sum to
//                   one whatever the size of the scores, and several questions cost no further exponentials.
// Both offer each(Item, visit) with visit(left, right, edge, share); share.value(), share.logarithm().
#pragma once
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/hypergraph/items.hpp"
#include "core/hypergraph/number.hpp"
#include "core/hypergraph/softmax.hpp"

namespace accord::hypergraph {

template <class Graph>
class ValueShares {
 public:
  struct Share {
    double log;
    double value() const { return exp_nonpositive(log); }
    double logarithm() const { return log; }
  };

  // values: those of inside<LogSum>.
  ValueShares(const Graph& graph, std::span<const double> values) : graph_(graph), values_(values) {}

  template <class Item, class Visit>
  void each(const Item& item, Visit&& visit) const {
    const double value = values_[graph_.id(item)];
    if (value == forbidden) return;
    graph_.edges(item,
                 [join = Join<Graph>{graph_}, values = values_.data(), value, &visit](std::size_t left, std::size_t right, auto&& edge) {
                   visit(left, right, edge, Share{join(edge, values[left], values[right]) - value});
                 });
  }

 private:
  Held<Graph> graph_;
  std::span<const double> values_;
};

template <class Graph>
class StoredShares {
 public:
  struct Share {
    double number;
    double value() const { return number; }
    double logarithm() const { return std::log(number); }
  };

  // The graph must outlive the shares.
  explicit StoredShares(const Graph& graph) : graph_(graph), values_(graph.size(), forbidden), places_(graph.size(), {0, 0}) {
    values_[nothing] = 0;
    if constexpr (requires { graph.edge_total(); }) shares_.reserve(graph.edge_total());
    graph.bottom_up([&](const auto& item) {
      const std::size_t first = shares_.size();
      graph.edges(item, [&](std::size_t left, std::size_t right, auto&& edge) {
        shares_.push_back(graph.join(graph.weight(edge), values_[left], values_[right]));
      });
      places_[graph.id(item)] = {first, shares_.size()};
      values_[graph.id(item)] = softmax(std::span(shares_).subspan(first));
    });
  }

  double log_partition() const { return graph_.goal() == nothing ? forbidden : values_[graph_.goal()]; }

  template <class Item, class Visit>
  void each(const Item& item, Visit&& visit) const {
    const double* share = shares_.data() + places_[graph_.id(item)].first;
    graph_.edges(item, [&](std::size_t left, std::size_t right, auto&& edge) { visit(left, right, edge, Share{*share++}); });
  }

  // As drawn_edge (derivation.hpp), for graphs that can give an edge by its number: no edge after the drawn one is looked at.
  template <class Item>
  Choice draw(const Item& item, double uniform) const
    requires requires(const Graph& graph, std::size_t number) { graph.edge(item, number); }
  {
    const auto [first, end] = places_[graph_.id(item)];
    std::size_t chosen = 0;
    double running = 0;
    for (std::size_t k = first; k < end && running <= uniform; ++k) {
      if (shares_[k] == 0) continue;
      chosen = k - first;
      running += shares_[k];
    }
    const auto edge = graph_.edge(item, chosen);
    return {chosen, edge.left, edge.right};
  }

 private:
  const Graph& graph_;
  std::vector<double> values_;                               // by item: log of the sum over its derivations
  std::vector<double> shares_;                               // those of one item stand together
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // by item: where its shares begin and end
};

}  // namespace accord::hypergraph
