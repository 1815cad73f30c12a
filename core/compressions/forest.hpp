// SPDX-License-Identifier: Apache-2.0
// A given tree over the words of a sentence, or several side by side, in the orders that programmes go through it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::compressions {

inline std::size_t index(int number) { return static_cast<std::size_t>(number); }

// The words of a forest under 0, each before its dependents and all of these together; siblings from left to right.
struct Forest {
  // heads: n + 1 entries, those of words in 0..n. Throws std::invalid_argument when they are no forest.
  explicit Forest(std::span<const int32_t> heads);

  std::vector<int32_t> first, next;  // by word: its first dependent and its next sibling, 0 where there is none; first[0] is a root
  std::vector<int32_t> words;        // by place in this order
  std::vector<int> places;           // by word
  std::vector<int> sizes;            // by place: of the subtree
};

// A forest in which no arc crosses another: a word whose arc does hangs on the nearest word above at which it does not. `lifted` has the
// words that were moved.
struct Lifted {
  std::vector<int32_t> heads;
  std::vector<int32_t> lifted;
};
Lifted lift_crossing(std::span<const int32_t> heads);

}  // namespace accord::compressions
