// SPDX-License-Identifier: Apache-2.0
// Parts of a layout that are sets of arcs: each counts when all of its arcs are in the tree.
//
// Families: any_sibling, head_bigram (two arcs), great_grandparent, any_tri_sibling (three), comb (four to eight), pattern. Chains
//           of grandparents are such sets too; who wants them asks for them.
// Order:    of the arcs within a part: modifiers from left to right, those of combs outwards; chains from below; the arc of the
//           later word of a head bigram first; those of a pattern as it names them. Sets that no tree contains (a word twice in a
//           chain) are left out.
#pragma once
#include <array>
#include <span>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// Calls visit(family, slot, arc numbers) for every part of the families above.
template <typename Visit>
void for_each_conjunction(const PartLayout& layout, Visit&& visit) {
  const PartFamilies& families = layout.families();
  std::array<int, PartLayout::longest_comb> arcs{};
  const auto call = [&](Part part, size_t slot, size_t count) { visit(part, slot, std::span<const int>(arcs).first(count)); };
  for (int m = 2; families.head_bigram && m <= layout.words(); ++m)
    for (int i = 0; i < layout.entering(m); ++i)
      for (int j = 0; j < layout.entering(m - 1); ++j) {
        arcs[0] = layout.first_entering(m) + i;
        arcs[1] = layout.first_entering(m - 1) + j;
        call(Part::head_bigram, layout.head_bigrams(m) + static_cast<size_t>(i * layout.entering(m - 1) + j), 2);
      }
  for (int h = 0; h <= layout.words(); ++h) {
    const int count = layout.modifier_count(h);
    for (int j = 1; families.any_sibling && j < count; ++j)
      for (int i = 0; i < j; ++i) {
        arcs[0] = layout.modifier(h, i);
        arcs[1] = layout.modifier(h, j);
        call(Part::any_sibling, layout.any_siblings(h) + PartLayout::pair(i, j), 2);
      }
    for (int k = 2; families.any_tri_sibling && k < count; ++k)
      for (int j = 1; j < k; ++j)
        for (int i = 0; i < j; ++i) {
          arcs[0] = layout.modifier(h, i);
          arcs[1] = layout.modifier(h, j);
          arcs[2] = layout.modifier(h, k);
          call(Part::any_tri_sibling, layout.any_tri_siblings(h) + PartLayout::triple(i, j, k), 3);
        }
  }
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    const int head = layout.head(arc), dependent = layout.dependent(arc);
    arcs[0] = arc;
    for (int lower = layout.first_entering(head), end = lower + layout.entering(head); families.great_grandparent && lower < end; ++lower) {
      const int above = layout.head(lower);
      if (above == dependent) continue;
      arcs[1] = lower;
      for (int upper = layout.first_entering(above), last = upper + layout.entering(above); upper < last; ++upper) {
        if (layout.head(upper) == dependent || layout.head(upper) == head) continue;
        arcs[2] = upper;
        call(Part::great_grandparent, layout.great_grandparents(arc) + layout.chain(upper, lower), 3);
      }
    }
    for (int length = PartLayout::shortest_comb; families.comb && length <= layout.comb_reach(arc); ++length) {
      const std::span<const int32_t> side = layout.modifiers(layout.side_of(arc));
      const auto words = static_cast<size_t>(length), outer = static_cast<size_t>(layout.position(arc));
      for (size_t i = 0; i < words; ++i) arcs[i] = side[outer - words + i];
      call(Part::comb, layout.combs(arc) + words - PartLayout::shortest_comb, words);
    }
  }
  for (size_t i = 0; i < layout.pattern_count(); ++i) visit(Part::pattern, layout.pattern_slot(i), layout.pattern_arcs(i));
}

// Calls visit(slot, lower arc, upper arc) for every chain of grandparent parts.
template <typename Visit>
void for_each_grandparent(const PartLayout& layout, Visit&& visit) {
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    const int head = layout.head(arc), first = layout.first_entering(head);
    const auto row = layout.modifiers(layout.side_of(arc)).size() + 2;
    for (int g = 0; g < layout.entering(head); ++g) {
      if (layout.head(first + g) == layout.dependent(arc)) continue;
      visit(layout.grandparents(layout.side_of(arc)) + static_cast<size_t>(g) * row + static_cast<size_t>(layout.position(arc)), arc,
            first + g);
    }
  }
}

}  // namespace accord::parses
