// SPDX-License-Identifier: Apache-2.0
// Scores of the labelled spans of a sentence.
//
// A span (i, j), 0 <= i < j <= n, holds the words i+1..j. Spans stand by i, then by j, and the labels of a span side by side. A label of
// score -infinity is forbidden. Scores must not be NaN or +infinity: callers check once at the boundary (find_invalid).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace accord::constituents {

inline constexpr double forbidden = -std::numeric_limits<double>::infinity();

inline std::size_t span_count(int words) { return static_cast<std::size_t>(words) * (static_cast<std::size_t>(words) + 1) / 2; }

inline std::size_t span_index(int words, int i, int j) {
  const auto first = static_cast<std::size_t>(i), n = static_cast<std::size_t>(words);
  return first * (2 * n - first + 1) / 2 + static_cast<std::size_t>(j - i - 1);
}

struct SpanScores {
  const double* data;
  int words, labels;

  const double* at(int i, int j) const { return data + span_index(words, i, j) * static_cast<std::size_t>(labels); }
};

struct LabelledSpan {
  int32_t begin, end, label;

  bool operator==(const LabelledSpan&) const = default;
};

// In preorder: a phrase before those inside it.
struct ScoredSpans {
  double score;
  std::vector<LabelledSpan> spans;
};

// Index into data of the first score that is NaN or +infinity, or -1.
inline std::ptrdiff_t find_invalid(const SpanScores& scores) {
  const std::size_t size = span_count(scores.words) * static_cast<std::size_t>(scores.labels);
  for (std::size_t k = 0; k < size; ++k)
    if (std::isnan(scores.data[k]) || scores.data[k] == std::numeric_limits<double>::infinity()) return static_cast<std::ptrdiff_t>(k);
  return -1;
}

}  // namespace accord::constituents
