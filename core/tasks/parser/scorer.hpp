// SPDX-License-Identifier: Apache-2.0
// The seam between text and inference: whatever fills these arrays, decoders, rules and probabilities do not know the difference.
//
//   LinearScorer   sums of feature weights (scorers/linear_scorer.hpp)
//   NeuralScorer   a network over the whole sentence (scorers/neural_scorer.hpp)
//   BothScorer     a sum of the two (scorers/both_scorer.hpp)
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tasks/scores/deadline.hpp"
#include "core/tasks/scores/sentence_scorer.hpp"

namespace accord::parses {
class PartLayout;
}

namespace accord::tasks {

class Pruner;
struct CandidateLabels;

class TreeScorer : public SentenceScorer {
 public:
  // All of the selected sentence. (n+1)^2 scores by [head][dependent]; the diagonal and column 0 are -infinity.
  virtual void score_arcs(std::span<double> scores) = 0;
  // Scores of the pruner, as Pruner::score says.
  virtual void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) = 0;
  // Parts that are found in the words themselves, to a layout of candidate arcs; most scorers have none.
  virtual void add_patterns(parses::PartLayout&) {}
  // Arcs (without labels) and all larger parts, by slot; slots that belong to no tree are zero.
  virtual void score_parts(const parses::PartLayout& layout, std::span<double> scores) = 0;
  // One score per label.
  virtual void score_labels(int head, int dependent, std::span<float> scores) = 0;
  // Labels of all words together, given the tree: candidates and their scores, as TreeLabeller::score says. Only for models that
  // label whole trees; others throw std::logic_error.
  virtual CandidateLabels& score_tree_labels(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only);
};

}  // namespace accord::tasks
