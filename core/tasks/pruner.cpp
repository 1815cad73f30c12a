#include "core/tasks/pruner.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/trees/partial.hpp"

namespace accord::tasks {

namespace {

constexpr double negligible = 1e-3;  // probabilities below this move no weights

}  // namespace

Pruner::Pruner(const ParserTemplates& templates, PrunerSettings settings, bool projective, bool single_root, bool streaming)
    : templates_(templates), settings_(settings), space_(trees::make_tree_space(projective, single_root)), projective_(projective),
      single_root_(single_root), streaming_(streaming) {
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

bool Pruner::restrict(std::span<const uint8_t> allowed) {
  for (size_t cell = 0; cell < scores_.size(); ++cell)
    if (!allowed[cell]) scores_[cell] = trees::kForbidden;
  find_tree();
  return tree_score_ > trees::kForbidden;
}

std::vector<trees::CandidateArc> Pruner::tree_with(std::span<const trees::CandidateArc> wanted) {
  constexpr double preference = 1e6;  // above all sums of scores
  std::vector<double> scores(scores_);
  for (const trees::CandidateArc& arc : wanted) scores[at(arc.head, arc.dependent)] += preference;
  std::vector<int32_t> heads(static_cast<size_t>(words_) + 1);
  space_->argmax({scores.data(), words_}, heads);
  std::vector<trees::CandidateArc> arcs;
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

const std::vector<trees::CandidateArc>& Pruner::candidates(const PrunerSettings& settings) {
  arcs_.clear();
  best_tree();
  if (streamed_) return kept_candidates(settings);
  const double margin = std::log(std::max(settings.threshold, 1e-300));
  for (int m = 1; m <= words_; ++m) {
    const auto score = [&](int head) { return scores_[at(head, m)]; };
    double best = trees::kForbidden;
    for (int h = 0; h <= words_; ++h) best = std::max(best, score(h));
    order_.clear();
    for (int h = 0; h <= words_; ++h)
      if (h != m && score(h) >= best + margin && score(h) > trees::kForbidden) order_.push_back(h);
    if (order_.size() > static_cast<size_t>(settings.heads)) {
      const auto better = [&](int a, int b) { return score(a) != score(b) ? score(a) > score(b) : a < b; };
      std::nth_element(order_.begin(), order_.begin() + settings.heads, order_.end(), better);
      order_.resize(static_cast<size_t>(settings.heads));
    }
    const int tree_head = heads_[static_cast<size_t>(m)];
    if (std::find(order_.begin(), order_.end(), tree_head) == order_.end()) order_.push_back(tree_head);
    std::sort(order_.begin(), order_.end());
    for (const int h : order_) arcs_.push_back({h, m});
  }
  return arcs_;
}

double Pruner::add_gradient(learn::ParameterTable& table, std::span<const int32_t> heads) {
  double loss = 0;
  for (int m = 1; m <= words_; ++m) {
    const int gold = heads[static_cast<size_t>(m)];
    if (gold < 0) continue;
    double best = trees::kForbidden, total = 0;
    for (int h = 0; h <= words_; ++h) best = std::max(best, scores_[at(h, m)]);
    for (int h = 0; h <= words_; ++h) total += std::exp(scores_[at(h, m)] - best);
    loss += best + std::log(total) - scores_[at(gold, m)];
    for (int h = 0; h <= words_; ++h) {
      if (h == m) continue;
      const double amount = (h == gold ? 1.0 : 0.0) - std::exp(scores_[at(h, m)] - best) / total;
      if (std::fabs(amount) <= negligible) continue;
      for (const uint64_t key : keys(h, m)) table.add_gradient(key, 0, static_cast<float>(amount));
    }
  }
  return loss;
}

}  // namespace accord::tasks
