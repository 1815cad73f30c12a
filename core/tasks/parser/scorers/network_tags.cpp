// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/scorers/network_tags.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/neural/kernels/activations.hpp"

namespace accord::tasks {

TagColumns NetworkTags::empty(const neural::Network* network, const text::Document& document) {
  if (network == nullptr || network->shape().tasks.empty()) throw std::invalid_argument("the model predicts no tags");
  return {network->shape().tasks.size(), std::vector<int32_t>(document.total_words(), -1)};
}

size_t NetworkTags::classes(const neural::Network* network, size_t task) {
  if (network == nullptr || network->shape().tasks.empty()) throw std::invalid_argument("the model predicts no tags");
  if (task >= network->shape().tasks.size()) throw std::invalid_argument("the model has no such task");
  return static_cast<size_t>(network->shape().tasks[task].second);
}

size_t NetworkTags::score(size_t task) {
  batch_->network().classes(batch_->words(), task, batch_->work(), scores_);
  return static_cast<size_t>(batch_->network().shape().tasks[task].second);
}

void NetworkTags::choose(const text::Document& document, std::span<const size_t> sentences, TagColumns& tags) {
  for (size_t task = 0; task < tags.size(); ++task) {
    const size_t count = score(task);
    const float* row = scores_.data();
    for (const size_t sentence : sentences) {
      row += count;  // the root
      for (size_t word = 0; word < document.words(sentence); ++word, row += count)
        tags[task][document.first_word(sentence) + word] = static_cast<int32_t>(std::max_element(row, row + count) - row);
    }
  }
}

std::span<const float> NetworkTags::logs(size_t task) {
  const size_t count = score(task), rows = batch_->rows();
  for (size_t row = 0; row < rows; ++row) neural::log_softmax(std::span(scores_.data() + row * count, count));
  return {scores_.data(), rows * count};
}

void NetworkTags::probabilities(const text::Document& document, std::span<const size_t> sentences, size_t task, std::span<double> out) {
  const float* row = logs(task).data();
  const size_t count = classes(&batch_->network(), task);
  for (const size_t sentence : sentences) {
    row += count;  // the root
    for (size_t word = 0; word < document.words(sentence); ++word, row += count)
      out[document.first_word(sentence) + word] = std::exp(static_cast<double>(*std::max_element(row, row + count)));
  }
}

}  // namespace accord::tasks
