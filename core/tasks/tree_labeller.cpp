#include "core/tasks/tree_labeller.hpp"

#include <stdexcept>

namespace accord::tasks {

std::span<const uint64_t> TreeLabelFeatures::own(const trees::LabelTree& tree, int word) {
  const int head = tree.head(word), nowhere = own_.nowhere();
  const std::span<const int32_t> siblings = tree.children(head), children = tree.children(word);
  const auto place = std::find(siblings.begin(), siblings.end(), word);
  const int positions[] = {head,
                           word,
                           head == 0 ? nowhere : tree.head(head),
                           place == siblings.begin() ? nowhere : *(place - 1),
                           place + 1 == siblings.end() ? nowhere : *(place + 1),
                           children.empty() ? nowhere : children.front(),
                           children.size() < 2 ? nowhere : children[1],
                           children.empty() ? nowhere : children.back()};
  return own_.keys(positions);
}

LabelStructure::LabelStructure(const ParserTemplates& templates, learn::ParameterTable& labels, learn::ParameterTable& pairs)
    : labels_(labels), pairs_(pairs), labeller_(templates, labels, pairs, labels.width()) {}

void LabelStructure::bind(const Instance& instance) {
  instance_ = &instance;
  labeller_.prepare(instance.atoms);
}

void LabelStructure::score() {
  labeller_.score(instance_->heads, instance_->labels, false);
  gold_.assign(instance_->heads.size(), 0);
  for (size_t m = 1; m < gold_.size(); ++m) gold_[m] = labeller_.candidate(static_cast<int>(m), instance_->labels[m]);
  gold_score_ = labeller_.tree().score(gold_);
}

double LabelStructure::maximize(double cost) {
  for (size_t m = 1; m < gold_.size(); ++m) {
    const std::span<double> own = labeller_.tree().own(static_cast<int>(m));
    for (size_t c = 0; c < own.size(); ++c)
      if (static_cast<int32_t>(c) != gold_[m]) own[c] += cost;
  }
  answer_.assign(gold_.size(), 0);
  value_ = labeller_.tree().maximize(answer_);
  loss_ = 0;
  for (size_t m = 1; m < gold_.size(); ++m) loss_ += answer_[m] != gold_[m];
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
  trees::LabelTree& tree = labeller_.tree();
  const auto gold = [&](int word) { return instance_->labels[static_cast<size_t>(word)]; };
  const auto answer = [&](int word) { return labeller_.label(word, answer_[static_cast<size_t>(word)]); };
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
