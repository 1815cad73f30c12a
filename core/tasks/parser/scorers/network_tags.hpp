// SPDX-License-Identifier: Apache-2.0
// Tags that a network predicts along with trees, or alone: for each of its tasks one class a word, and the classes' probabilities.
// They are read from the batch that a scorer has loaded. One object per thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tasks/scores/encoded_batch.hpp"

namespace accord::tasks {

using TagColumns = std::vector<std::vector<int32_t>>;  // by task, by word of a document: its class

class NetworkTags {
 public:
  // Temperatures, by task, make probabilities honest: the logarithms are divided by them. Tasks without one have 1.
  NetworkTags(std::shared_ptr<EncodedBatch> batch, std::vector<double> temperatures)
      : batch_(std::move(batch)),
        temperatures_(std::move(temperatures)) {}

  // Columns of a document without any class yet (-1). Throws std::invalid_argument when the network, or the lack of one, predicts
  // no tags.
  static TagColumns empty(const neural::Network* network, const text::Document& document);
  // How many classes a task has. Throws std::invalid_argument when there is no such task.
  static size_t classes(const neural::Network* network, size_t task);

  // The likeliest class of each word of the loaded sentences, for all tasks; those of one reading together (core/neural/readings.hpp).
  void choose(const text::Document& document, std::span<const size_t> sentences, TagColumns& tags);
  // Logarithms of the probabilities of a task's classes in the batch, [position][class], roots included. `alone`: of the task by
  // itself, whatever readings and temperatures there are.
  std::span<const float> logs(size_t task, bool alone = false);
  // The probability of each word's chosen class in a task, by word of the document.
  void probabilities(const text::Document& document, std::span<const size_t> sentences, size_t task, std::span<double> out);

 private:
  size_t score(size_t task) { return score(task, scores_); }
  size_t score(size_t task, neural::Aligned<float>& out);  // returns the number of classes
  // The scores of all tasks of readings, and those of one row of them.
  void score_readings();
  neural::TagReadings::Scores row(size_t position);
  // The best class of a word in a task of its own, by the scores of all; tags: those of the tasks before.
  int32_t best_class(const text::Document& document, size_t sentence, size_t word, size_t task, const TagColumns& tags,
                     std::span<const float> scores) const;
  const neural::TagReadings& readings() const { return batch_->network().shape().readings; }

  // Divides the logarithms of rows of probabilities, and makes each row sum to one again.
  void temper(size_t task, size_t count, std::span<float> logs) const;

  std::shared_ptr<EncodedBatch> batch_;
  std::vector<double> temperatures_;
  neural::Aligned<float> scores_;
  std::vector<neural::Aligned<float>> reading_scores_;  // by task
  std::vector<std::span<const float>> row_;
  std::vector<double> sums_;
};

}  // namespace accord::tasks
