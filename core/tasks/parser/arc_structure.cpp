// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/arc_structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learn/part_gradient.hpp"
#include "core/tasks/scores/softmax.hpp"

namespace accord::tasks {

namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();
constexpr double negligible = 1e-4;  // expectations below this move no weights

}  // namespace

ArcStructure::ArcStructure(const ParserTemplates& templates, learn::ParameterTable& arcs, learn::ParameterTable& labels, LabelMode mode,
                           double label_cost, bool projective, bool single_root)
    : arc_table_(arcs),
      label_table_(labels),
      scorer_(templates, arcs, labels),
      mode_(mode),
      label_cost_(label_cost),
      space_(trees::make_tree_space(projective, single_root)) {}

void ArcStructure::bind(const Instance& instance) {
  instance_ = &instance;
  size_ = instance.heads.size();
  gold_heads_ = instance.heads;
  scorer_.prepare(instance.atoms);
}

void ArcStructure::support() {
  for (size_t m = 1; m < size_; ++m)
    for (size_t h = 0; h < size_; ++h) {
      if (h == m || !instance_->allows(h, m)) continue;
      const int head = static_cast<int>(h), dependent = static_cast<int>(m), label = instance_->labels[m];
      for (const uint64_t key : scorer_.arc_keys(head, dependent)) arc_table_.support(key, 0);
      if (mode_ == LabelMode::none || label < 0) continue;
      for (const uint64_t key : scorer_.label_keys(head, dependent)) label_table_.support(key, label);
    }
}

std::span<float> ArcStructure::labels_of(size_t head, size_t dependent) {
  const auto width = static_cast<size_t>(label_table_.width());
  return std::span(label_scores_).subspan((mode_ == LabelMode::joint ? at(head, dependent) : dependent) * width, width);
}

void ArcStructure::score() {
  arcs_.resize(size_ * size_);
  scorer_.score_arcs(arcs_);
  const auto width = static_cast<size_t>(label_table_.width());
  gold_score_ = 0;
  if (mode_ == LabelMode::joint) label_scores_.resize(size_ * size_ * width);
  if (mode_ == LabelMode::separate) label_scores_.resize(size_ * width);
  for (size_t m = 1; m < size_; ++m) {
    const int32_t gold_head = instance_->heads[m];
    if (gold_head >= 0) gold_score_ += arcs_[at(static_cast<size_t>(gold_head), m)];
    if (mode_ == LabelMode::none) continue;
    for (size_t h = 0; h < size_; ++h)
      if (h != m && (mode_ == LabelMode::joint || static_cast<int32_t>(h) == gold_head))
        scorer_.score_labels(static_cast<int>(h), static_cast<int>(m), labels_of(h, m));
    if (instance_->labelled(m)) gold_score_ += labels_of(static_cast<size_t>(gold_head), m)[static_cast<size_t>(instance_->labels[m])];
  }
}

// Scores of arcs with the cost of wrong ones and, in joint mode, what their labels add: label_value(head, dependent, cost of a wrong
// label). A wrong label costs only on an arc that is right.
template <class LabelValue>
void ArcStructure::augment(double cost, LabelValue&& label_value) {
  augmented_ = arcs_;
  for (size_t m = 1; m < size_; ++m) {
    for (size_t h = 0; h < size_; ++h) {
      if (h == m) continue;
      double& score = augmented_[at(h, m)];
      const bool allowed = instance_->allows(h, m);
      if (!allowed) score += cost;
      if (mode_ == LabelMode::joint) score += label_value(h, m, allowed && instance_->labels[m] >= 0 ? cost * label_cost_ : 0.0);
    }
  }
}

double ArcStructure::best_label_value(size_t head, size_t dependent, double wrong) {
  const std::span<float> labels = labels_of(head, dependent);
  auto best = static_cast<size_t>(std::max_element(labels.begin(), labels.end()) - labels.begin());
  double top = labels[best];
  if (wrong != 0) {
    const auto gold_label = static_cast<size_t>(instance_->labels[dependent]);
    top = impossible;
    for (size_t l = 0; l < labels.size(); ++l)
      if (const double value = labels[l] + (l == gold_label ? 0.0 : wrong); value > top) top = value, best = l;
  }
  best_label_[at(head, dependent)] = static_cast<int32_t>(best);
  return top;
}

// The costs stay in the labels' scores: the gradient reads them.
double ArcStructure::summed_label_value(size_t head, size_t dependent, double wrong) {
  const std::span<float> labels = labels_of(head, dependent);
  if (const auto cost = static_cast<float>(wrong); cost != 0)
    for (size_t l = 0; l < labels.size(); ++l)
      if (l != static_cast<size_t>(instance_->labels[dependent])) labels[l] += cost;
  return log_sum_exp(labels);
}

double ArcStructure::maximize(double cost) {
  sums_ = false;
  if (instance_->partial) infer_gold(false);
  best_label_.assign(size_ * size_, -1);
  answer_heads_.resize(size_);
  answer_labels_.assign(size_, -1);
  augment(cost, [this](size_t head, size_t dependent, double wrong) { return best_label_value(head, dependent, wrong); });
  value_ = space_->argmax({augmented_.data(), static_cast<int>(size_) - 1}, answer_heads_);
  loss_ = 0;
  for (size_t m = 1; m < size_; ++m) {
    const bool right = instance_->allows(static_cast<size_t>(answer_heads_[m]), m);
    if (mode_ == LabelMode::joint) answer_labels_[m] = best_label_[at(static_cast<size_t>(answer_heads_[m]), m)];
    if (!right) loss_ += 1;
    else if (mode_ == LabelMode::joint && instance_->labels[m] >= 0 && answer_labels_[m] != instance_->labels[m]) loss_ += label_cost_;
  }
  if (mode_ == LabelMode::separate) separate_labels(cost, false);
  return value_;
}

double ArcStructure::expect(double cost) {
  sums_ = true;
  if (sharpness_ != 1) {
    for (double& score : arcs_) score *= sharpness_;
    for (float& score : label_scores_) score *= static_cast<float>(sharpness_);
    cost *= sharpness_;
  }
  cost_ = cost;
  if (instance_->partial) infer_gold(true);
  marginals_.resize(size_ * size_);
  augment(cost, [this](size_t head, size_t dependent, double wrong) { return summed_label_value(head, dependent, wrong); });
  value_ = space_->marginals({augmented_.data(), static_cast<int>(size_) - 1}, marginals_);
  loss_ = 0;
  for (size_t m = 1; m < size_; ++m)
    if (instance_->heads[m] >= 0) loss_ += 1 - marginals_[at(static_cast<size_t>(instance_->heads[m]), m)];
  if (mode_ == LabelMode::separate) separate_labels(cost, true);
  if (instance_->partial) gold_score_ /= sharpness_;
  return value_ /= sharpness_;
}

// The label classifier on gold arcs with known labels: its loss and answer are added to those of the tree.
void ArcStructure::separate_labels(double cost, bool sums) {
  const auto width = static_cast<size_t>(label_table_.width());
  if (sums) label_posteriors_.resize(size_ * width);
  for (size_t m = 1; m < size_; ++m) {
    if (!instance_->labelled(m)) continue;
    const std::span<float> labels = labels_of(0, m);
    const auto gold_label = static_cast<size_t>(instance_->labels[m]);
    if (cost * label_cost_ != 0)
      for (size_t l = 0; l < width; ++l)
        if (l != gold_label) labels[l] += static_cast<float>(cost * label_cost_);
    const auto best = static_cast<size_t>(std::max_element(labels.begin(), labels.end()) - labels.begin());
    answer_labels_.resize(size_);
    answer_labels_[m] = static_cast<int32_t>(best);
    if (!sums) {
      value_ += labels[best];
      if (best != gold_label) loss_ += label_cost_;
      continue;
    }
    const float total = log_sum_exp(labels);
    value_ += total;
    for (size_t l = 0; l < width; ++l) label_posteriors_[m * width + l] = exp_negative(labels[l] - total);
  }
}

void ArcStructure::add_arc(int head, int dependent, double amount) {
  learn::add_part_gradient(arc_table_, scorer_.arc_features(), scorer_.arc_keys(head, dependent), 0, amount);
}

void ArcStructure::add_label(int head, int dependent, int label, double amount) {
  learn::add_part_gradient(label_table_, scorer_.label_features(), scorer_.label_keys(head, dependent), label, amount);
}

void ArcStructure::add_gradient(double scale) {
  const auto width = static_cast<size_t>(label_table_.width());
  for (size_t m = 1; m < size_; ++m) {
    const int word = static_cast<int>(m), known_label = instance_->labels[m];
    if (!sums_) {
      const int gold_head = gold_heads_[m], head = answer_heads_[m];
      if (head != gold_head) add_arc(gold_head, word, scale), add_arc(head, word, -scale);
      if (mode_ == LabelMode::none || (mode_ == LabelMode::separate && !instance_->labelled(m))) continue;
      const int gold_label = this->gold_label(m);
      const int label_head = mode_ == LabelMode::joint ? head : gold_head;
      if (label_head != gold_head || answer_labels_[m] != gold_label)
        add_label(gold_head, word, gold_label, scale), add_label(label_head, word, answer_labels_[m], -scale);
      continue;
    }
    for (size_t h = 0; h < size_; ++h) {
      if (h == m) continue;
      const double marginal = marginals_[at(h, m)], gold_arc = gold_share(h, m);
      const double coefficient = gold_arc - marginal;
      if (std::fabs(coefficient) > negligible) add_arc(static_cast<int>(h), word, scale * coefficient);
      if (mode_ == LabelMode::none) continue;
      if (mode_ == LabelMode::separate && !(instance_->labelled(m) && instance_->allows(h, m))) continue;
      if (gold_arc <= negligible && marginal <= negligible) continue;
      const std::span<float> labels = labels_of(h, m);
      const float total = mode_ == LabelMode::joint ? log_sum_exp(labels) : 0.0f;
      const std::span<const uint64_t> keys = scorer_.label_keys(static_cast<int>(h), word);
      for (size_t l = 0; l < width; ++l) {
        const double share = mode_ == LabelMode::joint ? exp_negative(labels[l] - total) : label_posteriors_[m * width + l];
        const double gold_label = known_label < 0 ? share : static_cast<int>(l) == known_label ? 1.0 : 0.0;
        const double amount = mode_ == LabelMode::joint ? gold_arc * gold_label - marginal * share : gold_label - share;
        if (std::fabs(amount) <= negligible) continue;
        learn::add_part_gradient(label_table_, scorer_.label_features(), keys, static_cast<int>(l), scale * amount);
      }
    }
  }
}

bool ArcStructure::gold(size_t part) const {
  const size_t dependent = part % size_;
  return dependent > 0 && instance_->heads[dependent] == static_cast<int32_t>(part / size_);
}

void ArcStructure::part_scores(std::span<double> scores) { scorer_.score_arcs(scores); }

double ArcStructure::expectations(std::span<const double> theta, std::span<double> marginals) {
  return space_->marginals({theta.data(), static_cast<int>(size_) - 1}, marginals);
}

double ArcStructure::maximum(std::span<const double> theta) {
  answer_heads_.resize(size_);
  return space_->argmax({theta.data(), static_cast<int>(size_) - 1}, answer_heads_);
}

void ArcStructure::add_parts(std::span<const double> coefficients) {
  for (size_t part = 0; part < coefficients.size(); ++part)
    if (coefficients[part] != 0) add_arc(static_cast<int>(part / size_), static_cast<int>(part % size_), coefficients[part]);
}

void ArcStructure::add_label_gradient() {
  const auto width = static_cast<size_t>(label_table_.width());
  std::vector<float>& scores = label_scores_;
  scores.resize(width);
  for (size_t m = 1; m < size_; ++m) {
    const int head = instance_->heads[m], word = static_cast<int>(m);
    scorer_.score_labels(head, word, scores);
    const float total = log_sum_exp(scores);
    for (size_t l = 0; l < width; ++l) {
      const double amount = (static_cast<int>(l) == instance_->labels[m] ? 1.0 : 0.0) - exp_negative(scores[l] - total);
      if (std::fabs(amount) > negligible) add_label(head, word, static_cast<int>(l), amount);
    }
  }
}

}  // namespace accord::tasks
