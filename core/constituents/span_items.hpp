// SPDX-License-Identifier: Apache-2.0
// The chart of constituents as a hypergraph (core/hypergraph/items.hpp).
//
// Set:    trees of labelled spans over the words 1..n: spans do not cross, a span has at most one label, the whole sentence has one (a
//         sentence of one word may do without), and a phrase over several words has at least two children, phrases or bare words.
// Score:  the sum of the scores of the labelled spans.
// Items:  node(i, j)    the span is a phrase, or a bare word
//         list(i, j)    one child or several in a row
//         series(i, j)  two children or more
//     node(i, i+1)  nothing + one edge a label;   node(i, j)    series(i, j), one edge a label
//     list(i, j)    node(i, j)  or  series(i, j);  series(i, j)  list(i, k) node(k, j) for i < k < j
// The last child of a phrase is told apart from those before it, so every tree has exactly one derivation: sums, ranks and samples are
// over trees, not over ways to binarise them.
// Complexity: n^3 / 6 edges and a label a span; with the labels of a span folded into one weight, O(n^3 + n^2 L).
#pragma once
#include <cstdint>

#include "core/constituents/span_rules.hpp"
#include "core/constituents/span_scores.hpp"
#include "core/hypergraph/items.hpp"

namespace accord::constituents {

class SpanItems {
 public:
  enum class Kind : uint8_t { node, series, list };
  struct Item {
    Kind kind;
    int i, j;
  };
  using Weight = double;

  // Scores (with as many labels as the nodes shall have edges) and rules must outlive the items.
  SpanItems(const SpanScores& scores, const SpanRules& rules) : scores_(scores), rules_(rules), spans_(span_count(scores.words)) {}

  std::size_t size() const { return 1 + 3 * spans_; }
  std::size_t goal() const { return scores_.words == 0 ? hypergraph::nothing : id({Kind::node, 0, scores_.words}); }
  std::size_t id(const Item& item) const {
    return 1 + static_cast<std::size_t>(item.kind) * spans_ + span_index(scores_.words, item.i, item.j);
  }
  Item item(std::size_t id) const {
    const std::size_t span = (id - 1) % spans_;
    int low = 0, high = scores_.words - 1;  // the last row that begins at or before the span
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (span_index(scores_.words, middle, middle + 1) <= span) low = middle;
      else high = middle - 1;
    }
    const auto begun = span - span_index(scores_.words, low, low + 1);
    return {static_cast<Kind>((id - 1) / spans_), low, low + 1 + static_cast<int>(begun)};
  }

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int width = 1; width <= scores_.words; ++width)
      for (int i = 0; i + width <= scores_.words; ++i)
        for (const Kind kind : {Kind::series, Kind::node, Kind::list})
          if (kind != Kind::series || width > 1) visit(Item{kind, i, i + width});
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    for (int width = scores_.words; width >= 1; --width)
      for (int i = 0; i + width <= scores_.words; ++i)
        for (const Kind kind : {Kind::list, Kind::node, Kind::series})
          if (kind != Kind::series || width > 1) visit(Item{kind, i, i + width});
  }

  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    const std::size_t count = edge_count(item);
    for (std::size_t number = 0; number < count; ++number) {
      const hypergraph::Edge<Weight> found = edge(item, number);
      visit(found.left, found.right, found.weight);
    }
  }
  hypergraph::Edge<Weight> edge(const Item& item, std::size_t number) const {
    const auto [kind, i, j] = item;
    if (kind == Kind::series) {
      const int k = i + 1 + static_cast<int>(number);
      return {id({Kind::list, i, k}), id({Kind::node, k, j}), rules_.may_split(i, k) ? 0.0 : forbidden};
    }
    if (kind == Kind::list) {
      if (number == 0) return {id({Kind::node, i, j}), hypergraph::nothing, 0.0};
      const std::size_t span = span_index(scores_.words, i, j);
      return {id({Kind::series, i, j}), hypergraph::nothing, rules_.may_be_prefix(span) ? 0.0 : forbidden};
    }
    if (j - i == 1) {
      if (number == 0) return {hypergraph::nothing, hypergraph::nothing, rules_.may_be_bare(i) ? 0.0 : forbidden};
      return {hypergraph::nothing, hypergraph::nothing, label_score(i, j, number - 1)};
    }
    return {id({Kind::series, i, j}), hypergraph::nothing, label_score(i, j, number)};
  }
  static double weight(double edge) { return edge; }
  static double join(double weight, double left, double right) { return left + right + weight; }

  // The label that an edge of a node gives its span, -1 for a bare word.
  static int label(const Item& item, std::size_t number) { return static_cast<int>(number) - (item.j - item.i == 1 ? 1 : 0); }

  std::size_t edge_total() const {
    const auto n = static_cast<std::size_t>(scores_.words);
    return n * (n + 1) * (n + 2) / 6 + (2 + static_cast<std::size_t>(scores_.labels)) * spans_;
  }

 private:
  std::size_t edge_count(const Item& item) const {
    const auto width = static_cast<std::size_t>(item.j - item.i), labels = static_cast<std::size_t>(scores_.labels);
    if (item.kind == Kind::series) return width - 1;
    if (item.kind == Kind::list) return width > 1 ? 2 : 1;
    return labels + (width == 1 ? 1 : 0);
  }
  double label_score(int i, int j, std::size_t label) const {
    return rules_.crosses(span_index(scores_.words, i, j)) ? forbidden : scores_.at(i, j)[label];
  }

  SpanScores scores_;
  const SpanRules& rules_;
  std::size_t spans_;
};

}  // namespace accord::constituents
