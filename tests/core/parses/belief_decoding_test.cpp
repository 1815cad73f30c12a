// SPDX-License-Identifier: Apache-2.0
// Trees by belief propagation: the decoder's answer is the tree with the most probable arcs, and says that it is an estimate.
#include <algorithm>
#include <random>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;

namespace {

const parses::DecoderSettings beliefs = cases::search_by(parses::Solver::belief_propagation, 100);
constexpr parses::PartFamilies second_order{true, true, false, false, false, false, false};

double expected_arcs(const PartLayout& layout, std::span<const double> probabilities, std::span<const int32_t> heads) {
  double total = 0;
  for (int m = 1; m <= layout.words(); ++m) total += probabilities[static_cast<size_t>(layout.find(heads[static_cast<size_t>(m)], m))];
  return total;
}

}  // namespace

TEST("the answer has the largest expected number of right arcs, beliefs settle, and there is no bound") {
  std::mt19937 random(31);
  int settled = 0;
  constexpr int trials = 100;
  for (int trial = 0; trial < trials; ++trial) {
    const int words = 2 + static_cast<int>(random() % 4);
    const bool projective = trial % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, true, random), second_order);
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
    parses::PartDecoder decoder(projective, true);
    const parses::Decoded decoded = decoder.decode(layout, scores, beliefs, heads);
    CHECK_NEAR(decoded.score, layout.score(scores, heads), 1e-9);
    CHECK(decoded.bound == INFINITY && decoded.iterations > 0);
    CHECK(decoded.status == graph::Status::estimate || decoded.status == graph::Status::budget);
    settled += decoded.status == graph::Status::estimate;
    std::vector<double> probabilities(layout.size());
    parses::PartBeliefSettings sweeps;
    sweeps.sweeps = beliefs.iterations;
    parses::PartSums(projective, true).run_beliefs(layout, scores, sweeps, probabilities);
    double best = 0;
    for_each_tree(layout, projective, true,
                  [&](std::span<const int32_t> tree) { best = std::max(best, expected_arcs(layout, probabilities, tree)); });
    CHECK(expected_arcs(layout, probabilities, heads) >= best - 1e-3);  // equal ones are told apart by scores
  }
  CHECK(settled >= trials * 9 / 10);
}

TEST("where one word has a choice beliefs are exact: the answer is that of all trees summed") {
  std::mt19937 random(32);
  for (int trial = 0; trial < 40; ++trial) {
    PartLayout layout;
    layout.build(3, std::vector<parses::CandidateArc>{{0, 1}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}, second_order);
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<int32_t> heads(4, -1), best(4, -1);
    const parses::Decoded decoded = parses::PartDecoder(false, false).decode(layout, scores, beliefs, heads);
    CHECK(decoded.status == graph::Status::estimate);
    double value = -INFINITY;
    for_each_tree(layout, false, false, [&](std::span<const int32_t> tree) {
      if (layout.score(scores, tree) <= value) return;
      value = layout.score(scores, tree);
      best.assign(tree.begin(), tree.end());
    });
    CHECK(std::equal(heads.begin() + 1, heads.end(), best.begin() + 1));
  }
}

TEST("evidence holds, and arcs that are forbidden stay out") {
  std::mt19937 random(33);
  for (int trial = 0; trial < 60; ++trial) {
    PartLayout layout;
    layout.build(4, random_arcs(4, true, random), second_order);
    std::vector<double> scores = random_scores(layout, random);
    const auto arcs = static_cast<size_t>(layout.arcs());
    std::vector<int8_t> evidence(arcs, -1);
    const auto required = static_cast<size_t>(layout.find(0, 2)), forbidden = static_cast<size_t>(layout.find(2, 1));
    evidence[required] = 1;
    scores[forbidden] = trees::kForbidden;
    std::vector<int32_t> heads(5, -1);
    const parses::Decoded decoded = parses::PartDecoder(false, false).decode(layout, scores, beliefs, heads, evidence);
    CHECK(decoded.status != graph::Status::infeasible && heads[2] == 0 && heads[1] != 2);
    CHECK(trees::is_tree(heads, false));
  }
}

TEST("without time for a sweep there is a tree all the same") {
  std::mt19937 random(34);
  PartLayout layout;
  layout.build(5, random_arcs(5, true, random), second_order);
  parses::DecoderSettings hurried = beliefs;
  hurried.seconds = 0;
  std::vector<int32_t> heads(6, -1);
  const parses::Decoded decoded = parses::PartDecoder(false, true).decode(layout, random_scores(layout, random), hurried, heads);
  CHECK(decoded.status == graph::Status::budget && decoded.iterations == 0 && trees::is_tree(heads, true));
}
