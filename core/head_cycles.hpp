// SPDX-License-Identifier: Apache-2.0
// Whether heads go round in a circle: the one walk that all rooms share. O(n) time and memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

// heads: of words 1..n, each 0..n, or -1 for unknown. The word where a walk up from some word meets itself; 0 when every walk ends at
// the root or at an unknown head.
inline size_t word_on_cycle(std::span<const int32_t> heads) {
  std::vector<uint32_t> walk_of(heads.size() + 1, 0);  // the walk that visited the word first; 0: none
  for (uint32_t start = 1; start <= heads.size(); ++start) {
    int32_t word = static_cast<int32_t>(start);
    while (word > 0 && walk_of[static_cast<size_t>(word)] == 0) {
      walk_of[static_cast<size_t>(word)] = start;
      word = heads[static_cast<size_t>(word) - 1];
    }
    if (word > 0 && walk_of[static_cast<size_t>(word)] == start) return static_cast<size_t>(word);
  }
  return 0;
}

}  // namespace accord
