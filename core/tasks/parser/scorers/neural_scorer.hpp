// SPDX-License-Identifier: Apache-2.0
// Scores of a sentence's parts by a network (core/neural/network.hpp). Scores of labels are logarithms of their probabilities given
// the arc; the pruner's scores are those of the arcs.
#pragma once
#include <memory>
#include <vector>

#include "core/tasks/parser/scorer.hpp"
#include "core/tasks/scores/encoded_batch.hpp"

namespace accord::tasks {

class NeuralScorer final : public TreeScorer {
 public:
  // Loads into this batch, which others may read.
  explicit NeuralScorer(std::shared_ptr<EncodedBatch> batch) : batch_(std::move(batch)) {}

  void load(const text::Document& document, std::span<const size_t> sentences) override { batch_->load(document, sentences); }
  void select(size_t place) override;
  void score_arcs(std::span<double> scores) override;
  void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) override;
  void score_parts(const parses::PartLayout& layout, std::span<double> scores) override;
  void score_labels(int head, int dependent, std::span<float> scores) override;
  // Scores of the selected sentence's arcs, (n+1)^2 by [head][dependent]; column 0 and the diagonal mean nothing.
  std::span<const float> arcs() const { return {arcs_.data(), size() * size()}; }

 private:
  size_t size() const { return batch_->size(place_); }

  std::shared_ptr<EncodedBatch> batch_;
  size_t place_ = 0;
  bool sides_ready_ = false;  // of the sentence
  neural::Aligned<float> arcs_, sides_;
  std::vector<double> pruner_scores_;
};

}  // namespace accord::tasks
