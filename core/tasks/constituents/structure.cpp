// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/structure.hpp"

#include <algorithm>
#include <cmath>

namespace accord::tasks {

using constituents::LabelledSpan;

bool ConstituentStructure::bind(size_t sentence) {
  data_.sequences.tokens(sentence, tokens_);
  words_ = static_cast<int>(tokens_.size());
  gold_ = std::span(data_.gold).subspan(data_.starts[sentence], data_.starts[sentence + 1] - data_.starts[sentence]);
  features_.prepare(tokens_, data_.clusters);
  return words_ > 0;
}

void ConstituentStructure::fill(std::vector<double>& scores, std::vector<size_t>& gold) {
  const auto labels = static_cast<size_t>(labels_);
  scores.resize(constituents::span_count(words_) * labels);
  sums_.resize(labels);
  size_t next = 0;
  for (int i = 0; i < words_; ++i)
    for (int j = i + 1; j <= words_; ++j) {
      std::fill(sums_.begin(), sums_.end(), 0.0f);
      table_.sum_rows(features_.keys(i, j), sums_);
      for (const float sum : sums_) scores[next++] = static_cast<double>(sum);
    }
  gold.clear();
  for (const LabelledSpan& span : gold_) gold.push_back(at(span));
}

double ConstituentStructure::best(const std::vector<double>& scores, std::vector<size_t>& parts) {
  const double value = space_.argmax(view(scores), rules_, answer_);
  for (const LabelledSpan& span : answer_) parts.push_back(at(span));
  return value;
}

double ConstituentStructure::sums(const std::vector<double>& scores, std::vector<double>& probabilities) {
  return space_.marginals(view(scores), rules_, probabilities);
}

void ConstituentStructure::add_features(std::span<const double> amounts, double scale) {
  const auto labels = static_cast<size_t>(labels_);
  const double* row = amounts.data();
  for (int i = 0; i < words_; ++i)
    for (int j = i + 1; j <= words_; ++j, row += labels) {
      if (std::none_of(row, row + labels, [](double value) { return std::abs(value) > negligible; })) continue;
      for (const uint64_t key : features_.keys(i, j))
        for (size_t l = 0; l < labels; ++l)
          if (std::abs(row[l]) > negligible) table_.add_gradient(key, static_cast<int>(l), static_cast<float>(scale * row[l]));
    }
}

}  // namespace accord::tasks
