// SPDX-License-Identifier: Apache-2.0
// The parts of a layout one after the other, each with the positions of its anchors: what features are computed from.
//
// Anchors by family stand in core/parses/parts/part_families.hpp. The dependent is the outer modifier, the sibling the one before it; of
// any_tri_sibling parts they go from right to left, and the inner word of a comb is its nearest. A valency's dependent is nowhere.
// The words of a pattern are the first ones that its arcs name, and its number is the relation's.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "core/parses/parts/part_conjunctions.hpp"
#include "core/parses/parts/part_layout.hpp"
#include "core/text/features/features.hpp"

namespace accord::tasks {

// The first four words of a pattern; nowhere where it has but three.
inline std::array<int, 4> pattern_positions(const parses::PartLayout& layout, std::span<const int> arcs) {
  std::array<int, 4> words;
  words.fill(layout.words() + 1);
  auto end = words.begin();
  for (const int arc : arcs)
    for (const int word : {layout.head(arc), layout.dependent(arc)})
      if (end != words.end() && std::find(words.begin(), end, word) == end) *end++ = word;
  return words;
}

// Calls visit(family, slot, positions, relation) for every part but arcs that a tree can have.
template <typename Visit>
void for_each_part(const parses::PartLayout& layout, Visit&& visit) {
  using parses::Part;
  const parses::PartFamilies& families = layout.families();
  const int nowhere = layout.words() + 1;
  std::vector<int> words;  // of a side by position: START, modifiers, END
  for (int side = 0; side < layout.sides(); ++side) {
    const std::span<const int32_t> modifiers = layout.modifiers(side);
    if (modifiers.empty()) continue;
    const int head = side / 2, end = static_cast<int>(modifiers.size()) + 1;
    const int neighbour = side % 2 == 1 ? head + 1 : head - 1;
    const auto row = static_cast<size_t>(end) + 1;
    words.assign(1, nowhere);
    for (const int32_t arc : modifiers) words.push_back(layout.dependent(arc));
    words.push_back(nowhere);
    const auto word = [&](int position) { return words[static_cast<size_t>(position)]; };
    // Direction and distance are those of the outermost word there is.
    const auto relation = [&](int inner, int outer) {
      return text::Relation{head, outer != end ? word(outer) : inner != 0 ? word(inner) : neighbour};
    };
    const int first = layout.first_entering(head), heads = head == 0 ? 0 : layout.entering(head);
    for (int last = 0; last < end; ++last) {
      for (int next = last + 1; next <= end; ++next) {
        const auto cell = static_cast<size_t>(last) * row + static_cast<size_t>(next);
        const text::Relation pair = relation(last, next);
        if (families.sibling) {
          const int positions[] = {head, word(next), word(last)};
          visit(Part::sibling, layout.siblings(side) + cell, std::span<const int>(positions), pair);
        }
        if (families.grand_sibling && !(last == 0 && next == end))
          for (int g = 0; g < heads; ++g) {
            const int positions[] = {head, word(next), word(last), layout.head(first + g)};
            visit(Part::grand_sibling, layout.grand_siblings(side) + static_cast<size_t>(g) * (row - 1) * row + cell,
                  std::span<const int>(positions), pair);
          }
        if (families.tri_sibling)
          for (int inner = next == end ? 1 : 0; inner < last; ++inner) {
            const int positions[] = {head, word(next), word(last), word(inner)};
            const auto middle = static_cast<size_t>(inner) * (row - 1) + static_cast<size_t>(last);
            visit(Part::tri_sibling, layout.tri_siblings(side) + middle * row + static_cast<size_t>(next), std::span<const int>(positions),
                  pair);
          }
      }
    }
    const auto chains = [&](Part part, size_t table) {
      for (int g = 0; g < heads; ++g)
        for (int next = 1; next < end; ++next) {
          const int positions[] = {head, word(next), layout.head(first + g)};
          visit(part, table + static_cast<size_t>(g) * row + static_cast<size_t>(next), std::span<const int>(positions),
                text::Relation{head, word(next)});
        }
    };
    if (families.grandparent) chains(Part::grandparent, layout.grandparents(side));
    if (families.outer_grandparent) chains(Part::outer_grandparent, layout.outer_grandparents(side));
  }
  if (families.head_bigram)
    for (int m = 2; m <= layout.words(); ++m)
      for (int i = 0; i < layout.entering(m); ++i)
        for (int j = 0; j < layout.entering(m - 1); ++j) {
          const int head = layout.head(layout.first_entering(m) + i);
          const int positions[] = {head, m, layout.head(layout.first_entering(m - 1) + j)};
          const size_t slot =
              layout.head_bigrams(m) + static_cast<size_t>(i) * static_cast<size_t>(layout.entering(m - 1)) + static_cast<size_t>(j);
          visit(Part::head_bigram, slot, std::span<const int>(positions), text::Relation{head, m});
        }
  parses::for_each_conjunction(layout, [&](Part part, size_t slot, std::span<const int> arcs) {
    if (part == Part::head_bigram) return;
    if (part == Part::pattern) {
      const std::array<int, 4> words = pattern_positions(layout, arcs);
      return visit(part, slot, std::span<const int>(words), text::Relation{words[0], words[1], layout.pattern_number(slot)});
    }
    // Modifiers come in the order of the words or outwards, chains from below: head and dependent, then what is left of the part.
    const bool chain = part == Part::great_grandparent;
    const int outer = chain ? arcs.front() : arcs.back(), h = layout.head(outer), dependent = layout.dependent(outer);
    const int second = chain ? layout.head(arcs[1]) : layout.dependent(arcs[arcs.size() - 2]);
    const int third = chain ? layout.head(arcs[2]) : layout.dependent(arcs[0]);
    const int positions[] = {h, dependent, second, third};
    visit(part, slot, std::span<const int>(positions).first(part == Part::any_sibling ? 3 : 4),
          text::Relation{h, dependent, static_cast<int>(arcs.size())});
  });
  for (int h = 1; h <= layout.words() && families.valency; ++h) {
    const int count = layout.modifier_count(h);
    if (count == 0) continue;
    for (int k = 0; k <= count; ++k) {
      const int positions[] = {h, nowhere};
      visit(Part::valency, layout.valencies(h) + static_cast<size_t>(k), std::span<const int>(positions), text::Relation{h, nowhere, k});
    }
  }
  for (int i = 1; i <= layout.words() && families.path; ++i)
    for (int j = 1; j <= layout.words(); ++j) {
      if (layout.path(i, j) == parses::PartLayout::none) continue;
      const int positions[] = {i, j};
      visit(Part::path, layout.path(i, j), std::span<const int>(positions), text::Relation{i, j});
    }
  for (int arc = 0; arc < layout.arcs() && families.nonprojective; ++arc) {
    if (layout.nonprojective(arc) == parses::PartLayout::none) continue;
    const int positions[] = {layout.head(arc), layout.dependent(arc)};
    visit(Part::nonprojective, layout.nonprojective(arc), std::span<const int>(positions), text::Relation{positions[0], positions[1]});
  }
}

}  // namespace accord::tasks
