// SPDX-License-Identifier: Apache-2.0
// The seam between text and inference: whatever fills these arrays, decoders, rules and probabilities do not know the difference.
//
//   LinearScorer   sums of feature weights (linear_scorer.hpp)
//   NeuralScorer   a network over the whole sentence (neural_scorer.hpp)
// One object per thread. A batch of sentences is loaded at once, since some scorers do better on many; a sentence's scores do not
// depend on the others of its batch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/parses/parts/part_layout.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/tasks/scores/deadline.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/features/atoms.hpp"

namespace accord::tasks {

class SentenceScorer {
 public:
  virtual ~SentenceScorer() = default;

  // The document must stay until the next load.
  virtual void load(const text::Document& document, std::span<const size_t> sentences) = 0;
  // One of the loaded sentences, by its place among them. It must have words.
  virtual void select(size_t place) = 0;

  // Of the selected sentence. (n+1)^2 scores by [head][dependent]; the diagonal and column 0 are -infinity.
  virtual void score_arcs(std::span<double> scores) = 0;
  // Scores of the pruner, as Pruner::score says.
  virtual void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) = 0;
  // Arcs (without labels) and all larger parts, by slot; slots that belong to no tree are zero.
  virtual void score_parts(const parses::PartLayout& layout, std::span<double> scores) = 0;
  // One score per label.
  virtual void score_labels(int head, int dependent, std::span<float> scores) = 0;

  // What linear models of labels given the tree read; null for other scorers.
  virtual const text::AtomTable* atoms() const { return nullptr; }
};

}  // namespace accord::tasks
