// SPDX-License-Identifier: Apache-2.0
// The questions of a tree space asked of a padded batch: sentences of different lengths in one array of scores.
//
// Layout: sentences x width x width, row = head; a sentence of n words uses the first n+1 rows and columns, and whatever else the
// array holds is not read. Results have the same layout with zeros elsewhere. Sentences are independent and each is answered by
// one thread alone, so results do not depend on the number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/trees/batch.hpp"

namespace accord::trees {

struct PaddedScores {
  const double* data;
  std::size_t width;
  std::span<const int64_t> words;  // by sentence, each < width

  std::size_t sentences() const { return words.size(); }
};

// Where the first arc with a score of NaN or +infinity stands; a sentence of -1: nowhere.
struct InvalidArc {
  std::ptrdiff_t sentence = -1;
  int head = 0, dependent = 0;
};
InvalidArc find_invalid(const PaddedScores& batch);

// log Z of each sentence, -infinity where no tree exists.
void log_partition_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values);
// The same, and marginals.
void marginals_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values, std::span<double> out);
// The derivatives of the marginals along a direction, which is laid out like the scores.
void tangents_padded(const PaddedScores& batch, BatchOptions options, std::span<const double> direction, std::span<double> out);
// The score of the best tree of each sentence, -infinity where there is none, and its arcs as ones.
void argmax_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values, std::span<double> out);

}  // namespace accord::trees
