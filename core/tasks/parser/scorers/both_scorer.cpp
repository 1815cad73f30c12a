// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/scorers/both_scorer.hpp"

#include <algorithm>

namespace accord::tasks {

namespace {

// What one scorer has filled in becomes the sum of both. A share of 0 counts as "not there", also beside infinite scores.
template <typename Number>
void add_shares(std::span<Number> scores, double share, std::span<const Number> others, double other_share) {
  for (size_t i = 0; i < scores.size(); ++i)
    scores[i] = static_cast<Number>(share * static_cast<double>(scores[i]) + other_share * static_cast<double>(others[i]));
}

template <typename Number>
void scale(std::span<Number> scores, double share) {
  if (share == 1.0) return;
  for (Number& score : scores) score = static_cast<Number>(share * static_cast<double>(score));
}

// Two ways to fill the same array, each by its share.
template <typename Number, typename Fill, typename FillOther>
void fill_shares(std::span<Number> scores, std::vector<Number>& buffer, double share, Fill&& fill, double other_share, FillOther&& other) {
  if (other_share == 0) return fill(scores), scale(scores, share);
  if (share == 0) return other(scores), scale(scores, other_share);
  buffer.resize(scores.size());
  fill(scores);
  other(std::span<Number>(buffer));
  add_shares(scores, share, std::span<const Number>(buffer), other_share);
}

}  // namespace

void BothScorer::load(const text::Document& document, std::span<const size_t> sentences) {
  linear_->load(document, sentences);
  network_->load(document, sentences);
}

void BothScorer::select(size_t place) {
  linear_->select(place);
  network_->select(place);
}

void BothScorer::score_arcs(std::span<double> scores) {
  fill_shares(
      scores, network_scores_, shares_.linear, [&](std::span<double> out) { linear_->score_arcs(out); }, shares_.network_arcs,
      [&](std::span<double> out) { network_->score_arcs(out); });
}

void BothScorer::prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) {
  if (shares_.pruner == 1) return network_->prune(pruner, deadline, given);
  linear_->prune(pruner, deadline, given);
  if (shares_.pruner == 0) return;
  pruner.blend(network_->arcs(), shares_.pruner);
}

void BothScorer::score_parts(const parses::PartLayout& layout, std::span<double> scores) {
  fill_shares(
      scores, network_scores_, shares_.linear, [&](std::span<double> out) { linear_->score_parts(layout, out); }, shares_.network_arcs,
      [&](std::span<double> out) { network_->score_parts(layout, out); });
}

void BothScorer::score_labels(int head, int dependent, std::span<float> scores) {
  fill_shares(
      scores, network_labels_, shares_.linear, [&](std::span<float> out) { linear_->score_labels(head, dependent, out); },
      shares_.network_labels, [&](std::span<float> out) { network_->score_labels(head, dependent, out); });
}

CandidateLabels& BothScorer::score_tree_labels(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only) {
  return linear_->score_tree_labels(heads, wanted, only, shares_.linear, [&](int head, int dependent, std::span<float> scores) {
    if (shares_.network_labels == 0) return;
    network_labels_.resize(scores.size());
    network_->score_labels(head, dependent, network_labels_);
    add_shares(scores, 1.0, std::span<const float>(network_labels_), shares_.network_labels);
  });
}

}  // namespace accord::tasks
