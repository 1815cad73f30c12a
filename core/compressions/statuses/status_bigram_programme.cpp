// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/statuses/status_bigram_programme.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::compressions {

std::vector<int32_t> crossing_heads(std::span<const int32_t> heads) {
  std::vector<int32_t> found;
  for (const int32_t word : lift_crossing(heads).lifted) found.push_back(heads[index(word)]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

StatusBigramProgramme::StatusBigramProgramme(StatusScores scores, std::span<const double> bigrams)
    : scores_(std::move(scores)),
      bigrams_(bigrams.begin(), bigrams.end()),
      lifted_(lift_crossing(scores_.heads()).lifted),
      crossed_(crossing_heads(scores_.heads())),
      chart_(lift_crossing(scores_.heads()).heads, bigrams_) {
  if (crossed_.size() > index(most_crossing_heads)) throw std::invalid_argument("too many words of the tree have crossing arcs");
}

// The chart under one choice of statuses of crossed heads; false where the fates forbid the choice.
bool StatusBigramProgramme::fill(unsigned choice) {
  const auto kept = [&](int32_t head) {
    return static_cast<int>(choice >> (std::lower_bound(crossed_.begin(), crossed_.end(), head) - crossed_.begin()) & 1);
  };
  tried_ = fates_;
  for (const int32_t head : crossed_) {
    const Fate fate = kept(head) ? Fate::keep : Fate::drop;
    if (tried_[index(head)] != Fate::open && tried_[index(head)] != fate) return false;
    tried_[index(head)] = fate;
  }
  scores_.set({additions_, tried_});
  for (const int32_t word : lifted_) scores_.settle_head(word, kept(scores_.heads()[index(word)]));
  chart_.fill(scores_, costs_, high_);
  return true;
}

void StatusBigramProgramme::find(std::span<const int> costs, int high) {
  costs_.assign(costs.begin(), costs.end());
  high_ = high;
  by_cost_.assign(index(high) + 1, forbidden);
  choices_.assign(index(high) + 1, 0);
  for (unsigned choice = 0; choice < 1U << crossed_.size(); ++choice) {
    if (!fill(choice)) continue;
    for (size_t cost = 0; cost < by_cost_.size(); ++cost)
      if (const double value = chart_.best_by_cost()[cost]; value > by_cost_[cost]) by_cost_[cost] = value, choices_[cost] = choice;
  }
}

double StatusBigramProgramme::best(const Terms& terms, Compression& out) {
  additions_.assign(terms.additions.begin(), terms.additions.end());
  fates_.assign(terms.fates.begin(), terms.fates.end());
  find(std::vector<int>(index(words()) + 1, 0), 0);
  if (by_cost_[0] != forbidden) trace_cost(0, out);
  return by_cost_[0];
}

std::span<const double> StatusBigramProgramme::best_by_cost(const Terms& terms, std::span<const int> costs, int, int high) {
  additions_.assign(terms.additions.begin(), terms.additions.end());
  fates_.assign(terms.fates.begin(), terms.fates.end());
  find(costs, high);
  return by_cost_;
}

void StatusBigramProgramme::trace_cost(int cost, Compression& out) {
  if (!crossed_.empty()) fill(choices_[index(cost)]);
  chart_.trace(scores_, cost, out.kept);
  out.heads.clear();
  out.score = scores_.score(out);
  const size_t width = out.kept.size();
  size_t last = 0;
  for (size_t word = 1; word < width; ++word)
    if (out.kept[word]) out.score += bigrams_[last * width + word], last = word;
  if (last > 0) out.score += bigrams_[last * width];
}

}  // namespace accord::compressions
