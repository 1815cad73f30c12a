// SPDX-License-Identifier: Apache-2.0
#include "core/trees/projective/ranked_projective.hpp"

#include <algorithm>

namespace accord::trees {

namespace {

constexpr auto kWorseDerivation = [](const auto& a, const auto& b) { return a.score < b.score; };

}  // namespace

std::vector<ScoredTree> RankedProjective::solve(const ProjectiveChart<MaxPlus>& chart, ArcScores scores, int k) {
  chart_ = &chart;
  states_.clear();
  std::vector<ScoredTree> ranked;
  const Item goal{chart.first() == 0 ? Kind::kRight : Kind::kGoal, chart.first(), chart.words()};
  if (chart.words() == 0) {
    if (k > 0) ranked.push_back({0.0, {-1}});
    return ranked;
  }
  for (int rank = 0; rank < k && reach(goal, rank); ++rank) {
    std::vector<int32_t> heads(scores.width(), -1);
    collect(goal, rank, heads);
    const double total = tree_score(scores, heads);
    ranked.push_back({total, std::move(heads)});
  }
  sort_best_first(ranked);
  return ranked;
}

RankedProjective::Step RankedProjective::step(Item item, int choice) const {
  const int i = item.i;
  const int j = item.j;
  switch (item.kind) {
    case Kind::kSplit:
      return {{Kind::kRight, i, choice}, {Kind::kLeft, choice + 1, j}, 0.0};
    case Kind::kRight:
      return {{Kind::kSplit, i, choice}, {Kind::kRight, choice, j}, chart_->weight(i, choice)};
    case Kind::kLeft:
      return {{Kind::kLeft, i, choice}, {Kind::kSplit, choice, j}, chart_->weight(j, choice)};
    case Kind::kGoal:
      break;
  }
  return {{Kind::kLeft, 1, choice}, {Kind::kRight, choice, j}, chart_->weight(0, choice)};
}

// The item's state, with the best derivation of each alternative proposed when it is first met.
RankedProjective::State& RankedProjective::open(Item item) {
  const uint64_t key = (static_cast<uint64_t>(item.kind) << 60) | (static_cast<uint64_t>(item.i) << 30) | static_cast<uint64_t>(item.j);
  const auto [found, created] = states_.try_emplace(key);
  State& state = found->second;
  if (!created) return state;
  const bool from_next = item.kind == Kind::kRight;
  const bool to_last = from_next || item.kind == Kind::kGoal;
  for (int choice = item.i + from_next; choice < item.j + to_last; ++choice) {
    const Step alternative = step(item, choice);
    const auto best = [this](Item sub) {
      return sub.kind == Kind::kSplit   ? chart_->split(sub.i)[sub.j]
             : sub.kind == Kind::kRight ? chart_->right(sub.i)[sub.j]
                                        : chart_->left(sub.i)[sub.j];
    };
    const double score = best(alternative.left) + alternative.arc + best(alternative.right);
    if (score != kForbidden) state.candidates.push_back({score, choice, 0, 0});
  }
  std::make_heap(state.candidates.begin(), state.candidates.end(), kWorseDerivation);
  return state;
}

// Finds the item's derivations up to rank; false when it has no more than rank of them.
bool RankedProjective::reach(Item item, int rank) {
  if (is_empty(item)) return rank == 0;
  State& state = open(item);  // references into an unordered_map survive insertions
  while (static_cast<int>(state.best.size()) <= rank) {
    if (!state.best.empty()) {
      const Derivation last = state.best.back();
      propose(state, item, {0.0, last.choice, last.left_rank, last.right_rank + 1});
      // Only derivations that use the best right side advance the left one: each pair is proposed once.
      if (last.right_rank == 0) propose(state, item, {0.0, last.choice, last.left_rank + 1, 0});
    }
    if (state.candidates.empty()) return false;
    std::pop_heap(state.candidates.begin(), state.candidates.end(), kWorseDerivation);
    state.best.push_back(state.candidates.back());
    state.candidates.pop_back();
  }
  return true;
}

void RankedProjective::propose(State& state, Item item, Derivation derivation) {
  const Step alternative = step(item, derivation.choice);
  if (!reach(alternative.left, derivation.left_rank) || !reach(alternative.right, derivation.right_rank)) return;
  derivation.score = score(alternative.left, derivation.left_rank) + alternative.arc + score(alternative.right, derivation.right_rank);
  state.candidates.push_back(derivation);
  std::push_heap(state.candidates.begin(), state.candidates.end(), kWorseDerivation);
}

double RankedProjective::score(Item item, int rank) { return is_empty(item) ? 0.0 : open(item).best[static_cast<std::size_t>(rank)].score; }

void RankedProjective::collect(Item item, int rank, std::vector<int32_t>& heads) {
  if (is_empty(item)) return;
  reach(item, rank);
  const Derivation derivation = open(item).best[static_cast<std::size_t>(rank)];
  const auto dependent = static_cast<std::size_t>(derivation.choice);
  if (item.kind == Kind::kRight) heads[dependent] = item.i;
  if (item.kind == Kind::kLeft) heads[dependent] = item.j;
  if (item.kind == Kind::kGoal) heads[dependent] = 0;
  const Step alternative = step(item, derivation.choice);
  collect(alternative.left, derivation.left_rank, heads);
  collect(alternative.right, derivation.right_rank, heads);
}

}  // namespace accord::trees
