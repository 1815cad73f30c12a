// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/span_chart.hpp"

#include <algorithm>

#include "core/vectorise.hpp"

namespace accord::compressions {

namespace {

// target[j] := max(target[j], factor + source[j]) for j in [from, end].
ACCORD_INLINE void extend(double* __restrict target, double factor, const double* __restrict source, int from, int end) {
  for (int j = from; j <= end; ++j) {
    const double value = factor + source[j];
    target[j] = value > target[j] ? value : target[j];
  }
}

// The rows of one word, and how to find those of the words after it, which are complete.
struct Rows {
  double *split, *right, *left, *open_left;
  std::ptrdiff_t width;

  const double* below(const double* row, int words) const { return row + words * width; }
};

ACCORD_VECTORISE void fill_rows(const Rows& rows, const double* down, const double* up, int i, int words) {
  if (i < words) extend(rows.split, rows.right[i], rows.below(rows.left, 1), i + 1, words);
  for (int j = i + 1; j <= words; ++j) {
    rows.open_left[j] = rows.split[j] + up[j];
    rows.left[j] = std::max(rows.left[j], rows.open_left[j]);
    const double open_right = rows.split[j] + down[j];
    if (open_right != forbidden) extend(rows.right, open_right, rows.below(rows.right, j - i), j, words);
    if (j == words) break;
    if (rows.right[j] != forbidden) extend(rows.split, rows.right[j], rows.below(rows.left, j + 1 - i), j + 1, words);
    if (rows.left[j] != forbidden) extend(rows.left, rows.left[j], rows.below(rows.open_left, j - i), j + 1, words);
  }
}

}  // namespace

double SpanChart::fill(const SpanScores& scores) {
  words_ = scores.words();
  values_.resize(goal_id(words_) + 1);
  values_[hypergraph::nothing] = 0;
  for (int i = words_; i >= 1; --i) fill_row(scores, i);
  return values_[goal_id(words_)] = goal(scores);
}

void SpanChart::fill_row(const SpanScores& scores, int i) {
  const Rows rows{row(Kind::split, i), row(Kind::right, i), row(Kind::left, i), row(Kind::open_left, i), words_ + 1};
  for (double* const each : {rows.split, rows.right, rows.left, rows.open_left}) std::fill(each, each + rows.width, forbidden);
  for (int r = i; r <= scores.reach(i); ++r) rows.right[r] = scores.next(i, r);
  rows.left[i] = 0;
  fill_rows(rows, scores.arcs_from(i), scores.arcs_to(i), i, words_);
}

double SpanChart::goal(const SpanScores& scores) {
  double best = scores.may_be_empty() ? scores.empty() : forbidden;
  for (int s = 1; s <= words_ && s - 1 <= scores.reach(0); ++s)
    for (int r = s; r <= words_; ++r)
      best = std::max(best, scores.next(0, s - 1) + row(Kind::left, s)[r] + (scores.arc(0, r) + row(Kind::right, r)[words_]));
  return best;
}

}  // namespace accord::compressions
