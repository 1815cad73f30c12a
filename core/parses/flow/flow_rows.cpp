// SPDX-License-Identifier: Apache-2.0
#include "core/parses/flow/flow_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "core/parses/flow/path_rows.hpp"

namespace accord::parses {

namespace {

using Side = trees::CandidateArcs::Side;

// Writes the parts one kind after the other; indicators that several parts need are made once.
class ParserRows {
 public:
  ParserRows(graph::RowSink& sink, const trees::CandidateArcs& arcs, const FlowParts& parts) : sink_(sink), arcs_(arcs), parts_(parts) {}

  FlowColumns emit() {
    emit_tree();
    for (const auto& [first, second, score] : parts_.siblings) {
      columns_.siblings.push_back(sibling(first, second));
      sink_.add_score(columns_.siblings.back(), score);
    }
    for (const auto& [first, second, score] : parts_.grandparents)
      columns_.grandparents.push_back(graph::emit_conjunction(sink_, std::vector{first, second}, score));
    for (const auto& [arcs, score] : parts_.conjunctions) columns_.conjunctions.push_back(graph::emit_conjunction(sink_, arcs, score));
    emit_next_siblings();
    columns_.first_children = emit_outermost(parts_.first_children, true);
    columns_.last_children = emit_outermost(parts_.last_children, false);
    emit_valency();
    emit_path_parts();
    return std::move(columns_);
  }

 private:
  void emit_tree() {
    graph::emit_one_head_rows(sink_, arcs_);
    if (parts_.single_root) graph::emit_single_root_row(sink_, arcs_);
    if (parts_.projective) graph::emit_projective_rows(sink_, arcs_, parts_.aggregated);
    const bool follows_paths = !parts_.paths.empty() || !parts_.nonprojective.empty();
    if (parts_.projective && !follows_paths) return;
    if (parts_.flow == graph::Flow::single_commodity) graph::emit_single_commodity_rows(sink_, arcs_);
    else flows_ = graph::emit_multi_commodity_rows(sink_, arcs_);
  }

  int sibling(int first, int second) {
    const auto [found, fresh] = siblings_.try_emplace(std::minmax(first, second), graph::never);
    if (fresh) found->second = graph::emit_conjunction(sink_, std::vector{first, second}, 0.0);
    return found->second;
  }

  // The sibling columns (word, other) under any head on the far side of word as seen from other. At most one can be on,
  // because a word has one head.
  std::vector<int> siblings_under_any_head(int word, int other) {
    std::vector<int> found;
    for (const int arc : arcs_.entering(word)) {
      if ((arcs_.head(arc) < word) != (word < other)) continue;
      const int rival = arcs_.find(arcs_.head(arc), other);
      if (rival >= 0) found.push_back(sibling(arc, rival));
    }
    return found;
  }

  // "A sibling of word lies strictly between word and end", both dependents of a head beyond word; built outwards from word.
  int sibling_between(int word, int end) {
    const int step = end > word ? 1 : -1;
    if (end == word + step) return graph::never;
    if (const auto known = between_.find({word, end}); known != between_.end()) return known->second;
    const int before = sibling_between(word, end - step);
    const int column = graph::emit_either(sink_, before, siblings_under_any_head(word, end - step));
    between_[{word, end}] = column;
    return column;
  }

  void emit_next_siblings() {
    for (const auto& [first, second, score] : parts_.next_siblings) {
      const int between = sibling_between(arcs_.dependent(first), arcs_.dependent(second));
      columns_.next_siblings.push_back(graph::emit_unless(sink_, sibling(first, second), between, score));
    }
  }

  // First children (nothing nearer) or last ones (nothing farther): "a dependent was met before this arc" runs along the
  // arcs of a head on one side, from the near end or from the far one.
  std::vector<int> emit_outermost(std::span<const ArcPart> children, bool from_near_end) {
    std::vector<int> columns;
    std::map<int, int> met;  // arc -> column
    for (const auto& [arc, score] : children) {
      if (!met.contains(arc)) {
        std::vector<int> order = arcs_.outwards(arcs_.head(arc), arcs_.side(arc));
        if (!from_near_end) std::reverse(order.begin(), order.end());
        int before = graph::never;
        for (const int passed : order) {
          met[passed] = before;
          if (passed != order.back()) before = graph::emit_either(sink_, before, std::span(&passed, 1));
        }
      }
      columns.push_back(graph::emit_unless(sink_, arc, met[arc], score));
    }
    return columns;
  }

  void emit_valency() {
    columns_.valency.resize(parts_.valency.size());
    for (size_t node = 0; node < parts_.valency.size(); ++node) {
      if (parts_.valency[node].empty()) continue;
      columns_.valency[node] = graph::emit_counts(sink_, arcs_.leaving(static_cast<int>(node)), parts_.valency[node]);
    }
  }

  int path(int ancestor, int descendant) {
    const auto [found, fresh] = paths_.try_emplace({ancestor, descendant}, graph::never);
    if (fresh) found->second = emit_path(sink_, arcs_, *flows_, ancestor, descendant);
    return found->second;
  }

  void emit_path_parts() {
    for (const auto& [ancestor, descendant, score] : parts_.paths) {
      columns_.paths.push_back(path(ancestor, descendant));
      sink_.add_score(columns_.paths.back(), score);
    }
    std::vector<int> below;
    for (const auto& [arc, score] : parts_.nonprojective) {
      const auto [left, right] = std::minmax({arcs_.head(arc), arcs_.dependent(arc)});
      below.clear();
      // Everything descends from the root: its arcs are projective, as are arcs between neighbours.
      for (int word = left + 1; word < right && arcs_.head(arc) != 0; ++word) below.push_back(path(arcs_.head(arc), word));
      columns_.nonprojective.push_back(emit_nonprojective(sink_, arc, below, score));
    }
  }

  graph::RowSink& sink_;
  const trees::CandidateArcs& arcs_;
  const FlowParts& parts_;
  FlowColumns columns_;
  std::optional<graph::CommodityColumns> flows_;
  std::map<std::pair<int, int>, int> siblings_;  // by arcs
  std::map<std::pair<int, int>, int> between_;   // by words
  std::map<std::pair<int, int>, int> paths_;     // by words
};

}  // namespace

FlowColumns emit_parser_rows(graph::RowSink& sink, int words, std::vector<std::pair<int, int>> arcs, const FlowParts& parts) {
  const trees::CandidateArcs candidates(words, std::move(arcs));
  check_parts(candidates, parts);
  return ParserRows(sink, candidates, parts).emit();
}

}  // namespace accord::parses
