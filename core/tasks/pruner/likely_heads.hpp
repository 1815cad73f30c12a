// SPDX-License-Identifier: Apache-2.0
// The choice of a word's likely heads among those that have scores.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/tasks/pruner/settings.hpp"

namespace accord::tasks {

// Of these heads, in any order, the most probable ones: no more than `heads`, none less probable than the best one's share of
// `threshold`. Scores are logarithms of weights; at equal scores the smaller head stays.
template <typename Score>
void keep_likely(const PrunerSettings& settings, Score&& score, std::vector<int>& heads) {
  if (heads.empty()) return;
  double best = score(heads.front());
  for (const int head : heads) best = std::max(best, static_cast<double>(score(head)));
  const double least = best + std::log(std::max(settings.threshold, 1e-300));
  std::erase_if(heads, [&](int head) { return score(head) < least; });
  const auto most = static_cast<size_t>(settings.heads);
  if (heads.size() <= most) return;
  const auto better = [&](int a, int b) { return score(a) != score(b) ? score(a) > score(b) : a < b; };
  std::nth_element(heads.begin(), heads.begin() + settings.heads, heads.end(), better);
  heads.resize(most);
}

}  // namespace accord::tasks
