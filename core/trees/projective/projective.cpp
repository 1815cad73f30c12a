// SPDX-License-Identifier: Apache-2.0
#include "core/trees/projective/projective.hpp"

namespace accord::trees {

double ProjectiveSpace::argmax(ArcScores scores, std::span<int32_t> heads) {
  best_.fill(scores.data, scores.words, single_root_);
  if (best_.goal() == kForbidden) return kForbidden;
  const auto best_term = [](int from, int to, auto&& term) {
    int best = from;
    double best_value = term(from);
    for (int k = from + 1; k < to; ++k) {
      const double value = term(k);
      if (value > best_value) {
        best = k;
        best_value = value;
      }
    }
    return best;
  };
  unfold(best_, best_term, heads);
  return tree_score(scores, heads);
}

std::vector<ScoredTree> ProjectiveSpace::kbest(ArcScores scores, int k) {
  best_.fill(scores.data, scores.words, single_root_);
  if (best_.goal() == kForbidden) return {};
  return ranked_.solve(best_, scores, k);
}

}  // namespace accord::trees
