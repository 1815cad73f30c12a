// SPDX-License-Identifier: Apache-2.0
// Joint compression (span_chart.hpp) for every length at once: each item has one value for each total of the costs that were deleted
// inside it.
//
// Set, score, items: those of span_chart.hpp; items are joined by max-plus convolutions of their arrays.
// Complexity: with costs of 1, O(n^5) time and O(n^3) space; the arrays of a span are as long as what can be deleted in it, so that the
//             constant is near 1/120 for each of three rules. With other costs, n^3/6 joins of arrays as long as the costs inside.
//             A limit on what may be deleted in all cuts the arrays.
// Paper:      Qian & Liu (2014), whose programme also remembers the last kept word and takes O(n^6).
#pragma once
#include <span>
#include <vector>

#include "core/compressions/span_scores.hpp"

namespace accord::compressions {

class LengthChart {
 public:
  // costs: n + 1 entries; at most `deletable` of their total may be deleted. Fills best_by_deleted(). Throws
  // std::invalid_argument where the arrays would be too large.
  void fill(const SpanScores& scores, std::span<const int> costs, int deletable);
  // The best score for each total of deleted costs, 0..deletable.
  std::span<const double> best_by_deleted() const { return goal_; }
  // Kept words and heads of the compression behind one of them.
  void trace(const SpanScores& scores, int deleted, Compression& out) const;

 private:
  enum class Kind { split, right, left };
  struct Item {
    Kind kind;
    int i, j, deleted;
  };
  // Two items that stand side by side from i to j, and the score of joining them.
  struct Parts {
    Kind left;
    int i, end;
    double add;
    Kind right;
    int begin, j;
  };
  struct Choice {
    double value = forbidden;
    int middle = 0, deleted = 0;  // where the span is cut, and what is deleted in the left part
  };

  int cost(int from, int to) const { return sums_[static_cast<size_t>(to)] - sums_[static_cast<size_t>(from) - 1]; }  // of from..to
  int count(Kind kind, int i, int j) const;
  double* values(Kind kind, int i, int j) { return values_.data() + place(kind, i, j); }
  const double* values(Kind kind, int i, int j) const { return values_.data() + place(kind, i, j); }
  size_t place(Kind kind, int i, int j) const;
  void lay_out(std::span<const int> costs, int words, int deletable);
  void fill_row(const SpanScores& scores, int i);
  void join(Kind target, const Parts& parts);
  void fill_goal(const SpanScores& scores);
  double lead(const SpanScores& scores, int s, int r, int deleted) const;
  void consider(Choice& best, const Parts& parts, int deleted, int middle) const;
  void follow(const SpanScores& scores, Item item, std::vector<Item>& agenda, Compression& out) const;

  int words_ = 0, deletable_ = 0;
  std::vector<int> sums_;      // of costs, up to each word
  std::vector<size_t> first_;  // by cell (i, j): where its arrays begin
  std::vector<double> values_, goal_, leads_;
};

}  // namespace accord::compressions
