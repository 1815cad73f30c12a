// SPDX-License-Identifier: Apache-2.0
// The k best trees under part scores against all trees, sorted.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "core/parses/decoders/part_ranking.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;

namespace {

TEST("the list is that of enumeration, certified by branch and bound, and honest without proofs") {
  std::mt19937 random(21);
  parses::DecoderSettings exact = cases::search_by(), relaxed = exact, beliefs = exact;
  exact.solver = parses::Solver::branch_and_bound;
  relaxed.solver = parses::Solver::ad3;
  relaxed.iterations = 30;
  beliefs.solver = parses::Solver::belief_propagation;
  int certified = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int words = 1 + static_cast<int>(random() % 4), k = 1 + static_cast<int>(random() % 6);
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), families_of(static_cast<unsigned>(random() % 512)));
    add_random_patterns(layout, random);
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<double> all;
    for_each_tree(layout, projective, single_root, [&](std::span<const int32_t> heads) { all.push_back(layout.score(scores, heads)); });
    std::sort(all.rbegin(), all.rend());
    parses::PartDecoder decoder(projective, single_root);
    for (const parses::DecoderSettings& settings : {exact, relaxed, beliefs}) {
      const std::vector<parses::RankedParse> ranked = parses::rank_parses(decoder, layout, scores, settings, k);
      CHECK(ranked.size() == std::min(all.size(), static_cast<size_t>(k)));
      std::set<std::vector<int32_t>> distinct;
      for (size_t i = 0; i < ranked.size(); ++i) {
        distinct.insert(ranked[i].heads);
        CHECK(trees::is_tree(ranked[i].heads, single_root));
        CHECK_NEAR(ranked[i].score, layout.score(scores, ranked[i].heads), 1e-9);
        if (ranked[i].certified) CHECK_NEAR(ranked[i].score, all[i], 1e-5);
        if (settings.solver == parses::Solver::branch_and_bound) CHECK(ranked[i].certified);
        if (i > 0) CHECK(ranked[i - 1].certified || !ranked[i].certified);
        certified += ranked[i].certified;
      }
      CHECK(distinct.size() == ranked.size());
    }
  }
  CHECK(certified > 0);
}

}  // namespace
