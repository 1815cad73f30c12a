// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/structure.hpp"

#include <algorithm>
#include <cmath>

namespace accord::tasks {

using constituents::LabelledSpan;

void ConstituentStructure::bind(std::span<const text::Token> tokens, std::span<const LabelledSpan> gold,
                                const text::ClusterLexicon& clusters) {
  words_ = static_cast<int>(tokens.size());
  gold_ = gold;
  features_.prepare(tokens, clusters);
}

void ConstituentStructure::score() {
  const auto labels = static_cast<size_t>(labels_);
  scores_.resize(constituents::span_count(words_) * labels);
  sums_.resize(labels);
  size_t at = 0;
  for (int i = 0; i < words_; ++i)
    for (int j = i + 1; j <= words_; ++j) {
      std::fill(sums_.begin(), sums_.end(), 0.0f);
      table_.sum_rows(features_.keys(i, j), sums_);
      for (const float sum : sums_) scores_[at++] = static_cast<double>(sum);
    }
  gold_score_ = constituents::spans_score(view(scores_), gold_);
}

// Wrong spans cost 1 and gold ones earn 1; the number of gold spans is added by those who tell a value.
const std::vector<double>& ConstituentStructure::augmented(double cost) {
  if (cost == 0) return scores_;
  costly_ = scores_;
  for (double& score : costly_) score += cost;
  for (const LabelledSpan& span : gold_) costly_[at(span)] -= 2 * cost;
  return costly_;
}

void ConstituentStructure::start_difference() {
  difference_.assign(scores_.size(), 0.0);
  for (const LabelledSpan& span : gold_) difference_[at(span)] += 1.0;
}

double ConstituentStructure::maximize(double cost) {
  const auto gold_count = static_cast<double>(gold_.size());
  value_ = space_.argmax(view(augmented(cost)), rules_, answer_) + cost * gold_count;
  start_difference();
  double shared = 0;
  for (const LabelledSpan& span : answer_) {
    double& entry = difference_[at(span)];
    shared += entry == 1.0;
    entry -= 1.0;
  }
  loss_ = static_cast<double>(answer_.size()) + gold_count - 2 * shared;
  return value_;
}

double ConstituentStructure::expect(double cost) {
  difference_.resize(scores_.size());
  const auto gold_count = static_cast<double>(gold_.size());
  value_ = space_.marginals(view(augmented(cost)), rules_, difference_) + cost * gold_count;
  loss_ = gold_count;
  for (double& probability : difference_) {
    loss_ += probability;
    probability = -probability;
  }
  for (const LabelledSpan& span : gold_) {
    loss_ += 2 * difference_[at(span)];
    difference_[at(span)] += 1.0;
  }
  return value_;
}

void ConstituentStructure::add_gradient(double scale) {
  constexpr double negligible = 1e-4;
  const auto labels = static_cast<size_t>(labels_);
  const double* row = difference_.data();
  for (int i = 0; i < words_; ++i)
    for (int j = i + 1; j <= words_; ++j, row += labels) {
      if (std::none_of(row, row + labels, [](double value) { return std::abs(value) > negligible; })) continue;
      for (const uint64_t key : features_.keys(i, j))
        for (size_t l = 0; l < labels; ++l)
          if (std::abs(row[l]) > negligible) table_.add_gradient(key, static_cast<int>(l), static_cast<float>(scale * row[l]));
    }
}

}  // namespace accord::tasks
