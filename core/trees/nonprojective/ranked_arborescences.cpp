// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/ranked_arborescences.hpp"

#include <algorithm>
#include <utility>

namespace accord::trees {

std::vector<ScoredTree> RankedArborescences::solve(ArcScores scores, bool single_root, int k) {
  std::vector<ScoredTree> ranked;
  open_.clear();
  if (k <= 0) return ranked;
  std::vector<int32_t> heads(scores.width(), -1);
  const double best = arborescence_.solve(scores, single_root, heads);
  if (best != kForbidden) open_.push_back({{best, std::move(heads)}, 1, {}});
  while (!open_.empty()) {
    Part part = std::move(open_.back());
    open_.pop_back();
    if (static_cast<int>(ranked.size()) + 1 < k) {
      split(scores, single_root, part);
      keep_best(static_cast<std::size_t>(k) - ranked.size() - 1);
    }
    ranked.push_back(std::move(part.best));
    if (static_cast<int>(ranked.size()) == k) break;
  }
  sort_best_first(ranked);
  return ranked;
}

// Opens the parts of all trees in `part` other than its best.
void RankedArborescences::split(ArcScores scores, bool single_root, const Part& part) {
  const std::vector<int32_t>& best = part.best.heads;
  const std::size_t width = scores.width();
  masked_.assign(scores.data, scores.data + width * width);
  const ArcScores masked{masked_.data(), scores.words};
  for (int word = 1; word < part.first_free; ++word) mask_column(scores, word, best[static_cast<std::size_t>(word)]);
  for (int word = part.first_free; word <= scores.words; ++word) {
    const auto column = static_cast<std::size_t>(word);
    std::vector<int32_t> excluded;
    if (word == part.first_free) excluded = part.excluded;
    excluded.push_back(best[column]);
    for (const int32_t head : excluded) masked_[static_cast<std::size_t>(head) * width + column] = kForbidden;
    std::vector<int32_t> heads(width, -1);
    const double value = arborescence_.solve(masked, single_root, heads);
    if (value != kForbidden) open_.push_back({{value, std::move(heads)}, word, std::move(excluded)});
    mask_column(scores, word, best[column]);
  }
}

// More open parts than trees still wanted can never all be needed.
void RankedArborescences::keep_best(std::size_t limit) {
  std::stable_sort(open_.begin(), open_.end(), [](const Part& a, const Part& b) { return a.best.score < b.best.score; });
  if (open_.size() > limit) open_.erase(open_.begin(), open_.end() - static_cast<std::ptrdiff_t>(limit));
}

void RankedArborescences::mask_column(ArcScores scores, int dependent, int32_t only_head) {
  for (int head = 0; head <= scores.words; ++head) {
    masked_[static_cast<std::size_t>(head) * scores.width() + static_cast<std::size_t>(dependent)] =
        head == only_head ? scores(head, dependent) : kForbidden;
  }
}

}  // namespace accord::trees
