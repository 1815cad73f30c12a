// SPDX-License-Identifier: Apache-2.0
#include "core/text/features/tables.hpp"

#include <algorithm>
#include <cstring>

#include "core/vectorise.hpp"

namespace accord::text {

namespace {

// Rows of small integers are summed in 16-bit lanes, emptied before they can overflow.
constexpr size_t block = 64, rows_per_flush = 256;

ACCORD_VECTOR(int8_t, 32, Bytes);
ACCORD_VECTOR(int16_t, 32, Lanes);
ACCORD_VECTOR(int8_t, 8, EightBytes);
ACCORD_VECTOR(int16_t, 8, EightLanes);
ACCORD_VECTOR(int8_t, 4, FourBytes);
ACCORD_VECTOR(int16_t, 4, FourLanes);

ACCORD_VECTORISE void sum_block(const int8_t* values, const int64_t* rows, size_t count, size_t width, int32_t* __restrict sums) {
  Lanes low = {}, high = {};
  for (size_t i = 0; i < count; ++i) {
    Bytes left, right;
    const int8_t* row = values + static_cast<size_t>(rows[i]) * width;
    std::memcpy(&left, row, sizeof left);
    std::memcpy(&right, row + sizeof left, sizeof right);
    low += ACCORD_CONVERT(left, Lanes);
    high += ACCORD_CONVERT(right, Lanes);
  }
  for (size_t c = 0; c < block / 2; ++c) {
    sums[c] += low[c];
    sums[c + block / 2] += high[c];
  }
}

template <typename Stored, typename Lane>
void sum_few(const int8_t* values, const int64_t* rows, size_t count, size_t width, int32_t* __restrict sums) {
  Lane lanes = {};
  for (size_t i = 0; i < count; ++i) {
    Stored row;
    std::memcpy(&row, values + static_cast<size_t>(rows[i]) * width, sizeof row);
    lanes += ACCORD_CONVERT(row, Lane);
  }
  for (size_t c = 0; c < sizeof(Stored); ++c) sums[c] += lanes[c];
}

ACCORD_VECTORISE void sum_rest(const int8_t* values, const int64_t* rows, size_t count, size_t width, size_t columns,
                               int32_t* __restrict sums) {
  for (size_t i = 0; i < count; ++i) {
    const int8_t* row = values + static_cast<size_t>(rows[i]) * width;
    for (size_t c = 0; c < columns; ++c) sums[c] += row[c];
  }
}

ACCORD_VECTORISE void add_row(const int16_t* __restrict row, size_t columns, int32_t* __restrict sums) {
  for (size_t c = 0; c < columns; ++c) sums[c] += row[c];
}

// The rows of at most rows_per_flush keys, whose memory is then on its way; returns how many there are.
template <typename Stored>
size_t gather_rows(const WeightTable<Stored>& table, std::span<const uint64_t> keys, int64_t* rows) {
  const auto width = static_cast<size_t>(table.width);
  size_t count = 0;
  for (uint64_t key : keys) {
    const int64_t row = table.row(key);
    if (row < 0) continue;
    ACCORD_PREFETCH(&table.values[static_cast<size_t>(row) * width]);
    rows[count++] = row;
  }
  return count;
}

std::span<const uint64_t> piece(std::span<const uint64_t> keys, size_t begin) {
  return keys.subspan(begin, std::min(rows_per_flush, keys.size() - begin));
}

}  // namespace

void sum_rows(const WeightTable<int8_t>& table, std::span<const uint64_t> keys, std::span<int32_t> sums) {
  const auto width = static_cast<size_t>(table.width);
  const int8_t* values = table.values.data();
  int64_t rows[rows_per_flush];
  for (size_t begin = 0; begin < keys.size(); begin += rows_per_flush) {
    const size_t count = gather_rows(table, piece(keys, begin), rows);
    size_t column = 0;
    for (; column + block <= width; column += block) sum_block(values + column, rows, count, width, sums.data() + column);
    for (; column + 8 <= width; column += 8) sum_few<EightBytes, EightLanes>(values + column, rows, count, width, sums.data() + column);
    for (; column + 4 <= width; column += 4) sum_few<FourBytes, FourLanes>(values + column, rows, count, width, sums.data() + column);
    if (column < width) sum_rest(values + column, rows, count, width, width - column, sums.data() + column);
  }
}

void sum_rows(const WeightTable<int16_t>& table, std::span<const uint64_t> keys, std::span<int32_t> sums) {
  const auto width = static_cast<size_t>(table.width);
  int64_t rows[rows_per_flush];
  for (size_t begin = 0; begin < keys.size(); begin += rows_per_flush) {
    const size_t count = gather_rows(table, piece(keys, begin), rows);
    for (size_t i = 0; i < count; ++i) add_row(table.values.data() + static_cast<size_t>(rows[i]) * width, width, sums.data());
  }
}

}  // namespace accord::text
