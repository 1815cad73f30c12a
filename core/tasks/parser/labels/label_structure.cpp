// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/labels/label_structure.hpp"

#include <limits>
#include <stdexcept>

namespace accord::tasks {

LabelStructure::LabelStructure(const ParserTemplates& templates, learn::ParameterTable& labels, learn::ParameterTable& pairs)
    : labels_(labels),
      pairs_(pairs),
      labeller_(templates, labels, pairs, labels.width()) {}

void LabelStructure::bind(const Instance& instance, const std::vector<int32_t>& heads) {
  instance_ = &instance;
  heads_ = heads;
  labeller_.prepare(instance.atoms);
}

void LabelStructure::score() {
  labeller_.score(heads_, instance_->labels, false);
  gold_.assign(heads_.size(), 0);
  for (size_t m = 1; m < gold_.size(); ++m) gold_[m] = labeller_.found().candidate(static_cast<int>(m), instance_->labels[m]);
  if (instance_->partial) complete_gold();
  gold_score_ = labeller_.found().tree.score(gold_);
}

// Fills in the gold labels that are not known (-1) by the best choice with the others.
void LabelStructure::complete_gold() {
  const auto own = [&](size_t word) { return labeller_.found().tree.own(static_cast<int>(word)); };
  own_.clear();
  for (size_t m = 1; m < gold_.size(); ++m)
    for (size_t c = 0; c < own(m).size(); ++c) {
      own_.push_back(own(m)[c]);
      if (gold_[m] >= 0 && gold_[m] != static_cast<int32_t>(c)) own(m)[c] = -std::numeric_limits<double>::infinity();
    }
  labeller_.found().tree.maximize(gold_);
  for (size_t m = 1, at = 0; m < gold_.size(); ++m)
    for (double& score : own(m)) score = own_[at++];
}

double LabelStructure::maximize(double cost) {
  for (size_t m = 1; m < gold_.size(); ++m) {
    if (instance_->labels[m] < 0) continue;
    const std::span<double> own = labeller_.found().tree.own(static_cast<int>(m));
    for (size_t c = 0; c < own.size(); ++c)
      if (static_cast<int32_t>(c) != gold_[m]) own[c] += cost;
  }
  answer_.assign(gold_.size(), 0);
  value_ = labeller_.found().tree.maximize(answer_);
  loss_ = 0;
  for (size_t m = 1; m < gold_.size(); ++m) loss_ += instance_->labels[m] >= 0 && answer_[m] != gold_[m];
  return value_;
}

double LabelStructure::expect(double) { throw std::invalid_argument("labels of whole trees are trained by margins"); }

void LabelStructure::add_pairs(std::span<const uint64_t> keys, int gold, int gold_other, int answer, int answer_other, double scale) {
  const uint64_t right = TreeLabelFeatures::pair(gold_other, gold), wrong = TreeLabelFeatures::pair(answer_other, answer);
  if (right == wrong) return;
  for (const uint64_t key : keys) {
    pairs_.add_gradient(key + right, 0, static_cast<float>(scale));
    pairs_.add_gradient(key + wrong, 0, static_cast<float>(-scale));
  }
}

void LabelStructure::add_gradient(double scale) {
  trees::LabelTree& tree = labeller_.found().tree;
  const auto gold = [&](int word) { return labeller_.found().label(word, gold_[static_cast<size_t>(word)]); };
  const auto answer = [&](int word) { return labeller_.found().label(word, answer_[static_cast<size_t>(word)]); };
  for (int m = 1; m <= tree.words(); ++m) {
    if (gold(m) != answer(m))
      for (const uint64_t key : labeller_.features().own(tree, m)) {
        labels_.add_gradient(key, gold(m), static_cast<float>(scale));
        labels_.add_gradient(key, answer(m), static_cast<float>(-scale));
      }
    if (const int head = tree.head(m); head != 0)
      add_pairs(labeller_.features().parent(tree, m), gold(m), gold(head), answer(m), answer(head), scale);
    if (const int sibling = tree.left_sibling(m); sibling != 0)
      add_pairs(labeller_.features().sibling(tree, m), gold(m), gold(sibling), answer(m), answer(sibling), scale);
  }
}

}  // namespace accord::tasks
