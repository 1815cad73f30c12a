// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/path_indicators.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/selection.hpp"
#include "core/parses/parts/descent.hpp"

namespace accord::parses {

namespace {

// Calls visit(word) for the words strictly between an arc's ends.
template <typename Visit>
void for_each_between(const PartLayout& layout, int arc, Visit&& visit) {
  const int head = layout.head(arc), dependent = layout.dependent(arc);
  for (int word = std::min(head, dependent) + 1; word < std::max(head, dependent); ++word) visit(word);
}

}  // namespace

PathIndicators::PathIndicators(const PartLayout& layout, bool projective)
    : layout_(layout),
      nonprojective_(layout.families().nonprojective && !projective) {
  if (!layout.families().path && !nonprojective_) return;
  ask_paths();
  if (nonprojective_) ask_covered();
}

void PathIndicators::ask_paths() {
  const auto nodes = static_cast<size_t>(layout_.words()) + 1;
  std::vector<uint8_t> asked = reachable_words(layout_);
  if (!layout_.families().path) {
    // Words between, and all that whether these descend from the head may depend on: their heads, and so on.
    const std::vector<uint8_t> reachable = std::exchange(asked, std::vector<uint8_t>(nodes * nodes, 0));
    std::vector<int> open;
    for (int head = 1; head <= layout_.words(); ++head) {
      const size_t row = static_cast<size_t>(head) * nodes;
      const auto ask = [&](int word) {
        const size_t pair = row + static_cast<size_t>(word);
        if (!reachable[pair] || asked[pair]) return;
        asked[pair] = 1;
        open.push_back(word);
      };
      for (int i = 0; i < layout_.modifier_count(head); ++i) for_each_between(layout_, layout_.modifier(head, i), ask);
      while (!open.empty()) {
        const int word = open.back();
        open.pop_back();
        for (int a = layout_.first_entering(word); a < layout_.first_entering(word) + layout_.entering(word); ++a) ask(layout_.head(a));
      }
    }
  }
  paths_.assign(asked.size(), never);
  for (size_t pair = 0; pair < asked.size(); ++pair)
    if (asked[pair]) paths_[pair] = static_cast<int>(size_++);
}

void PathIndicators::ask_covered() {
  covered_.assign(static_cast<size_t>(layout_.arcs()), never);
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    bool possible = layout_.nonprojective(arc) != PartLayout::none;
    for_each_between(layout_, arc, [&](int word) { possible = possible && path(layout_.head(arc), word) != never; });
    if (possible) covered_[static_cast<size_t>(arc)] = static_cast<int>(size_++);
  }
}

void PathIndicators::add_to(graph::FactorGraph& graph, std::span<const double> scores, std::span<const int64_t> arc_variables,
                            PartRoles* roles) const {
  if (size_ == 0 && !nonprojective_) return;
  std::vector<double> own(size_, 0.0);
  const bool scored = layout_.families().path;
  for (int i = 1; i <= layout_.words() && scored; ++i)
    for (int j = 1; j <= layout_.words(); ++j)
      if (const int number = path(i, j); number != never) own[static_cast<size_t>(number)] = scores[layout_.path(i, j)];
  for (int arc = 0; arc < layout_.arcs() && nonprojective_; ++arc)
    if (const int number = covered(arc); number != never) own[static_cast<size_t>(number)] = -scores[layout_.nonprojective(arc)];
  const auto first = static_cast<int64_t>(graph.add_variables(own));
  for (int i = 1; i <= layout_.words(); ++i)
    for (int j = 1; j <= layout_.words(); ++j)
      if (path(i, j) != never) add_path(graph, arc_variables, first, i, j, roles);
  for (int arc = 0; arc < layout_.arcs() && nonprojective_; ++arc)
    if (layout_.nonprojective(arc) != PartLayout::none) add_nonprojective(graph, scores, arc_variables, first, arc, roles);
}

void PathIndicators::add_path(graph::FactorGraph& graph, std::span<const int64_t> arc_variables, int64_t first, int ancestor,
                              int descendant, PartRoles* roles) const {
  std::vector<int64_t> variables, inputs;
  const int begin = layout_.first_entering(descendant), end = begin + layout_.entering(descendant);
  const int direct = layout_.find(ancestor, descendant);
  if (direct >= 0) variables.push_back(arc_variables[static_cast<size_t>(direct)]);
  for (int arc = begin; arc < end; ++arc) {
    const int above = layout_.head(arc) == ancestor ? never : path(ancestor, layout_.head(arc));
    if (above == never) continue;
    variables.push_back(arc_variables[static_cast<size_t>(arc)]);
    inputs.push_back(first + above);
  }
  const size_t selected = inputs.size();
  const int64_t output = first + path(ancestor, descendant);
  variables.insert(variables.end(), inputs.begin(), inputs.end());
  variables.push_back(output);
  graph.add_factor(std::make_unique<graph::Selection>(selected, direct >= 0), variables);
  if (!roles) return;
  roles->add(0);
  if (!layout_.families().path) return;
  roles->indicated.push_back({layout_.path(ancestor, descendant), PartRoles::none, static_cast<size_t>(output)});
}

void PathIndicators::add_nonprojective(graph::FactorGraph& graph, std::span<const double> scores, std::span<const int64_t> arc_variables,
                                       int64_t first, int arc, PartRoles* roles) const {
  std::vector<int64_t> variables = {arc_variables[static_cast<size_t>(arc)]};
  const auto add = [&](std::unique_ptr<graph::Factor> factor) {
    if (roles) roles->slots.resize(roles->slots.size() + factor->parts(), PartRoles::none);
    if (roles) roles->add(0);
    graph.add_factor(std::move(factor), variables);
  };
  const size_t slot = layout_.nonprojective(arc);
  if (roles) roles->indicated.push_back({slot, static_cast<size_t>(arc)});
  add(std::make_unique<graph::Cardinality>(std::vector<double>{0.0, scores[slot]}));
  if (covered(arc) == never) return;
  if (roles) roles->indicated.back().indicator = static_cast<size_t>(first + covered(arc));
  for_each_between(layout_, arc, [&](int word) { variables.push_back(first + path(layout_.head(arc), word)); });
  variables.push_back(first + covered(arc));
  add(graph::make_logic("and_output", variables.size()));
}

std::vector<uint8_t> PathIndicators::values(std::span<const int32_t> heads) const {
  std::vector<uint8_t> values(size_, 0);
  if (size_ == 0) return values;
  const std::vector<uint8_t> below = descendants(heads);
  for (size_t pair = 0; pair < paths_.size(); ++pair)
    if (paths_[pair] != never) values[static_cast<size_t>(paths_[pair])] = below[pair];
  for (size_t arc = 0; arc < covered_.size(); ++arc) {
    if (covered_[arc] == never) continue;
    const int head = layout_.head(static_cast<int>(arc)), dependent = layout_.dependent(static_cast<int>(arc));
    values[static_cast<size_t>(covered_[arc])] =
        heads[static_cast<size_t>(dependent)] == head && covers(below, layout_.words(), head, dependent);
  }
  return values;
}

}  // namespace accord::parses
