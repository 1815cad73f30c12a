// SPDX-License-Identifier: Apache-2.0
// Tags that a network predicts along with trees.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/tasks/parser/workspace.hpp"

namespace accord::tasks {

std::vector<std::vector<int32_t>> ParserModel::empty_tags(const text::Document& document) const {
  if (!network_ || network_->shape().tasks.empty()) throw std::invalid_argument("the model predicts no tags");
  return {network_->shape().tasks.size(), std::vector<int32_t>(document.total_words(), -1)};
}

void ParserModel::take_tags(Workspace& work, const text::Document& document, std::span<const size_t> sentences,
                            std::vector<std::vector<int32_t>>& tags) const {
  auto& scorer = static_cast<NeuralScorer&>(*work.scorer);
  for (size_t task = 0; task < tags.size(); ++task) {
    scorer.choose_tags(task, work.classes);
    size_t row = 0;
    for (const size_t sentence : sentences) {
      ++row;  // the root
      for (size_t word = 0; word < document.words(sentence); ++word) tags[task][document.first_word(sentence) + word] = work.classes[row++];
    }
  }
}

std::vector<std::vector<int32_t>> ParserModel::tag(const text::Document& document, int threads) const {
  std::vector<std::vector<int32_t>> tags = empty_tags(document);
  for_each_batch(document, threads,
                 [&](Workspace& work, std::span<const size_t> sentences) { take_tags(work, document, sentences, tags); });
  return tags;
}

std::vector<float> ParserModel::tag_logs(const text::Document& document, size_t sentence, size_t task) const {
  if (task >= empty_tags(document).size()) throw std::invalid_argument("the model has no such task");
  if (document.words(sentence) == 0) return {};
  Workspace work(*this);
  const size_t alone[] = {sentence};
  work.scorer->load(document, alone);
  const std::span<const float> logs = static_cast<NeuralScorer&>(*work.scorer).tag_logs(task);
  const auto classes = static_cast<size_t>(network_->shape().tasks[task].second);
  return {logs.begin() + static_cast<std::ptrdiff_t>(classes), logs.end()};  // without the root
}

std::vector<double> ParserModel::tag_probabilities(const text::Document& document, size_t task, int threads) const {
  if (task >= empty_tags(document).size()) throw std::invalid_argument("the model has no such task");
  std::vector<double> out(document.total_words());
  const auto classes = static_cast<size_t>(network_->shape().tasks[task].second);
  for_each_batch(document, threads, [&](Workspace& work, std::span<const size_t> sentences) {
    const float* row = static_cast<NeuralScorer&>(*work.scorer).tag_logs(task).data();
    for (const size_t sentence : sentences) {
      row += classes;  // the root
      for (size_t word = 0; word < document.words(sentence); ++word, row += classes)
        out[document.first_word(sentence) + word] = std::exp(static_cast<double>(*std::max_element(row, row + classes)));
    }
  });
  return out;
}

}  // namespace accord::tasks
