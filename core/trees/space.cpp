// SPDX-License-Identifier: Apache-2.0
#include "core/trees/space.hpp"

#include <algorithm>
#include <cmath>

#include "core/trees/nonprojective/nonprojective.hpp"
#include "core/trees/projective/projective.hpp"
#include "core/vectorise.hpp"

namespace accord::trees {

bool any_forbidden_between_words(ArcScores scores) {
  for (int head = 1; head <= scores.words; ++head)
    for (int dependent = 1; dependent <= scores.words; ++dependent)
      if (head != dependent && scores(head, dependent) == kForbidden) return true;
  return false;
}

double TreeSpace::entropy(ArcScores scores) {
  entropy_marginals_.resize(scores.width() * scores.width());
  const double log_partition = marginals(scores, entropy_marginals_);
  if (log_partition == kForbidden) return kForbidden;
  double expected_score = 0.0;
  for (std::size_t arc = 0; arc < entropy_marginals_.size(); ++arc) {
    if (entropy_marginals_[arc] > 0.0) expected_score += entropy_marginals_[arc] * scores.data[arc];
  }
  // A distribution on one tree has entropy zero; rounding may land a hair below.
  return std::max(0.0, log_partition - expected_score);
}

std::unique_ptr<TreeSpace> make_tree_space(bool projective, bool single_root) {
  if (projective) return std::make_unique<ProjectiveSpace>(single_root);
  return std::make_unique<NonProjectiveSpace>(single_root);
}

double tree_score(ArcScores scores, std::span<const int32_t> heads) {
  double total = 0.0;
  for (int dependent = 1; dependent <= scores.words; ++dependent) {
    total += scores(heads[static_cast<std::size_t>(dependent)], dependent);
  }
  return total;
}

namespace {

// Written so that NaN fails the comparison too.
bool invalid(double score) { return !(score <= std::numeric_limits<double>::max()); }

ACCORD_VECTORISE int count_invalid(const double* scores, int count) {
  int found = 0;
  for (int i = 0; i < count; ++i) found += !(scores[i] <= std::numeric_limits<double>::max());
  return found;
}

}  // namespace

std::ptrdiff_t find_invalid(ArcScores scores) {
  for (int head = 0; head <= scores.words; ++head) {
    const double* row = scores.row(head);
    if (count_invalid(row + 1, scores.words) == 0) continue;
    for (int dependent = 1; dependent <= scores.words; ++dependent) {
      if (invalid(row[dependent]) && head != dependent) return row + dependent - scores.data;
    }
  }
  return -1;
}

void sort_best_first(std::vector<ScoredTree>& trees) {
  std::stable_sort(trees.begin(), trees.end(), [](const ScoredTree& a, const ScoredTree& b) { return a.score > b.score; });
}

}  // namespace accord::trees
