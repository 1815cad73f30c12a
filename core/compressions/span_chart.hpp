// SPDX-License-Identifier: Apache-2.0
// Joint compression: the kept words and a projective tree over them, whatever the length.
//
// Set:    non-empty subsets of 1..n, each with a projective tree over its words in which one word depends on the root.
// Score:  the sum over kept words of arc and word scores, and over neighbours among the kept words of bigram scores.
// Idea:   deleted words hang in chains on the right of the kept word before them (Qian & Liu 2014, virtual arcs). In a span whose head is
//         its right end both ends are then kept, and a span whose head is its left end is always followed by a kept word, the next one.
//         So its last bigram can be added as soon as it is complete, and no item needs to remember a last kept word.
// Items, for i <= j, over the original words:
//     right(i, j)   i with its dependents up to j, and what follows:  next(i, j)                                    i+1..j deleted
//                                                                  or split(i, m) arc(i, m) right(m, j), m in (i, j]
//     left(i, j)    j with its dependents down to i:  nothing for i = j, or left(i, m) split(m, j) arc(j, m), m in [i, j)
//     split(i, j)   what an arc between i and j encloses:  right(i, r) left(r+1, j), r in [i, j)
//     goal          next(0, s-1) left(s, r) arc(0, r) right(r, n), s <= r: words before s deleted, r the root's dependent
// Every compression has exactly one derivation. O(n^3) time and O(n^2) space.
//
// The chart has loops of its own for maxima, as the chart of projective trees has and for the same reason
// (core/trees/projective/projective_chart.hpp): rows are filled from the last word to the first, along contiguous memory. Sums and
// ranked compressions ask the general engine over the same items (span_items.hpp).
#pragma once
#include <cstddef>
#include <vector>

#include "core/compressions/span_scores.hpp"

namespace accord::compressions {

class SpanChart {
 public:
  enum class Kind { split, right, left, open_left };
  static constexpr std::size_t kinds = 4;

  // The score of the goal.
  double fill(const SpanScores& scores);
  const std::vector<double>& values() const { return values_; }  // by id (span_items.hpp)

  // 0 is nothing, then kind by kind the cells (i, j), then the goal.
  static std::size_t id(Kind kind, int words, int i, int j) {
    const std::size_t width = static_cast<std::size_t>(words) + 1;
    return 1 + static_cast<std::size_t>(kind) * width * width + static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j);
  }
  static std::size_t goal_id(int words) { return id(static_cast<Kind>(kinds), words, 0, 0); }

 private:
  double* row(Kind kind, int i) { return values_.data() + id(kind, words_, i, 0); }
  void fill_row(const SpanScores& scores, int i);
  double goal(const SpanScores& scores);

  int words_ = 0;
  std::vector<double> values_;
};

}  // namespace accord::compressions
