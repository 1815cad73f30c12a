// SPDX-License-Identifier: Apache-2.0
// The best tree over few arcs equals that of the dense algorithm, which is tested against enumeration.
#include "core/trees/nonprojective/sparse_arborescence.hpp"

#include <random>
#include <vector>

#include "core/graph/factors/trees/tree_factor.hpp"
#include "core/trees/nonprojective/arborescence.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"

using namespace accord::trees;

namespace {

struct Arcs {
  std::vector<int32_t> starts, heads;
  std::vector<double> scores, dense;
};

// Each arc stands with this probability; small whole scores make ties and cycles.
Arcs random_arcs(std::mt19937& source, int words, double share, bool ties) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> whole(0, 3);
  const auto size = static_cast<size_t>(words) + 1;
  Arcs arcs;
  arcs.dense.assign(size * size, kForbidden);
  arcs.starts.assign(2, 0);
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h) {
      if (h == m || uniform(source) > share) continue;
      const double score = uniform(source) < 0.1 ? kForbidden : ties ? whole(source) : normal(source);
      arcs.heads.push_back(h);
      arcs.scores.push_back(score);
      arcs.dense[static_cast<size_t>(h) * size + static_cast<size_t>(m)] = score;
    }
    arcs.starts.push_back(static_cast<int32_t>(arcs.heads.size()));
  }
  return arcs;
}

}  // namespace

TEST("the best tree over few arcs is that of the dense algorithm") {
  std::mt19937 source(7);
  SparseArborescence sparse;
  MaximumArborescence dense;
  int trees = 0, none = 0;
  for (int round = 0; round < 6000; ++round) {
    const int words = 1 + round % (round % 10 == 0 ? 60 : 8);
    const bool single_root = round % 2 == 0, ties = round % 3 == 0;
    const Arcs arcs = random_arcs(source, words, round % 5 == 0 ? 0.25 : 0.7, ties);
    std::vector<int32_t> found(static_cast<size_t>(words) + 1, -7), expected(found);
    const double value = sparse.solve(words, arcs.starts, arcs.heads, arcs.scores, single_root, found);
    const double best = dense.solve({arcs.dense.data(), words}, single_root, expected);
    if (best == kForbidden) {
      ++none;
      CHECK(value == kForbidden && found[0] == -7);
      continue;
    }
    ++trees;
    CHECK(is_tree(found, single_root));
    CHECK_NEAR(value, best, 1e-9);
    CHECK_NEAR(tree_score({arcs.dense.data(), words}, found), best, 1e-9);
    if (!ties) CHECK(found == expected);
  }
  CHECK(trees > 1000 && none > 100);
}

TEST("the tree factor of a long sentence finds the best tree and the numbers of its arcs") {
  std::mt19937 source(11);
  const int words = dense_words + 20;
  for (const bool single_root : {false, true}) {
    Arcs arcs = random_arcs(source, words, 0.02, false);
    std::vector<std::pair<int, int>> pairs;
    for (int m = 1; m <= words; ++m)
      for (int32_t arc = arcs.starts[static_cast<size_t>(m)]; arc < arcs.starts[static_cast<size_t>(m) + 1]; ++arc)
        pairs.emplace_back(arcs.heads[static_cast<size_t>(arc)], m);
    accord::graph::TreeFactor factor(words, pairs, false, single_root);
    std::vector<uint8_t> configuration(pairs.size());
    const double value = factor.maximize(arcs.scores, configuration);
    std::vector<int32_t> expected(static_cast<size_t>(words) + 1, -1);
    MaximumArborescence dense;
    CHECK_NEAR(value, dense.solve({arcs.dense.data(), words}, single_root, expected), 1e-9);
    CHECK(value > kForbidden && factor.score(configuration) == 0);
    for (size_t arc = 0; arc < pairs.size(); ++arc)
      CHECK((configuration[arc] != 0) == (expected[static_cast<size_t>(pairs[arc].second)] == pairs[arc].first));
  }
}
