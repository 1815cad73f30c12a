// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/spines/derivation.hpp"

#include <algorithm>

namespace accord::constituents {

namespace {

// The modifiers of each word on one side, from the nearest to the farthest.
std::vector<std::vector<int>> modifiers_of(const SpineDerivation& derivation, bool left) {
  const int words = derivation.words();
  std::vector<std::vector<int>> found(static_cast<size_t>(words) + 1);
  for (int k = 1; k <= words; ++k) {
    const int word = left ? words + 1 - k : k;
    const int head = derivation.head[static_cast<size_t>(word)];
    if (head > 0 && (word < head) == left) found[static_cast<size_t>(head)].push_back(word);
  }
  return found;
}

// The outermost words below each word, on one side.
std::vector<int> extents(const SpineDerivation& derivation, bool left) {
  const int words = derivation.words();
  std::vector<int> found(static_cast<size_t>(words) + 1);
  for (int word = 0; word <= words; ++word) found[static_cast<size_t>(word)] = word;
  for (int word = 1; word <= words; ++word) {
    int above = derivation.head[static_cast<size_t>(word)];
    for (int steps = 0; above > 0 && steps < words; ++steps) {  // a tree has no longer path
      int& reached = found[static_cast<size_t>(above)];
      if (left ? word < reached : word > reached) reached = word;
      above = derivation.head[static_cast<size_t>(above)];
    }
  }
  return found;
}

}  // namespace

std::vector<uint8_t> after_regular(const SpineDerivation& derivation) {
  std::vector<uint8_t> found(derivation.head.size(), 0);
  for (const bool left : {true, false})
    for (const std::vector<int>& side : modifiers_of(derivation, left)) {
      int32_t node = -1;
      bool doubled = false;
      for (const int word : side) {
        const auto w = static_cast<size_t>(word);
        if (derivation.node[w] != node) doubled = false;
        node = derivation.node[w];
        found[w] = doubled;
        doubled = doubled || derivation.regular[w];
      }
    }
  return found;
}

SpineRelation relation_of(const SpineGrammar& grammar, const SpineDerivation& derivation, std::span<const int32_t> tags, int word,
                          bool after_regular) {
  const auto w = static_cast<size_t>(word);
  const int top = grammar.top(derivation.spine[w], tags[w]);
  if (derivation.head[w] == 0) return {grammar.root(), grammar.root(), top, false};
  const auto head = static_cast<size_t>(derivation.head[w]), node = static_cast<size_t>(derivation.node[w]);
  const int32_t label = grammar.spine(derivation.spine[head])[node];
  const bool doubled = derivation.regular[w] || after_regular;
  return {label, doubled ? label : grammar.below(derivation.spine[head], tags[head], node), top, derivation.regular[w] != 0};
}

std::vector<LabelledSpan> phrases(const SpineGrammar& grammar, const SpineDerivation& derivation) {
  const int words = derivation.words();
  const std::vector<std::vector<int>> sides[2] = {modifiers_of(derivation, true), modifiers_of(derivation, false)};
  const std::vector<int> reached[2] = {extents(derivation, true), extents(derivation, false)};
  std::vector<LabelledSpan> spans;
  for (int word = 1; word <= words; ++word) {
    const size_t first = spans.size(), w = static_cast<size_t>(word);
    int ends[2] = {word, word};
    size_t next[2] = {0, 0};
    const std::span<const int32_t> spine = grammar.spine(derivation.spine[w]);
    for (size_t node = 0; node < spine.size(); ++node) {
      const auto here = [&](int side) {
        const std::vector<int>& list = sides[side][w];
        return next[side] < list.size() && derivation.node[static_cast<size_t>(list[next[side]])] == static_cast<int32_t>(node);
      };
      const auto doubles = [&](int side) { return derivation.regular[static_cast<size_t>(sides[side][w][next[side]])] != 0; };
      for (bool lowest = true; lowest || here(0) || here(1); lowest = false) {
        for (const int side : {0, 1}) {
          if (!here(side) || (lowest && doubles(side))) continue;  // the first regular adjunction of a side opens the next level
          do {
            ends[side] = reached[side][static_cast<size_t>(sides[side][w][next[side]++])];
          } while (here(side) && !doubles(side));
        }
        spans.push_back({ends[0] - 1, ends[1], spine[node]});
      }
    }
    std::reverse(spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end());
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const LabelledSpan& a, const LabelledSpan& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  return spans;
}

}  // namespace accord::constituents
