// SPDX-License-Identifier: Apache-2.0
// Weight tables: a feature's 64-bit key -> a row of weights (one for an arc, one per label for a label score).
// Two kinds behind one interface:
//   hash        the key's top bits are the row: constant size, no dictionary, colliding features share a weight;
//   dictionary  open addressing with a 32-bit fingerprint: features never seen in training contribute nothing.
// A WeightTable is immutable and reads memory that someone else owns (a mapped model file). Weights are stored as small
// integers times one scale, so that sums are exact integers: the same scores on every machine and in every order.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/vectorise.hpp"

namespace accord::text {

enum class TableKind { hash, dictionary };

inline TableKind parse_table_kind(std::string_view name) {
  if (name == "hash") return TableKind::hash;
  if (name == "dictionary") return TableKind::dictionary;
  throw std::invalid_argument("unknown kind of weight table: expected 'hash' or 'dictionary'");
}

inline size_t home_row(uint64_t key, int bits) { return static_cast<size_t>(key >> (64 - bits)); }

// What a dictionary stores to recognise a key; zero marks an empty row.
inline uint32_t fingerprint(uint64_t key) {
  const auto low = static_cast<uint32_t>(key);
  return low == 0 ? 1 : low;
}

template <typename Stored>
struct WeightTable {
  TableKind kind = TableKind::hash;
  int bits = 0;     // 2^bits rows
  int width = 1;    // weights in a row
  float scale = 1;  // weight = scale * stored
  std::span<const Stored> values;
  std::span<const uint32_t> fingerprints;  // dictionary only

  // The row of a key, or -1 when a dictionary does not hold it.
  int64_t row(uint64_t key) const {
    const size_t home = home_row(key, bits);
    if (kind == TableKind::hash) return static_cast<int64_t>(home);
    const size_t mask = (size_t{1} << bits) - 1;
    const uint32_t wanted = fingerprint(key);
    for (size_t at = home;; at = (at + 1) & mask) {
      if (fingerprints[at] == wanted) return static_cast<int64_t>(at);
      if (fingerprints[at] == 0) return -1;
    }
  }

  void check() const {
    const size_t rows = size_t{1} << bits;
    if (bits < 1 || bits > 30 || width < 1 || values.size() != rows * static_cast<size_t>(width) ||
        (kind == TableKind::dictionary && fingerprints.size() != rows))
      throw std::invalid_argument("weight table has the wrong size");
    if (kind == TableKind::hash) return;
    for (uint32_t mark : fingerprints)
      if (mark == 0) return;
    throw std::invalid_argument("weight table has no empty row");  // a search would never end
  }
};

// Sum of one-column weights over keys.
template <typename Stored>
int64_t sum_weights(const WeightTable<Stored>& table, std::span<const uint64_t> keys) {
  int64_t sum = 0;
  if (table.kind == TableKind::hash) {
    const int shift = 64 - table.bits;
    const Stored* values = table.values.data();
    for (uint64_t key : keys) sum += values[key >> shift];
  } else {
    for (uint64_t key : keys)
      if (const int64_t row = table.row(key); row >= 0) sum += table.values[static_cast<size_t>(row)];
  }
  return sum;
}

// The same over the keys plus a number, for hash tables.
template <typename Stored>
int64_t sum_weights(const WeightTable<Stored>& table, std::span<const uint64_t> keys, uint64_t shift) {
  const int bits = 64 - table.bits;
  const Stored* values = table.values.data();
  int64_t sum = 0;
  for (const uint64_t key : keys) sum += values[(key + shift) >> bits];
  return sum;
}

// Asks for the memory that a sum of these keys will read; of a dictionary, where its search begins. Always inline: a compiler may leave
// out calls of a function that only prefetches.
template <typename Stored>
ACCORD_INLINE void prefetch(const WeightTable<Stored>& table, std::span<const uint64_t> keys) {
  const int shift = 64 - table.bits;
  for (const uint64_t key : keys)
    if (table.kind == TableKind::hash) ACCORD_PREFETCH(table.values.data() + (key >> shift));
    else ACCORD_PREFETCH(table.fingerprints.data() + (key >> shift));
}

// Sum of rows over keys, added to `sums` (table.width entries).
void sum_rows(const WeightTable<int8_t>& table, std::span<const uint64_t> keys, std::span<int32_t> sums);
void sum_rows(const WeightTable<int16_t>& table, std::span<const uint64_t> keys, std::span<int32_t> sums);

}  // namespace accord::text
