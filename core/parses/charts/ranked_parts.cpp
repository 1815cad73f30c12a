// SPDX-License-Identifier: Apache-2.0
#include "core/parses/charts/ranked_parts.hpp"

#include <algorithm>
#include <limits>

namespace accord::parses {

namespace {

constexpr auto kWorse = [](const auto& a, const auto& b) { return a.score < b.score; };

}  // namespace

// The item's state, with the best derivation of each edge proposed when it is first met.
RankedParts::State& RankedParts::open(size_t item) {
  const auto [found, created] = states_.try_emplace(item);
  State& state = found->second;
  if (!created) return state;
  items_.edges(items_.item(item), [&](size_t left, size_t right, auto&& parts) {
    const double weight = part_weight(scores_, parts), score = best_[left] + best_[right] + weight;
    if (score != -std::numeric_limits<double>::infinity()) state.candidates.push_back({score, left, right, weight, 0, 0});
  });
  std::make_heap(state.candidates.begin(), state.candidates.end(), kWorse);
  return state;
}

bool RankedParts::reach(size_t item, int rank) {
  if (item == PartItems::nothing) return rank == 0;
  State& state = open(item);  // references into an unordered_map survive insertions
  while (static_cast<int>(state.best.size()) <= rank) {
    if (!state.best.empty()) {
      Derivation next = state.best.back();
      // Only derivations that use the best right side advance the left one: each pair is proposed once.
      const bool first_right = next.right_rank++ == 0;
      propose(state, next);
      next.right_rank = 0;
      ++next.left_rank;
      if (first_right) propose(state, next);
    }
    if (state.candidates.empty()) return false;
    std::pop_heap(state.candidates.begin(), state.candidates.end(), kWorse);
    state.best.push_back(state.candidates.back());
    state.candidates.pop_back();
  }
  return true;
}

void RankedParts::propose(State& state, Derivation derivation) {
  if (!reach(derivation.left, derivation.left_rank) || !reach(derivation.right, derivation.right_rank)) return;
  derivation.score = score(derivation.left, derivation.left_rank) + score(derivation.right, derivation.right_rank) + derivation.weight;
  state.candidates.push_back(derivation);
  std::push_heap(state.candidates.begin(), state.candidates.end(), kWorse);
}

double RankedParts::score(size_t item, int rank) {
  return item == PartItems::nothing ? 0.0 : open(item).best[static_cast<size_t>(rank)].score;
}

std::array<RankedItem, 2> RankedParts::children(RankedItem derivation) {
  reach(derivation.item, derivation.rank);
  const Derivation& found = open(derivation.item).best[static_cast<size_t>(derivation.rank)];
  return {RankedItem{found.left, found.left_rank}, RankedItem{found.right, found.right_rank}};
}

}  // namespace accord::parses
