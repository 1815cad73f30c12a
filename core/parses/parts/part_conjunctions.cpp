// SPDX-License-Identifier: Apache-2.0
// Slots of the parts of a layout that are sets of arcs, and those of a tree (part_layout.hpp).
#include <algorithm>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

void PartLayout::place_conjunctions() {
  const size_t arcs = arcs_.size();
  great_grandparents_.assign(arcs, none);
  combs_.assign(arcs, none);
  any_tri_siblings_.assign(static_cast<size_t>(words_) + 1, none);
  chains_.assign(arcs, 0);
  comb_reaches_.assign(arcs, 0);
  if (families_.great_grandparent) {
    std::vector<size_t> above(static_cast<size_t>(words_) + 1, 0);  // chains of two arcs that end in a word
    for (size_t arc = 0; arc < arcs; ++arc) {
      size_t& count = above[static_cast<size_t>(arcs_[arc].dependent)];
      chains_[arc] = static_cast<int32_t>(count);
      count += static_cast<size_t>(entering(arcs_[arc].head));
    }
    for (size_t arc = 0; arc < arcs; ++arc) great_grandparents_[arc] = take(above[static_cast<size_t>(arcs_[arc].head)]);
  }
  if (families_.any_tri_sibling)
    for (int h = 0; h <= words_; ++h) any_tri_siblings_[static_cast<size_t>(h)] = take(triple(0, 1, std::max(2, modifier_count(h))));
  if (!families_.comb) return;
  for (int side = 0; side < sides(); ++side) {
    int run = 0, before = -1;
    for (const int32_t arc : modifiers(side)) {
      const int word = dependent(arc);
      run = before >= 0 && std::abs(word - before) == 1 ? run + 1 : 1;
      before = word;
      comb_reaches_[static_cast<size_t>(arc)] = std::min(run, longest_comb);
    }
  }
  for (size_t arc = 0; arc < arcs; ++arc)
    if (comb_reaches_[arc] >= shortest_comb) combs_[arc] = take(static_cast<size_t>(comb_reaches_[arc] - shortest_comb + 1));
}

// chosen: the arc that enters each word of the tree; on: its arcs.
void PartLayout::add_conjunctions_of(std::span<const int32_t> chosen, std::span<const uint8_t> on, std::vector<size_t>& slots) const {
  for (int m = 1; m <= words_ && families_.great_grandparent; ++m) {
    const int arc = chosen[static_cast<size_t>(m)], h = head(arc);
    if (h == 0) continue;
    const int lower = chosen[static_cast<size_t>(h)], g = head(lower);
    if (g == 0 || g == m) continue;
    const int upper = chosen[static_cast<size_t>(g)];
    if (head(upper) != m && head(upper) != h) slots.push_back(great_grandparents(arc) + chain(upper, lower));
  }
  for (int h = 0; h <= words_ && families_.any_tri_sibling; ++h) {
    std::vector<int> present;
    for (int i = 0; i < modifier_count(h); ++i)
      if (on[static_cast<size_t>(modifier(h, i))]) present.push_back(i);
    for (size_t k = 2; k < present.size(); ++k)
      for (size_t j = 1; j < k; ++j)
        for (size_t i = 0; i < j; ++i) slots.push_back(any_tri_siblings(h) + triple(present[i], present[j], present[k]));
  }
  for (int side = 0; side < sides() && families_.comb; ++side) {
    int run = 0, before = -1;
    for (const int32_t arc : modifiers(side)) {
      if (!on[static_cast<size_t>(arc)]) continue;
      const int word = dependent(arc);
      run = before >= 0 && std::abs(word - before) == 1 ? run + 1 : 1;
      before = word;
      for (int length = shortest_comb; length <= std::min(run, longest_comb); ++length)
        slots.push_back(combs(arc) + static_cast<size_t>(length - shortest_comb));
    }
  }
}

}  // namespace accord::parses
