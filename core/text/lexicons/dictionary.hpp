// SPDX-License-Identifier: Apache-2.0
// Making the arrays of a dictionary WeightTable with one value a row: key -> value, 32-bit fingerprints, at most four fifths full.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/text/features/tables.hpp"

namespace accord::text {

template <typename Stored>
struct Dictionary {
  int bits = 4;
  std::vector<Stored> values;
  std::vector<uint32_t> fingerprints;

  WeightTable<Stored> view() const { return {TableKind::dictionary, bits, 1, 1.0f, values, fingerprints}; }
};

// Keys are distinct; of two that cannot be told apart (once in some billion pairs) the first stays.
template <typename Stored>
Dictionary<Stored> make_dictionary(std::span<const std::pair<uint64_t, Stored>> entries) {
  Dictionary<Stored> made;
  while ((size_t{1} << made.bits) * 4 < entries.size() * 5 + 5) ++made.bits;
  const size_t rows = size_t{1} << made.bits;
  made.values.assign(rows, 0);
  made.fingerprints.assign(rows, 0);
  for (const auto& [key, value] : entries) {
    if (made.view().row(key) >= 0) continue;
    size_t at = home_row(key, made.bits);
    while (made.fingerprints[at] != 0) at = (at + 1) & (rows - 1);
    made.fingerprints[at] = fingerprint(key);
    made.values[at] = value;
  }
  return made;
}

}  // namespace accord::text
