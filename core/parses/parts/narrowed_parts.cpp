// SPDX-License-Identifier: Apache-2.0
#include "core/parses/parts/narrowed_parts.hpp"

#include <algorithm>

namespace accord::parses {

bool NarrowedParts::covers(PartFamilies families) {
  families.sibling = families.grandparent = families.grand_sibling = families.tri_sibling = families.outer_grandparent = false;
  families.head_bigram = families.any_sibling = families.valency = false;
  return !families.any();
}

NarrowedParts::NarrowedParts(const PartLayout& wide, std::span<const double> scores, std::span<const uint8_t> kept)
    : wide_(wide),
      wide_scores_(scores) {
  std::vector<CandidateArc> arcs;
  for (int arc = 0; arc < wide.arcs(); ++arc) {
    if (!kept[static_cast<size_t>(arc)]) continue;
    arcs.push_back({wide.head(arc), wide.dependent(arc)});
    arcs_.push_back(arc);
  }
  layout_.build(wide.words(), arcs, wide.families());
  scores_.assign(layout_.size(), 0.0);
  for (size_t arc = 0; arc < arcs_.size(); ++arc) scores_[arc] = scores[static_cast<size_t>(arcs_[arc])];
  for (int side = 0; side < layout_.sides(); ++side)
    if (!layout_.modifiers(side).empty()) copy_side(side);
  if (wide.families().head_bigram) copy_head_bigrams();
  for (int head = 0; head <= wide.words(); ++head) copy_modifier_pairs(head);
  add_constants();
}

void NarrowedParts::add_constants() {
  const PartFamilies& families = wide_.families();
  for (int side = 0; side < wide_.sides(); ++side)
    if (const size_t count = wide_.modifiers(side).size(); families.sibling && count > 0 && layout_.modifiers(side).empty())
      constant_ += wide_scores_[wide_.siblings(side) + count + 1];
  for (int head = 1; head <= wide_.words(); ++head)
    if (families.valency && wide_.modifier_count(head) > 0 && layout_.modifier_count(head) == 0)
      constant_ += wide_scores_[wide_.valencies(head)];
}

size_t NarrowedParts::place_of(size_t arc) const {
  const int32_t number = arcs_[arc];
  return static_cast<size_t>(number - wide_.first_entering(wide_.dependent(number)));
}

// Rows of a table of this side, whose entries are positions; `wide_rows`: the numbers of the rows in the wide table.
void NarrowedParts::copy_table(size_t to, size_t from, size_t wide_row, std::span<const size_t> wide_rows,
                               std::span<const size_t> positions) {
  if (to == PartLayout::none) return;
  double* out = scores_.data() + to;
  for (const size_t row : wide_rows) {
    const double* in = wide_scores_.data() + from + row * wide_row;
    for (const size_t position : positions) *out++ = in[position];
  }
}

void NarrowedParts::copy_side(int side) {
  const std::span<const int32_t> modifiers = layout_.modifiers(side);
  const size_t wide_count = wide_.modifiers(side).size(), wide_row = wide_count + 2;
  positions_.assign(1, 0);
  for (const int32_t arc : modifiers) positions_.push_back(static_cast<size_t>(wide_.position(arcs_[static_cast<size_t>(arc)])));
  positions_.push_back(wide_count + 1);
  const std::span<const size_t> all = positions_, but_end = all.first(all.size() - 1);
  const int head = side / 2;
  places_.clear();
  for (int g = 0; head > 0 && g < layout_.entering(head); ++g)
    places_.push_back(place_of(static_cast<size_t>(layout_.first_entering(head) + g)));

  copy_table(layout_.siblings(side), wide_.siblings(side), wide_row, but_end, all);
  copy_table(layout_.grandparents(side), wide_.grandparents(side), wide_row, places_, all);
  copy_table(layout_.outer_grandparents(side), wide_.outer_grandparents(side), wide_row, places_, all);
  rows_.clear();
  for (const size_t g : places_)
    for (const size_t i : but_end) rows_.push_back(g * (wide_count + 1) + i);
  copy_table(layout_.grand_siblings(side), wide_.grand_siblings(side), wide_row, rows_, all);
  rows_.clear();
  for (const size_t i : but_end)
    for (const size_t j : but_end) rows_.push_back(i * (wide_count + 1) + j);
  copy_table(layout_.tri_siblings(side), wide_.tri_siblings(side), wide_row, rows_, all);
}

void NarrowedParts::copy_head_bigrams() {
  for (int m = 2; m <= layout_.words(); ++m) {
    double* out = scores_.data() + layout_.head_bigrams(m);
    const auto before = static_cast<size_t>(wide_.entering(m - 1));
    for (int here = layout_.first_entering(m); here < layout_.first_entering(m) + layout_.entering(m); ++here)
      for (int there = layout_.first_entering(m - 1); there < layout_.first_entering(m); ++there)
        *out++ = wide_scores_[wide_.head_bigrams(m) + place_of(static_cast<size_t>(here)) * before + place_of(static_cast<size_t>(there))];
  }
}

void NarrowedParts::copy_modifier_pairs(int head) {
  const int count = layout_.modifier_count(head);
  if (layout_.families().valency && head > 0 && count > 0)
    std::copy_n(wide_scores_.begin() + static_cast<std::ptrdiff_t>(wide_.valencies(head)), count + 1,
                scores_.begin() + static_cast<std::ptrdiff_t>(layout_.valencies(head)));
  if (!layout_.families().any_sibling) return;
  std::vector<int> indices;
  for (int i = 0, wide = 0; i < count; ++i, ++wide) {
    while (wide_.modifier(head, wide) != arcs_[static_cast<size_t>(layout_.modifier(head, i))]) ++wide;
    indices.push_back(wide);
  }
  for (int j = 1; j < count; ++j)
    for (int i = 0; i < j; ++i)
      scores_[layout_.any_siblings(head) + PartLayout::pair(i, j)] =
          wide_scores_[wide_.any_siblings(head) + PartLayout::pair(indices[static_cast<size_t>(i)], indices[static_cast<size_t>(j)])];
}

}  // namespace accord::parses
