#include "core/text/tables.hpp"

#include "core/text/vectorise.hpp"

namespace accord::text {

namespace {

ACCORD_VECTORISE void add_row(int32_t* __restrict sums, const int8_t* __restrict row, int width) {
  for (int i = 0; i < width; ++i) sums[i] += row[i];
}

}  // namespace

void sum_rows(const WeightTable<int8_t>& table, std::span<const uint64_t> keys, std::span<int32_t> sums) {
  constexpr size_t ahead = 8;
  const auto width = static_cast<size_t>(table.width);
  if (table.kind == TableKind::hash) {
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i + ahead < keys.size()) __builtin_prefetch(&table.values[home_row(keys[i + ahead], table.bits) * width]);
      add_row(sums.data(), &table.values[home_row(keys[i], table.bits) * width], table.width);
    }
    return;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) __builtin_prefetch(&table.fingerprints[home_row(keys[i + ahead], table.bits)]);
    if (const int64_t row = table.row(keys[i]); row >= 0)
      add_row(sums.data(), &table.values[static_cast<size_t>(row) * width], table.width);
  }
}

}  // namespace accord::text
