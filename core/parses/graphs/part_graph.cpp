// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/part_graph.hpp"

#include <numeric>
#include <stdexcept>

#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/conjunction.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/factors/trees/tree_factor.hpp"
#include "core/parses/graphs/grandparent_automaton.hpp"
#include "core/parses/graphs/head_automata.hpp"
#include "core/parses/graphs/path_indicators.hpp"
#include "core/parses/parts/part_conjunctions.hpp"

namespace accord::parses {

namespace {

class PartGraphBuilder {
 public:
  PartGraphBuilder(graph::FactorGraph& graph, const PartLayout& layout, std::span<const double> scores,
                   std::span<const int64_t> arc_variables, PartRoles* roles, std::vector<int32_t>* names = nullptr)
      : graph_(graph),
        layout_(layout),
        scores_(scores),
        arc_variables_(arc_variables),
        roles_(roles),
        names_(names) {}

  void build(bool projective, bool single_root, bool descents) {
    if (layout_.families().outer_grandparent && layout_.families().grand_sibling)
      throw std::invalid_argument("outer_grandparent parts are among the grand_sibling parts: a model has one of the two");
    add_tree(projective, single_root);
    for (int side = 0; side < layout_.sides(); ++side)
      if (!layout_.modifiers(side).empty()) add_automata(side);
    if (layout_.families().head_bigram && layout_.words() > 1) add_chain();
    for (int head = 0; head <= layout_.words(); ++head) add_counts(head);
    add_conjunctions();
    if (descents && layout_.families().descent()) PathIndicators(layout_, projective).add_to(graph_, scores_, arc_variables_, roles_);
    if (names_) names_->resize(graph_.factors(), -1);
  }

 private:
  std::span<const double> table(size_t first, size_t count) const {
    if (first == PartLayout::none) return {};
    return scores_.subspan(first, count);
  }

  int64_t variable(int arc) const { return arc_variables_[static_cast<size_t>(arc)]; }
  void take_all_arcs() { variables_.assign(arc_variables_.begin(), arc_variables_.end()); }
  void take_modifiers(std::span<const int32_t> modifiers) {
    for (const int32_t arc : modifiers) variables_.push_back(variable(arc));
  }

  enum class Kind { tree, chain, automaton, trio, count, kinds };

  // A factor over variables_, the first `complete` of which are complete sets of heads. Its slots have been noted.
  void add(std::unique_ptr<graph::Factor> factor, size_t complete, int name) {
    graph_.add_factor(std::move(factor), variables_);
    if (roles_) roles_->add(complete);
    if (names_) names_->push_back(name);
  }
  static int named(Kind kind, int side = 0) { return side * static_cast<int>(Kind::kinds) + static_cast<int>(kind); }

  // The next own scores of the factor to come are `count` slots from `first` on, or no slots. Returns their places.
  std::span<size_t> note(size_t first, size_t count) {
    if (!roles_) return {};
    for (size_t i = 0; i < count; ++i) roles_->slots.push_back(first == PartRoles::none ? first : first + i);
    return std::span(roles_->slots).last(count);
  }

  // Entries at the end of every `row`-th stretch: START and END without a modifier between them.
  static void forget_ends(std::span<size_t> noted, size_t row, size_t every) {
    for (size_t end = row; end <= noted.size(); end += row * every) noted[end - 1] = PartRoles::none;
  }

  void add_tree(bool projective, bool single_root) {
    std::vector<std::pair<int, int>> arcs;
    for (int arc = 0; arc < layout_.arcs(); ++arc) arcs.emplace_back(layout_.head(arc), layout_.dependent(arc));
    take_all_arcs();
    add(std::make_unique<graph::TreeFactor>(layout_.words(), std::move(arcs), projective, single_root), variables_.size(),
        named(Kind::tree));
  }

  void add_automata(int side) {
    const PartFamilies& families = layout_.families();
    const std::span<const int32_t> modifiers = layout_.modifiers(side);
    const size_t count = modifiers.size(), row = count + 2;
    const int head = side / 2, heads = head == 0 ? 0 : layout_.entering(head);
    const auto grandparents = static_cast<size_t>(heads);
    const std::span<const double> sibling = table(layout_.siblings(side), (count + 1) * row);
    const std::span<const double> grandparent = table(layout_.grandparents(side), grandparents * row);
    const std::span<const double> both = families.outer_grandparent ? outer_table(side, grandparents, count)
                                                                    : table(layout_.grand_siblings(side), grandparents * (count + 1) * row);
    const int size = static_cast<int>(count);
    const bool with_heads = heads > 0 && (families.grandparent || families.grand_sibling || families.outer_grandparent);

    variables_.clear();
    if (with_heads)
      for (int g = 0; g < heads; ++g) variables_.push_back(variable(layout_.first_entering(head) + g));
    take_modifiers(modifiers);
    if (with_heads && !families.sibling && !families.grand_sibling && !families.outer_grandparent) {
      forget_ends(note(layout_.grandparents(side), grandparents * row), row, 1);
      add(std::make_unique<GrandparentAutomaton>(heads, size, grandparent), grandparents, named(Kind::automaton, side));
    } else if (with_heads) {
      zeros_.assign(std::max((count + 1) * row, grandparents * row), 0.0);
      note(layout_.siblings(side), (count + 1) * row);
      forget_ends(note(layout_.grandparents(side), grandparents * row), row, 1);
      if (families.outer_grandparent) note_outer(side, grandparents, count);
      else forget_ends(note(layout_.grand_siblings(side), grandparents * (count + 1) * row), row, count + 1);
      add(std::make_unique<GrandSiblingAutomaton>(
              heads, size, sibling.empty() ? std::span<const double>(zeros_).first((count + 1) * row) : sibling,
              grandparent.empty() ? std::span<const double>(zeros_).first(grandparents * row) : grandparent, both),
          grandparents, named(Kind::automaton, side));
    } else if (families.sibling) {
      note(layout_.siblings(side), (count + 1) * row);
      add(std::make_unique<SiblingAutomaton>(size, sibling), 0, named(Kind::automaton, side));
    }
    if (!families.tri_sibling || count < 2) return;  // fewer modifiers make no tri-sibling
    variables_.clear();
    take_modifiers(modifiers);
    const size_t cells = (count + 1) * (count + 1) * row;
    const std::span<size_t> noted = note(layout_.tri_siblings(side), cells);
    if (!noted.empty()) forget_ends(noted.first((count + 1) * row), row, 1);
    add(std::make_unique<TriSiblingAutomaton>(size, table(layout_.tri_siblings(side), cells)), 0, named(Kind::trio, side));
  }

  // The outermost modifiers under each grandparent, as entries (last, END) of a table of grand-siblings.
  std::span<const double> outer_table(int side, size_t grandparents, size_t count) {
    const size_t row = count + 2;
    outer_.assign(grandparents * (count + 1) * row, 0.0);
    for (size_t g = 0; g < grandparents; ++g)
      for (size_t last = 1; last <= count; ++last)
        outer_[(g * (count + 1) + last) * row + row - 1] = scores_[layout_.outer_grandparents(side) + g * row + last];
    return outer_;
  }

  void note_outer(int side, size_t grandparents, size_t count) {
    const size_t row = count + 2;
    const std::span<size_t> noted = note(PartRoles::none, grandparents * (count + 1) * row);
    for (size_t g = 0; g < grandparents && !noted.empty(); ++g)
      for (size_t last = 1; last <= count; ++last)
        noted[(g * (count + 1) + last) * row + row - 1] = layout_.outer_grandparents(side) + g * row + last;
  }

  void add_chain() {
    std::vector<int> states;
    std::vector<double> transitions;
    for (int m = 1; m <= layout_.words(); ++m) {
      states.push_back(layout_.entering(m));
      if (m == 1) continue;
      const int before = layout_.entering(m - 1);
      for (int j = 0; j < before; ++j)
        for (int i = 0; i < layout_.entering(m); ++i) {
          const size_t slot = layout_.head_bigrams(m) + static_cast<size_t>(i * before + j);
          transitions.push_back(scores_[slot]);
          note(slot, 1);
        }
    }
    take_all_arcs();
    add(std::make_unique<graph::ChainFactor>(std::move(states), transitions), variables_.size(), named(Kind::chain));
  }

  void add_counts(int head) {
    const int count = layout_.modifier_count(head);
    if (!layout_.families().valency || head == 0 || count == 0) return;
    variables_.clear();
    for (int i = 0; i < count; ++i) variables_.push_back(variable(layout_.modifier(head, i)));
    const std::span<const double> counts = table(layout_.valencies(head), static_cast<size_t>(count) + 1);
    note(layout_.valencies(head), counts.size());
    add(std::make_unique<graph::Cardinality>(std::vector<double>(counts.begin(), counts.end())), 0, named(Kind::count, head));
  }

  void add_conjunctions() {
    for_each_conjunction(layout_, [&](Part part, size_t slot, std::span<const int> arcs) {
      if (part == Part::head_bigram || (scores_[slot] == 0 && !roles_)) return;
      variables_.clear();
      for (const int arc : arcs) variables_.push_back(variable(arc));
      note(slot, 1);
      if (arcs.size() == 2) add(std::make_unique<graph::Pair>(scores_[slot]), 0, -1);
      else add(std::make_unique<graph::Conjunction>(arcs.size(), scores_[slot]), 0, -1);
    });
  }

  graph::FactorGraph& graph_;
  const PartLayout& layout_;
  std::span<const double> scores_;
  std::span<const int64_t> arc_variables_;
  PartRoles* roles_;
  std::vector<int32_t>* names_;
  std::vector<int64_t> variables_;
  std::vector<double> zeros_, outer_;
};

}  // namespace

void add_part_factors(graph::FactorGraph& graph, const PartLayout& layout, std::span<const double> scores,
                      std::span<const int64_t> variables, bool projective, bool single_root) {
  if (variables.size() != static_cast<size_t>(layout.arcs()) || scores.size() != layout.size())
    throw std::invalid_argument("one variable an arc and one score a part are needed");
  PartGraphBuilder(graph, layout, scores, variables, nullptr).build(projective, single_root, true);
}

graph::FactorGraph make_part_graph(const PartLayout& layout, std::span<const double> scores, bool projective, bool single_root,
                                   PartRoles* roles, bool descents, std::vector<int32_t>* names) {
  if (roles) *roles = {};
  if (names) names->clear();
  graph::FactorGraph graph;
  std::vector<int64_t> variables(static_cast<size_t>(layout.arcs()));
  std::iota(variables.begin(), variables.end(), 0);
  graph.add_variables(scores.first(variables.size()));
  PartGraphBuilder(graph, layout, scores, variables, roles, names).build(projective, single_root, descents);
  return graph;
}

}  // namespace accord::parses
