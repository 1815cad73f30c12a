// SPDX-License-Identifier: Apache-2.0
// Sums of rows of weight tables against plain loops.
#include <random>
#include <vector>

#include "core/text/features/tables.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

template <typename Stored>
void compare(std::mt19937& random, int width, size_t keys, int low, int high) {
  std::vector<Stored> values((size_t{1} << 6) * static_cast<size_t>(width));
  std::uniform_int_distribution<int> weight(low, high);
  for (Stored& value : values) value = static_cast<Stored>(weight(random));
  const WeightTable<Stored> table{TableKind::hash, 6, width, 1.0f, values, {}};
  std::vector<uint64_t> chosen(keys);
  for (uint64_t& key : chosen) key = (static_cast<uint64_t>(random()) << 32) | random();
  std::vector<int32_t> sums(static_cast<size_t>(width), 3), expected = sums;
  sum_rows(table, chosen, sums);
  for (uint64_t key : chosen)
    for (size_t c = 0; c < expected.size(); ++c) expected[c] += values[static_cast<size_t>(table.row(key)) * expected.size() + c];
  CHECK(sums == expected);
}

}  // namespace

TEST("rows of any width add up, however many there are") {
  std::mt19937 random(3);
  for (int width = 1; width <= 150; ++width)
    for (size_t keys : {0, 1, 7, 40, 256, 257, 700}) {
      compare<int8_t>(random, width, keys, -128, 127);
      compare<int16_t>(random, width, keys, -32768, 32767);
    }
}

TEST("the largest and the smallest weights do not overflow") {
  std::mt19937 random(4);
  for (int width : {4, 8, 16, 64, 72, 130}) {
    compare<int8_t>(random, width, 1000, -128, -128);
    compare<int8_t>(random, width, 1000, 127, 127);
  }
}
