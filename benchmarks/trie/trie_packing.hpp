// SPDX-License-Identifier: Apache-2.0
// First-fit packing of sparse rows into one array: the placement half of a double array.
//
// A row is a set of tokens; placed at base b it takes the slots b + token, and no slot serves two rows. Rows are
// placed from the longest to the shortest (ties: by number), each at the first start where all its slots are free, so
// that the many rows of one token fill the holes the long ones leave. The search tests 64 starts at a time on a
// bitmap of slots in use: O(tokens of the row) word operations per 64 starts. A long row begins its search near the
// place of the last row of its length rather than at the front, which bounds the time and costs no space, as shorter
// rows fill what it passes.
//
// Jun-ichi Aoe (1989), "An Efficient Digital Search Algorithm by Using a Double-Array Structure", IEEE TSE 15(9).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::text {

struct PackedRows {
  std::vector<std::uint32_t> bases;  // modulo 2^32, since a base may lie before the first slot; 2^32-1: an empty row
  std::size_t slot_count = 0;
};

// Row r holds tokens[row_begin[r] .. row_begin[r+1]), ascending. The same input always gives the same output.
PackedRows pack_rows(std::span<const std::size_t> row_begin, std::span<const std::uint32_t> tokens);

}  // namespace accord::text
