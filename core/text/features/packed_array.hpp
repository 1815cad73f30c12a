// SPDX-License-Identifier: Apache-2.0
// Arrays of mostly zeros as a model file holds them: one bit an item that says whether it is there, and the items that are.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

namespace accord::text {

template <typename Item>
void expand_items(std::span<const uint8_t> present, std::span<const uint8_t> packed, uint8_t* out) {
  const uint8_t* next = packed.data();
  const uint8_t* const end = next + packed.size();
  size_t byte = 0;
  // Every item is written, present or not, and `next` moves on where it is: no branch that could be guessed wrong. Reads up to eight items.
  for (; byte < present.size() && next + 9 * sizeof(Item) <= end && byte + 1 < present.size(); ++byte) {
    Item items[8];
    for (unsigned bit = 0; bit < 8; ++bit) {
      const unsigned there = (present[byte] >> bit) & 1u;
      Item item;
      std::memcpy(&item, next, sizeof item);
      items[bit] = static_cast<Item>(item * there);
      next += there * sizeof(Item);
    }
    std::memcpy(out + byte * sizeof items, items, sizeof items);
  }
  for (; byte < present.size(); ++byte)
    for (unsigned bits = present[byte]; bits != 0; bits &= bits - 1) {
      std::memcpy(out + (byte * 8 + static_cast<size_t>(std::countr_zero(bits))) * sizeof(Item), next, sizeof(Item));
      next += sizeof(Item);
    }
}

// `present`: a bit for each of `items` items, lowest first; `packed`: the items of `size` bytes whose bit is set, in order. Items that
// are not there are zero. Throws std::invalid_argument where the parts do not fit together.
inline std::vector<uint8_t> expand(std::span<const uint8_t> present, std::span<const uint8_t> packed, size_t items, size_t size) {
  size_t count = 0;
  for (uint8_t bits : present) count += static_cast<size_t>(std::popcount(bits));
  const bool loose = items % 8 != 0 && !present.empty() && (present.back() >> (items % 8)) != 0;
  if (present.size() != (items + 7) / 8 || loose || packed.size() != count * size)
    throw std::invalid_argument("packed array: the parts do not fit together");
  std::vector<uint8_t> out(items * size);
  if (size == 1) expand_items<uint8_t>(present, packed, out.data());
  else if (size == 2) expand_items<uint16_t>(present, packed, out.data());
  else if (size == 4) expand_items<uint32_t>(present, packed, out.data());
  else throw std::invalid_argument("packed array: items of 1, 2 or 4 bytes");
  return out;
}

}  // namespace accord::text
