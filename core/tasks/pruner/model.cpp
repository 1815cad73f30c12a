// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/pruner/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/tasks/pruner/likely_heads.hpp"
#include "core/trees/partial.hpp"

namespace accord::tasks {

Pruner::Pruner(const ParserTemplates& templates, PrunerSettings settings, bool projective, bool single_root, bool streaming)
    : templates_(templates),
      settings_(settings),
      space_(trees::make_tree_space(projective, single_root)),
      projective_(projective),
      single_root_(single_root),
      streaming_(streaming) {
  if (settings.heads < 1 || !(settings.threshold >= 0 && settings.threshold <= 1))
    throw std::invalid_argument("pruner: at least one head a word, threshold between 0 and 1");
}

void Pruner::prepare(const text::AtomTable& atoms) {
  words_ = atoms.words();
  features_.prepare(templates_.pruner, atoms);
}

void Pruner::take(int words, std::span<const double> scores) {
  words_ = words;
  tree_found_ = streamed_ = false;
  scores_.assign(scores.begin(), scores.end());
  for (int node = 0; node <= words; ++node) scores_[at(node, 0)] = scores_[at(node, node)] = trees::kForbidden;
}

void Pruner::blend(std::span<const float> scores, double share) {
  if (streamed_) return;
  for (size_t cell = 0; cell < scores_.size(); ++cell)
    if (scores_[cell] > trees::kForbidden) scores_[cell] = (1.0 - share) * scores_[cell] + share * static_cast<double>(scores[cell]);
  tree_found_ = false;
}

bool Pruner::restrict(std::span<const uint8_t> allowed) {
  for (size_t cell = 0; cell < scores_.size(); ++cell)
    if (!allowed[cell]) scores_[cell] = trees::kForbidden;
  find_tree();
  return tree_score_ > trees::kForbidden;
}

std::vector<parses::CandidateArc> Pruner::tree_with(std::span<const parses::CandidateArc> wanted) {
  constexpr double preference = 1e6;  // above all sums of scores
  std::vector<double> scores(scores_);
  for (const parses::CandidateArc& arc : wanted) scores[at(arc.head, arc.dependent)] += preference;
  std::vector<int32_t> heads(static_cast<size_t>(words_) + 1);
  space_->argmax({scores.data(), words_}, heads);
  std::vector<parses::CandidateArc> arcs;
  for (int m = 1; m <= words_; ++m) arcs.push_back({heads[static_cast<size_t>(m)], m});
  return arcs;
}

void Pruner::find_tree() {
  heads_.resize(static_cast<size_t>(words_) + 1);
  if (streamed_) {
    tree_score_ = sparse_.solve(words_, kept_starts_, kept_heads_, kept_scores_, single_root_, heads_);
    tree_found_ = true;
    return;
  }
  tree_score_ = space_->argmax({scores_.data(), words_}, heads_);
  tree_found_ = true;
}

void Pruner::require(std::span<const int32_t> given) {
  if (given.empty()) return;
  trees::require_heads(given, scores_);
  tree_found_ = false;
}

const std::vector<int32_t>& Pruner::best_tree() {
  if (!tree_found_) find_tree();
  if (tree_score_ == trees::kForbidden) throw std::invalid_argument("no tree has all the given heads");
  return heads_;
}

const std::vector<parses::CandidateArc>& Pruner::candidates(const PrunerSettings& settings) {
  arcs_.clear();
  best_tree();
  for (int m = 1; m <= words_; ++m) {
    likely_heads(m, settings);
    const int tree_head = heads_[static_cast<size_t>(m)];
    if (std::find(order_.begin(), order_.end(), tree_head) == order_.end()) order_.push_back(tree_head);
    std::sort(order_.begin(), order_.end());
    for (const int h : order_) arcs_.push_back({h, m});
  }
  return arcs_;
}

double& Pruner::score_of(int head, int dependent) {
  if (!streamed_) return scores_[at(head, dependent)];
  const auto m = static_cast<size_t>(dependent);
  const auto first = kept_heads_.begin() + kept_starts_[m], last = kept_heads_.begin() + kept_starts_[m + 1];
  return kept_scores_[static_cast<size_t>(std::lower_bound(first, last, head) - kept_heads_.begin())];
}

void Pruner::list_heads(int dependent) {
  order_.clear();
  if (streamed_) {
    const auto m = static_cast<size_t>(dependent);
    order_.assign(kept_heads_.begin() + kept_starts_[m], kept_heads_.begin() + kept_starts_[m + 1]);
    return;
  }
  for (int h = 0; h <= words_; ++h)
    if (scores_[at(h, dependent)] > trees::kForbidden) order_.push_back(h);
}

void Pruner::likely_heads(int dependent, const PrunerSettings& settings) {
  list_heads(dependent);
  keep_likely(settings, [&](int head) { return score_of(head, dependent); }, order_);
}

const std::vector<int32_t>& Pruner::best_heads() {
  best_heads_.assign(static_cast<size_t>(words_) + 1, 0);
  for (int m = 1; m <= words_; ++m) {
    list_heads(m);
    double best = trees::kForbidden;
    for (const int h : order_)
      if (const double score = score_of(h, m); score > best) best = score, best_heads_[static_cast<size_t>(m)] = h;
  }
  return best_heads_;
}

void Pruner::list_near(std::span<const int32_t> gold, HeadsInTraining& near) {
  near.best = best_heads();
  near.clear();
  for (int m = 1; m <= words_; ++m) {
    const int right = gold[static_cast<size_t>(m)];
    order_.clear();
    if (right >= 0) likely_heads(m, {settings_.first_stage().heads, 0.0});
    if (right >= 0 && std::find(order_.begin(), order_.end(), right) == order_.end()) order_.push_back(right);
    const auto better = [&](int a, int b) { return score_of(a, m) != score_of(b, m) ? score_of(a, m) > score_of(b, m) : a < b; };
    std::sort(order_.begin(), order_.end(), better);
    for (size_t i = 0; i < order_.size(); ++i) near.add(order_[i], i < HeadsInTraining::at_once ? 0 : i);
    near.end_word();
  }
}

void Pruner::take_weighed(int dependent) {
  if (weighed_.empty()) return;
  const std::span<const int32_t> near = near_heads_;
  const auto [least, most] = std::minmax_element(weighed_.begin(), weighed_.end());
  double best = trees::kForbidden, best_unseen = trees::kForbidden;
  for (size_t i = 0; i < near.size(); ++i) {
    best = std::max(best, score_of(near[i], dependent));
    score_of(near[i], dependent) = trees::kForbidden;
  }
  list_heads(dependent);
  for (const int h : order_) best_unseen = std::max(best_unseen, score_of(h, dependent));
  const double shift = std::min(*most - best, *least - best_unseen);
  for (const int h : order_) score_of(h, dependent) += shift;
  for (size_t i = 0; i < near.size(); ++i) score_of(near[i], dependent) = weighed_[i];
}

}  // namespace accord::tasks
