// SPDX-License-Identifier: Apache-2.0
// Scores of a linear scorer and of a network, added slot by slot: score = linear share * linear score + network's share * its score.
//
// Arcs, labels and, where both have them, larger parts are sums. Larger parts that the network does not score are the linear ones, so
// that parts of orders 2 and 3 stand on the sum of arcs. A scorer whose share is 0 is not asked at all; with shares 1 and 0 the scores
// are those of the one scorer, to the last bit.
#pragma once
#include <memory>
#include <vector>

#include "core/tasks/parser/scorer.hpp"
#include "core/tasks/parser/scorers/linear_scorer.hpp"
#include "core/tasks/parser/scorers/neural_scorer.hpp"
#include "core/tasks/parser/settings.hpp"

namespace accord::tasks {

class BothScorer final : public TreeScorer {
 public:
  BothScorer(std::unique_ptr<LinearScorer> linear, std::unique_ptr<NeuralScorer> network, const ScorerShares& shares)
      : linear_(std::move(linear)),
        network_(std::move(network)),
        shares_(shares) {}

  void load(const text::Document& document, std::span<const size_t> sentences) override;
  void select(size_t place) override;
  void score_arcs(std::span<double> scores) override;
  void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) override;
  void add_patterns(parses::PartLayout& layout) override { linear_->add_patterns(layout); }
  void score_parts(const parses::PartLayout& layout, std::span<double> scores) override;
  void score_labels(int head, int dependent, std::span<float> scores) override;
  CandidateLabels& score_tree_labels(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only) override;

 private:
  std::unique_ptr<LinearScorer> linear_;
  std::unique_ptr<NeuralScorer> network_;
  ScorerShares shares_;
  std::vector<double> network_scores_;  // by slot
  std::vector<float> network_labels_;
};

}  // namespace accord::tasks
