// SPDX-License-Identifier: Apache-2.0
// Sums of weights in tables of one column, of training (ParameterTable) and of parsing (WeightTable), under one name.
#pragma once
#include <cstdint>
#include <span>
#include <variant>

#include "core/learn/parameters.hpp"
#include "core/text/features/tables.hpp"

namespace accord::tasks {

// Weights of one or two bytes.
using ColumnTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

inline double arc_sum(const learn::ParameterTable& table, std::span<const uint64_t> keys) { return table.sum(keys); }
template <typename Stored>
double arc_sum(const text::WeightTable<Stored>& table, std::span<const uint64_t> keys) {
  return static_cast<double>(text::sum_weights(table, keys)) * static_cast<double>(table.scale);
}
inline double arc_sum(const ColumnTable& table, std::span<const uint64_t> keys) {
  if (const auto* narrow = std::get_if<text::WeightTable<int8_t>>(&table)) return arc_sum(*narrow, keys);
  return arc_sum(std::get<text::WeightTable<int16_t>>(table), keys);
}

// Asks for the memory of weights that a sum will need.
ACCORD_INLINE void prefetch_weights(const learn::ParameterTable& table, std::span<const uint64_t> keys) { table.prefetch(keys); }
template <typename Stored>
ACCORD_INLINE void prefetch_weights(const text::WeightTable<Stored>& table, std::span<const uint64_t> keys) {
  text::prefetch(table, keys);
}
ACCORD_INLINE void prefetch_weights(const ColumnTable& table, std::span<const uint64_t> keys) {
  if (const auto* narrow = std::get_if<text::WeightTable<int8_t>>(&table)) return text::prefetch(*narrow, keys);
  text::prefetch(std::get<text::WeightTable<int16_t>>(table), keys);
}

}  // namespace accord::tasks
