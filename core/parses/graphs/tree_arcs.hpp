// SPDX-License-Identifier: Apache-2.0
// A tree as values of the arcs of a layout, one where it has the arc and zero elsewhere; and the tree of such values.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/graphs/path_indicators.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

template <typename Value>
void mark_arcs(const PartLayout& layout, std::span<const int32_t> heads, std::span<Value> values) {
  for (int arc = 0; arc < layout.arcs(); ++arc)
    values[static_cast<size_t>(arc)] = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
}

// All variables of the layout's graph: arcs, then indicators.
inline void mark_tree(const PartLayout& layout, const PathIndicators& indicators, std::span<const int32_t> heads,
                      std::span<uint8_t> assignment) {
  mark_arcs(layout, heads, assignment);
  if (indicators.size() == 0) return;
  const std::vector<uint8_t> values = indicators.values(heads);
  std::copy(values.begin(), values.end(), assignment.begin() + layout.arcs());
}

// Heads of words without an arc stay as they are.
inline void read_heads(const PartLayout& layout, std::span<const uint8_t> values, std::span<int32_t> heads) {
  for (int arc = 0; arc < layout.arcs(); ++arc)
    if (values[static_cast<size_t>(arc)]) heads[static_cast<size_t>(layout.dependent(arc))] = layout.head(arc);
}

}  // namespace accord::parses
