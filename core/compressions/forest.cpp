// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/forest.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace accord::compressions {

Forest::Forest(std::span<const int32_t> heads) : first(heads.size(), 0), next(heads.size(), 0), places(heads.size(), 0) {
  const size_t size = heads.size();
  for (size_t word = size; word-- > 1;) {
    if (heads[word] < 0 || index(heads[word]) >= size) throw std::invalid_argument("the head of a word is not a word of the sentence");
    next[word] = std::exchange(first[index(heads[word])], static_cast<int32_t>(word));
  }
  std::vector<int32_t> waiting;
  if (first[0]) waiting.push_back(first[0]);
  while (!waiting.empty()) {
    const int32_t word = waiting.back();
    waiting.pop_back();
    places[index(word)] = static_cast<int>(words.size());
    words.push_back(word);
    if (next[index(word)]) waiting.push_back(next[index(word)]);
    if (first[index(word)]) waiting.push_back(first[index(word)]);
  }
  if (words.size() + 1 < size) throw std::invalid_argument("the heads form a circle");
  sizes.assign(words.size(), 1);
  for (size_t at = words.size(); at-- > 0;)
    if (const int32_t head = heads[index(words[at])]; head > 0) sizes[index(places[index(head)])] += sizes[at];
}

namespace {

// The smallest and the largest word of the subtree of each word.
std::vector<std::pair<int32_t, int32_t>> extents(const Forest& forest, std::span<const int32_t> heads) {
  std::vector<std::pair<int32_t, int32_t>> found(heads.size());
  for (size_t word = 0; word < heads.size(); ++word) found[word] = {static_cast<int32_t>(word), static_cast<int32_t>(word)};
  for (size_t at = forest.words.size(); at-- > 0;) {
    const size_t word = index(forest.words[at]), head = index(heads[word]);
    found[head] = {std::min(found[head].first, found[word].first), std::max(found[head].second, found[word].second)};
  }
  return found;
}

}  // namespace

// A subtree without gaps has as many words as its extent. The smallest one with a gap has a word below whose arc crosses another one: the
// dependents of its top have no gaps themselves, so it is enough to lift those of them that lie beyond the gap.
Lifted lift_crossing(std::span<const int32_t> heads) {
  Lifted made{{heads.begin(), heads.end()}, {}};
  std::vector<uint8_t> moved(heads.size(), 0);
  for (bool gaps = true; gaps;) {
    gaps = false;
    const Forest forest(made.heads);
    const auto extent = extents(forest, made.heads);
    for (size_t at = forest.words.size(); at-- > 0 && !gaps;) {
      const int32_t top = forest.words[at];
      if (extent[index(top)].second - extent[index(top)].first + 1 == forest.sizes[at]) continue;
      gaps = true;
      // What is next to the top stays: dependents are taken outwards until a word between is not below the top.
      std::vector<int32_t> below;
      for (int32_t word = forest.first[index(top)]; word; word = forest.next[index(word)]) below.push_back(word);
      int32_t low = top, high = top;
      const auto lift = [&](int32_t word) { made.heads[index(word)] = made.heads[index(top)], moved[index(word)] = 1; };
      for (const int32_t word : below)
        if (word > top) {
          if (extent[index(word)].first == high + 1) high = extent[index(word)].second;
          else lift(word);
        }
      for (size_t k = below.size(); k-- > 0;)
        if (below[k] < top) {
          if (extent[index(below[k])].second == low - 1) low = extent[index(below[k])].first;
          else lift(below[k]);
        }
    }
  }
  for (size_t word = 1; word < moved.size(); ++word)
    if (moved[word]) made.lifted.push_back(static_cast<int32_t>(word));
  return made;
}

}  // namespace accord::compressions
