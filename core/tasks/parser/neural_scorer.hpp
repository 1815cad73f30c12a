// SPDX-License-Identifier: Apache-2.0
// Scores of a sentence's parts by a network (core/neural/network.hpp). Scores of labels are logarithms of their probabilities given
// the arc; the pruner's scores are those of the arcs.
#pragma once
#include <memory>
#include <vector>

#include "core/neural/network.hpp"
#include "core/tasks/parser/scorer.hpp"

namespace accord::tasks {

class NeuralScorer final : public SentenceScorer {
 public:
  explicit NeuralScorer(std::shared_ptr<const neural::Network> network) : network_(std::move(network)) {}

  void load(const text::Document& document, std::span<const size_t> sentences) override;
  void select(size_t place) override;
  void score_arcs(std::span<double> scores) override;
  void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) override;
  void score_parts(const parses::PartLayout& layout, std::span<double> scores) override;
  void score_labels(int head, int dependent, std::span<float> scores) override;

  // The class of each row of the batch in a task, roots included.
  void choose_tags(size_t task, std::vector<int32_t>& classes);
  // Logarithms of the probabilities of a task's classes, rows x classes.
  std::span<const float> tag_logs(size_t task);

 private:
  size_t rows() const { return encoded_.starts.back() + static_cast<size_t>(encoded_.lengths.back()); }
  size_t size() const { return static_cast<size_t>(encoded_.lengths[place_]); }

  std::shared_ptr<const neural::Network> network_;
  neural::NetworkWork work_;
  neural::Encoded encoded_;
  size_t place_ = 0;
  bool vectors_ready_ = false, sides_ready_ = false;  // of the batch; of the sentence
  neural::Aligned<float> arcs_, sides_, classes_;
  std::vector<double> pruner_scores_;
};

// How many positions of sentences a batch holds, and how many sentences.
inline constexpr size_t batch_positions = 800, batch_sentences = 16;

// The sentences with words, those of similar length together, in batches.
std::vector<std::vector<size_t>> length_batches(const text::Document& document);

}  // namespace accord::tasks
