// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/labels/tree_labels.hpp"

#include <algorithm>
#include <cmath>

#include "core/tasks/parser/labels/candidate_labels.hpp"
#include "core/tasks/scores/softmax.hpp"

namespace accord::tasks {

namespace {

constexpr double least = 1e-10;     // one label thought impossible does not decide
constexpr double forbidding = 1e3;  // a label so far below the others has no weight

double log_of(double probability) { return std::log(std::clamp(probability, least, 1.0)); }

}  // namespace

TreeLabels::TreeLabels(const ParserSettings& settings, TreeScorer& scorer)
    : settings_(settings),
      scorer_(scorer),
      scores_(static_cast<size_t>(settings.labels)) {}

int TreeLabels::best(int head, int dependent) {
  scorer_.score_labels(head, dependent, scores_);
  if (const int given = given_.label(dependent); given >= 0) return given;
  return static_cast<int>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin());
}

double TreeLabels::summed(int dependent) {
  if (const int given = given_.label(dependent); given >= 0) return scores_[static_cast<size_t>(given)];
  if (settings_.tree_labels) return *std::max_element(scores_.begin(), scores_.end());
  const auto inverse = static_cast<float>(1.0 / settings_.label_temperature);
  for (float& score : scores_) score *= inverse;
  return settings_.label_temperature * log_sum_exp(scores_);
}

double TreeLabels::evidence(int dependent) const {
  const auto label = static_cast<size_t>(given_.label(dependent));
  const double inverse = 1.0 / settings_.label_temperature;
  const double top = *std::max_element(scores_.begin(), scores_.end());
  double total = 0;
  for (const float score : scores_) total += std::exp(inverse * (score - top));
  return settings_.temperature * (inverse * (scores_[label] - top) - std::log(total));
}

void TreeLabels::add_evidence(TreeSearch& search) {
  if (settings_.mode != LabelMode::separate || given_.labels.empty()) return;
  const std::span<double> scores = search.scores();
  search.for_each_arc([&](size_t slot, int head, int dependent) {
    if (given_.label(dependent) < 0 || given_.head(dependent) >= 0) return;
    scorer_.score_labels(head, dependent, scores_);
    scores[slot] += evidence(dependent);
  });
}

void TreeLabels::add_labels(TreeSearch& search, std::span<double> sums) {
  if (settings_.mode != LabelMode::joint) return;
  const std::span<double> scores = search.scores();
  best_.resize(search.arc_slots());
  search.for_each_arc([&](size_t slot, int head, int dependent) {
    const int label = best(head, dependent);
    best_[slot] = static_cast<uint16_t>(label);
    scores[slot] += static_cast<double>(scores_[static_cast<size_t>(label)]);
    if (!sums.empty()) sums[slot] += summed(dependent);
  });
}

void TreeLabels::choose(const TreeSearch& search, std::span<const int32_t> heads, std::span<int32_t> labels) {
  if (settings_.tree_labels) return choose_together(heads, labels);
  std::fill(labels.begin(), labels.end(), -1);
  if (settings_.mode == LabelMode::none) return;
  for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
    const int head = heads[static_cast<size_t>(word)];
    labels[static_cast<size_t>(word)] = settings_.mode == LabelMode::joint ? best_[search.slot(head, word)] : best(head, word);
  }
}

void TreeLabels::choose_together(std::span<const int32_t> heads, std::span<int32_t> labels) {
  CandidateLabels& candidates = scorer_.score_tree_labels(heads, given_.labels, true);
  choice_.assign(heads.size(), 0);
  candidates.tree.maximize(choice_);
  labels[0] = -1;
  for (size_t word = 1; word < heads.size(); ++word) labels[word] = candidates.label(static_cast<int>(word), choice_[word]);
}

void TreeLabels::hide_foreign(std::span<int32_t> labels) const {
  for (size_t word = 1; word < labels.size(); ++word)
    if (given_.label(static_cast<int>(word)) == foreign_label) labels[word] = -1;
}

const LabelLogs& TreeLabels::logs(std::span<const int32_t> heads, std::span<const int32_t> labels, std::span<const double> penalties) {
  logs_.words.assign(labels.size(), 0.0);
  logs_.all = 0;
  if (settings_.mode == LabelMode::none) return logs_;
  if (settings_.tree_labels) add_logs_together(heads, labels, penalties);
  else add_logs_by_arc(heads, labels);
  return logs_;
}

void TreeLabels::add_logs_by_arc(std::span<const int32_t> heads, std::span<const int32_t> labels) {
  const auto inverse = static_cast<float>(1.0 / settings_.label_temperature);
  for (size_t word = 1; word < labels.size(); ++word) {
    if (given_.label(static_cast<int>(word)) != not_given) continue;
    scorer_.score_labels(heads[word], static_cast<int>(word), scores_);
    for (float& score : scores_) score *= inverse;
    const float score = scores_[static_cast<size_t>(labels[word])];
    logs_.words[word] = log_of(std::exp(score - log_sum_exp(scores_)));
    logs_.all += logs_.words[word];
  }
}

void TreeLabels::add_logs_together(std::span<const int32_t> heads, std::span<const int32_t> labels, std::span<const double> penalties) {
  const bool free = given_.labels.empty();
  CandidateLabels& candidates = scorer_.score_tree_labels(heads, free ? labels : given_.labels, !free);
  trees::LabelTree& tree = candidates.tree;
  choice_.assign(labels.size(), 0);
  for (int word = 1; word < static_cast<int>(labels.size()); ++word) {
    choice_[static_cast<size_t>(word)] = candidates.candidate(word, labels[static_cast<size_t>(word)]);
    for (const std::span<double> scores : {tree.own(word), tree.parent(word), tree.sibling(word)})
      for (double& score : scores) score /= settings_.label_temperature;
    const std::span<double> own = tree.own(word);
    for (size_t c = 0; c < own.size() && !penalties.empty(); ++c) {
      const auto label = static_cast<size_t>(candidates.label(word, static_cast<int>(c)));
      own[c] += std::max(penalties[static_cast<size_t>(word) * static_cast<size_t>(settings_.labels) + label], -forbidding);
    }
  }
  logs_.all = std::min(0.0, tree.score(choice_) - tree.marginals(marginals_));
  for (size_t word = 1; word < labels.size(); ++word)
    if (given_.label(static_cast<int>(word)) == not_given)
      logs_.words[word] = log_of(marginals_[tree.first_candidate(static_cast<int>(word)) + static_cast<size_t>(choice_[word])]);
}

}  // namespace accord::tasks
