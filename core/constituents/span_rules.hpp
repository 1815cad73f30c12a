// SPDX-License-Identifier: Apache-2.0
// Rules about spans: which must be phrases, and which must not be crossed by one. (That a span must not be a phrase, or only one of some
// labels, needs no rule: its scores are -infinity.)
//
// A span that must be a phrase is not crossed, and is not several children of a larger phrase. With required (i, j) no crossing phrase is
// left, so a larger phrase either has (i, j) inside one child, or has a boundary between children strictly inside (i, j). The second is
// what the chart must not do:
//     `earliest[k]`     a list of children that has a boundary at k begins at earliest[k] or later;
//     `prefix[(i, j)]`  several children that cover (i, j) are not the first ones of a larger phrase.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/constituents/span_scores.hpp"

namespace accord::constituents {

class SpanRules {
 public:
  SpanRules() = default;

  // Spans as pairs (i, j).
  SpanRules(int words, std::span<const std::pair<int, int>> required, std::span<const std::pair<int, int>> uncrossed) {
    if (required.empty() && uncrossed.empty()) return;
    const auto n = static_cast<std::size_t>(words);
    bare_.assign(n, 1);
    earliest_.assign(n + 1, 0);
    prefix_.assign(span_count(words), 1);
    crossing_.assign(span_count(words), 0);
    for (const auto& [i, j] : required) {
      if (j - i == 1) bare_[static_cast<std::size_t>(i)] = 0;
      for (int k = i + 1; k < j; ++k) earliest_[static_cast<std::size_t>(k)] = std::max(earliest_[static_cast<std::size_t>(k)], i);
      prefix_[span_index(words, i, j)] = 0;
      forbid_crossing(words, i, j);
    }
    for (const auto& [i, j] : uncrossed) forbid_crossing(words, i, j);
  }

  bool empty() const { return prefix_.empty(); }
  bool may_be_bare(int i) const { return empty() || bare_[static_cast<std::size_t>(i)]; }
  bool may_split(int i, int k) const { return empty() || i >= earliest_[static_cast<std::size_t>(k)]; }
  bool may_be_prefix(std::size_t span) const { return empty() || prefix_[span]; }
  bool crosses(std::size_t span) const { return !empty() && crossing_[span]; }

 private:
  void forbid_crossing(int words, int i, int j) {
    for (int a = 0; a < words; ++a)
      for (int b = a + 1; b <= words; ++b)
        if ((a < i && i < b && b < j) || (i < a && a < j && j < b)) crossing_[span_index(words, a, b)] = 1;
  }

  std::vector<uint8_t> bare_;      // by word: it may stand without a phrase of its own
  std::vector<int> earliest_;      // by boundary
  std::vector<uint8_t> prefix_;    // by span
  std::vector<uint8_t> crossing_;  // by span: it crosses one that must not be crossed
};

}  // namespace accord::constituents
