// SPDX-License-Identifier: Apache-2.0
// Labels of a tree against all choices one by one.
#include <cmath>
#include <random>
#include <vector>

#include "core/trees/label_tree.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"

using accord::trees::LabelTree;

namespace {

std::vector<int32_t> random_tree(int words, std::mt19937& random) {
  std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
  do {
    for (size_t m = 1; m < heads.size(); ++m) heads[m] = static_cast<int32_t>(random() % heads.size());
  } while (!accord::trees::is_tree(heads, false));
  return heads;
}

}  // namespace

TEST("best labels, their score, the sum over all choices and the share of each label are those of enumeration") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const int words = 1 + static_cast<int>(random() % 5);
    std::vector<int32_t> counts(static_cast<size_t>(words) + 1, 0);
    for (size_t m = 1; m < counts.size(); ++m) counts[m] = 1 + static_cast<int32_t>(random() % 3);
    LabelTree tree;
    tree.build(random_tree(words, random), counts);
    for (int m = 1; m <= words; ++m) {
      for (double& score : tree.own(m)) score = normal(random);
      for (double& score : tree.parent(m)) score = normal(random);
      for (double& score : tree.sibling(m)) score = normal(random);
    }
    std::vector<int32_t> choice(counts.size(), 0);
    std::vector<double> shares(tree.candidates(), 0.0);
    double best = -INFINITY, sum = 0;
    while (true) {
      const double score = tree.score(choice);
      best = std::max(best, score);
      sum += std::exp(score);
      for (int m = 1; m <= words; ++m)
        shares[tree.first_candidate(m) + static_cast<size_t>(choice[static_cast<size_t>(m)])] += std::exp(score);
      size_t m = 1;
      while (m < counts.size() && ++choice[m] == counts[m]) choice[m++] = 0;
      if (m == counts.size()) break;
    }
    const double found = tree.maximize(choice);
    CHECK_NEAR(found, best, 1e-12);
    CHECK_NEAR(tree.score(choice), best, 1e-12);
    std::vector<double> marginals;
    CHECK_NEAR(tree.marginals(marginals), std::log(sum), 1e-12);
    for (size_t i = 0; i < shares.size(); ++i) CHECK_NEAR(marginals[i], shares[i] / sum, 1e-10);
  }
}
