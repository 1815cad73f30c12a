// SPDX-License-Identifier: Apache-2.0
// Padded batches of arc scores as Python hands them over: checked here, once.
#pragma once
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "core/trees/padded.hpp"

// A view: the arrays must outlive it.
inline accord::trees::PaddedScores padded(const DoubleTables& scores, const Lengths& words) {
  if (scores.shape(1) != scores.shape(2) || scores.shape(1) == 0)
    throw std::invalid_argument("arc scores must be a (batch, n+1, n+1) array");
  if (words.shape(0) != scores.shape(0)) throw std::invalid_argument("there must be one length a sentence");
  for (size_t sentence = 0; sentence < words.shape(0); ++sentence)
    if (words.data()[sentence] < 0 || words.data()[sentence] >= static_cast<int64_t>(scores.shape(1)))
      throw std::invalid_argument("the length of sentence " + std::to_string(sentence) + " must lie in 0.." +
                                  std::to_string(scores.shape(1) - 1));
  const accord::trees::PaddedScores batch{scores.data(), scores.shape(1), view(words)};
  const accord::trees::InvalidArc invalid = accord::trees::find_invalid(batch);
  if (invalid.sentence >= 0)
    throw std::invalid_argument("sentence " + std::to_string(invalid.sentence) + ": the score of arc " + std::to_string(invalid.head) +
                                " -> " + std::to_string(invalid.dependent) + " is NaN or +infinity");
  return batch;
}

inline const DoubleTables& alike(const DoubleTables& tables, const accord::trees::PaddedScores& batch) {
  if (tables.shape(0) != batch.sentences() || tables.shape(1) != batch.width || tables.shape(2) != batch.width)
    throw std::invalid_argument("the direction must have the shape of the scores");
  return tables;
}

inline DoublesOut numpy_tables(std::vector<double>&& values, const accord::trees::PaddedScores& batch) {
  return to_numpy(std::move(values), {batch.sentences(), batch.width, batch.width});
}
