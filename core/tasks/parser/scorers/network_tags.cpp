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

size_t NetworkTags::score(size_t task, neural::Aligned<float>& out) {
  batch_->network().classes(batch_->words(), task, batch_->work(), out);
  return static_cast<size_t>(batch_->network().shape().tasks[task].second);
}

void NetworkTags::score_readings() {
  reading_scores_.resize(readings().tasks());
  for (size_t task = 0; task < reading_scores_.size(); ++task) score(task, reading_scores_[task]);
}

neural::TagReadings::Scores NetworkTags::row(size_t position) {
  row_.clear();
  for (size_t task = 0; task < reading_scores_.size(); ++task) {
    const size_t count = classes(&batch_->network(), task);
    row_.emplace_back(reading_scores_[task].data() + position * count, count);
  }
  return row_;
}

int32_t NetworkTags::best_class(const text::Document& document, size_t sentence, size_t word, size_t task, const TagColumns& tags,
                                std::span<const float> scores) const {
  const neural::LemmaGuide& lemmas = batch_->network().shape().lemmas;
  if (task + 1 == tags.size() && !lemmas.empty())
    return lemmas.choose(document.field(sentence, word + 1, text::Column::form), tags[0][document.first_word(sentence) + word], scores);
  return static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

void NetworkTags::choose(const text::Document& document, std::span<const size_t> sentences, TagColumns& tags) {
  const size_t together = readings().tasks();
  if (together > 0) {
    score_readings();
    size_t position = 0;
    for (const size_t sentence : sentences) {
      ++position;  // the root
      for (size_t word = 0; word < document.words(sentence); ++word, ++position) {
        const size_t reading = readings().choose(row(position), sums_);
        for (size_t task = 0; task < together; ++task) tags[task][document.first_word(sentence) + word] = readings().at(reading, task);
      }
    }
  }
  for (size_t task = together; task < tags.size(); ++task) {
    const size_t count = score(task);
    const float* row = scores_.data();
    for (const size_t sentence : sentences) {
      row += count;  // the root
      for (size_t word = 0; word < document.words(sentence); ++word, row += count)
        tags[task][document.first_word(sentence) + word] = best_class(document, sentence, word, task, tags, {row, count});
    }
  }
}

void NetworkTags::temper(size_t task, size_t count, std::span<float> logs) const {
  if (task >= temperatures_.size() || temperatures_[task] == 1.0) return;
  const auto inverse = static_cast<float>(1.0 / temperatures_[task]);
  for (float& one : logs) one *= inverse;
  for (size_t first = 0; first < logs.size(); first += count) {
    double sum = 0;
    for (size_t k = first; k < first + count; ++k) sum += std::exp(static_cast<double>(logs[k]));
    const auto total = static_cast<float>(std::log(sum));
    for (size_t k = first; k < first + count; ++k) logs[k] -= total;
  }
}

std::span<const float> NetworkTags::logs(size_t task, bool alone) {
  const size_t count = classes(&batch_->network(), task), rows = batch_->rows();
  if (!alone && task < readings().tasks()) {
    score_readings();
    neural::room(scores_, rows * count);
    for (size_t position = 0; position < rows; ++position)
      readings().logs(row(position), task, sums_, std::span(scores_.data() + position * count, count));
    temper(task, count, {scores_.data(), rows * count});
    return {scores_.data(), rows * count};
  }
  score(task);
  for (size_t position = 0; position < rows; ++position) neural::log_softmax(std::span(scores_.data() + position * count, count));
  if (!alone) temper(task, count, {scores_.data(), rows * count});
  return {scores_.data(), rows * count};
}

void NetworkTags::probabilities(const text::Document& document, std::span<const size_t> sentences, size_t task, std::span<double> out) {
  const float* row_of = logs(task).data();
  const size_t count = classes(&batch_->network(), task);
  const bool reading = task < readings().tasks();
  size_t position = 0;
  for (const size_t sentence : sentences) {
    ++position, row_of += count;  // the root
    for (size_t word = 0; word < document.words(sentence); ++word, ++position, row_of += count) {
      const float chosen =
          reading ? row_of[readings().at(readings().choose(row(position), sums_), task)] : *std::max_element(row_of, row_of + count);
      out[document.first_word(sentence) + word] = std::exp(static_cast<double>(chosen));
    }
  }
}

}  // namespace accord::tasks
