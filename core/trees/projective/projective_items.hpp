// SPDX-License-Identifier: Apache-2.0
// The chart of projective trees as a hypergraph (core/hypergraph/items.hpp), over the values of a filled chart: what the best trees, the
// k best trees and samples are read from. Open items are left out, their arc is the weight of the edge that would use them:
//     split(i, j)  right(i, r) left(r+1, j);   right(i, j)  split(i, m) right(m, j);   left(i, j)  left(i, m) split(m, j)
//     goal (single root)  left(1, m) right(m, n)
// Items that cover one word are `nothing`. Every projective tree has exactly one derivation.
#pragma once
#include <cstdint>
#include <span>

#include "core/hypergraph/items.hpp"
#include "core/trees/projective/projective_chart.hpp"

namespace accord::trees {

template <class Semiring>
class ProjectiveItems {
 public:
  using Chart = ProjectiveChart<Semiring>;
  using Value = typename Semiring::Value;
  enum class Kind : uint8_t { split, right, left, goal };
  struct Item {
    Kind kind;
    int i, j;
  };
  struct Weight {
    Kind kind;
    Value arc;
  };

  // The chart must have words, and must outlive the items.
  explicit ProjectiveItems(const Chart& chart) : chart_(chart) {}

  std::size_t size() const { return chart_.goal_id() + 1; }
  std::size_t goal() const { return id(goal_item()); }
  std::size_t id(const Item& item) const {
    if (item.kind == Kind::goal) return chart_.goal_id();
    return chart_.id(static_cast<typename Chart::Kind>(item.kind), item.i, item.j);
  }
  Item item(std::size_t id) const {
    if (id == chart_.goal_id()) return {Kind::goal, 1, chart_.words()};
    const std::size_t cell = (id - 1) % chart_.cells(), width = static_cast<std::size_t>(chart_.words()) + 1;
    return {static_cast<Kind>((id - 1) / chart_.cells()), static_cast<int>(cell / width), static_cast<int>(cell % width)};
  }

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int i = chart_.words(); i >= chart_.first(); --i)
      for (int j = i + 1; j <= chart_.words(); ++j)
        for (const Kind kind : {Kind::split, Kind::right, Kind::left})
          if (kind != Kind::left || i > 0) visit(Item{kind, i, j});
    if (chart_.first() == 1) visit(goal_item());
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    if (chart_.first() == 1) visit(goal_item());
    for (int i = chart_.first(); i <= chart_.words(); ++i)
      for (int j = chart_.words(); j > i; --j)
        for (const Kind kind : {Kind::left, Kind::right, Kind::split})
          if (kind != Kind::left || i > 0) visit(Item{kind, i, j});
  }

  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    switch (item.kind) {
      case Kind::split:
        return edges_of<Kind::split>(item, visit);
      case Kind::right:
        return edges_of<Kind::right>(item, visit);
      case Kind::left:
        return edges_of<Kind::left>(item, visit);
      case Kind::goal:
        return edges_of<Kind::goal>(item, visit);
    }
  }
  hypergraph::Edge<Weight> edge(const Item& item, std::size_t number) const {
    const int m = first_middle(item) + static_cast<int>(number);
    switch (item.kind) {
      case Kind::split:
        return edge_at<Kind::split>(item, m);
      case Kind::right:
        return edge_at<Kind::right>(item, m);
      case Kind::left:
        return edge_at<Kind::left>(item, m);
      case Kind::goal:
        break;
    }
    return edge_at<Kind::goal>(item, m);
  }
  static const Weight& weight(const Weight& edge) { return edge; }
  // In the order of the chart.
  static Value join(const Weight& weight, const Value& left, const Value& right) {
    if (weight.kind == Kind::split) return Semiring::times(left, right);
    if (weight.kind == Kind::left) return Semiring::times(left, Semiring::times(right, weight.arc));
    return Semiring::times(Semiring::times(left, weight.arc), right);
  }

  // The arc that an edge adds.
  void write_head(const Item& item, std::size_t number, std::span<int32_t> heads) const {
    if (item.kind == Kind::split) return;
    const auto dependent = static_cast<std::size_t>(first_middle(item)) + number;
    heads[dependent] = item.kind == Kind::goal ? 0 : item.kind == Kind::right ? item.i : item.j;
  }

 private:
  Item goal_item() const { return chart_.first() == 0 ? Item{Kind::right, 0, chart_.words()} : Item{Kind::goal, 1, chart_.words()}; }
  // Where an item is cut: at words first_middle .. last_middle.
  static int first_middle(const Item& item) { return item.kind == Kind::right ? item.i + 1 : item.i; }
  static int last_middle(const Item& item) { return item.kind == Kind::right || item.kind == Kind::goal ? item.j : item.j - 1; }

  std::size_t tail(Kind kind, int i, int j) const {
    return i == j ? hypergraph::nothing : chart_.id(static_cast<typename Chart::Kind>(kind), i, j);
  }
  template <Kind kind>
  hypergraph::Edge<Weight> edge_at(const Item& item, int m) const {
    const int i = item.i, j = item.j;
    if constexpr (kind == Kind::split) return {tail(Kind::right, i, m), tail(Kind::left, m + 1, j), {kind, Semiring::one()}};
    if constexpr (kind == Kind::right) return {tail(Kind::split, i, m), tail(Kind::right, m, j), {kind, chart_.weight(i, m)}};
    if constexpr (kind == Kind::left) return {tail(Kind::left, i, m), tail(Kind::split, m, j), {kind, chart_.weight(j, m)}};
    if constexpr (kind == Kind::goal) return {tail(Kind::left, 1, m), tail(Kind::right, m, j), {kind, chart_.weight(0, m)}};
  }
  template <Kind kind, class Visit>
  void edges_of(const Item& item, Visit& visit) const {
    for (int m = first_middle(item), last = last_middle(item); m <= last; ++m) {
      const hypergraph::Edge<Weight> edge = edge_at<kind>(item, m);
      visit(edge.left, edge.right, edge.weight);
    }
  }

  const Chart& chart_;
};

}  // namespace accord::trees
