// SPDX-License-Identifier: Apache-2.0
// Sums over drawn and weighted trees against sums over all trees.
#include "core/parses/decoders/weighted_trees.hpp"

#include <map>
#include <random>
#include <vector>

#include "core/parses/decoders/loop_erased_walks.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;
using parses::WeightedTrees;
using parses::WeightedTreeSettings;

namespace {

constexpr WeightedTreeSettings drawn{.listed = 0};

PartFamilies descents(bool path, bool nonprojective) {
  PartFamilies families;
  families.path = path;
  families.nonprojective = nonprojective;
  return families;
}

// The scores of parts larger than arcs, by this factor.
void scale_parts(const PartLayout& layout, double factor, std::span<double> scores) {
  for (double& score : scores.subspan(static_cast<size_t>(layout.arcs()))) score *= factor;
}

void check_heads(const PartLayout& layout, std::span<const double> posteriors) {
  for (int word = 1; word <= layout.words(); ++word) {
    double total = 0;
    for (int i = 0; i < layout.entering(word); ++i) total += posteriors[static_cast<size_t>(layout.first_entering(word) + i)];
    CHECK_NEAR(total, 1, 1e-9);
  }
  for (const double posterior : posteriors) CHECK(posterior >= 0 && posterior <= 1 + 1e-9);
}

double mean_difference(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) total += std::fabs(a[i] - b[i]);
  return a.empty() ? 0 : total / static_cast<double>(a.size());
}

TEST("few trees are listed: sums are exact, whatever the parts and the scores") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int words = 1 + trial % 4;
    const bool projective = random() % 3 == 0, single_root = random() % 2 == 0;
    PartFamilies families = families_of(static_cast<unsigned>(random() % 8192));
    families.path = true;
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), families);
    std::vector<double> scores = random_scores(layout, random);
    for (double& score : scores) score *= 3;
    const Sums exact = sum_trees(layout, scores, projective, single_root);
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(projective, single_root);
    CHECK_NEAR(sums.run(layout, scores, posteriors), exact.log_partition, 1e-9);
    CHECK(largest_difference(posteriors, exact.posteriors) < 1e-9);
    CHECK(sums.settled());
  }
}

TEST("walks draw each tree as often as its weight says, or give up") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 6; ++trial) {
    PartLayout layout;
    layout.build(3, random_arcs(3, trial % 3 != 0, random), {});
    const std::vector<double> scores = random_scores(layout, random);
    const bool single_root = trial % 2 == 0;
    const Sums exact = sum_trees(layout, scores, false, single_root);
    parses::LoopErasedWalks walks;
    walks.prepare(layout, scores, single_root, exact.posteriors);
    std::map<std::vector<int32_t>, double> shares;
    std::vector<int32_t> heads(4);
    constexpr int draws = 20000;
    int64_t steps = 1'000'000;
    for (uint64_t k = 0; k < draws; ++k) {
      RandomStream stream(1, k);
      CHECK(walks.draw(stream, steps, heads));
      shares[heads] += 1.0 / draws;
    }
    for_each_tree(layout, false, single_root, [&](std::span<const int32_t> tree) {
      const double probability = std::exp(layout.score(scores, tree) - exact.log_partition);
      CHECK(std::fabs(shares[{tree.begin(), tree.end()}] - probability) < 5 * std::sqrt(probability / draws) + 1e-4);
    });
    RandomStream stream(1, 0);
    steps = 1;
    CHECK(!walks.draw(stream, steps, heads));
  }
}

TEST("parts without scores leave arcs what the matrix-tree theorem says, and log Z") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const bool projective = trial % 4 == 0;
    PartLayout layout;
    layout.build(5, random_arcs(5, true, random), descents(true, trial % 2 == 0));
    std::vector<double> scores = random_scores(layout, random);
    scale_parts(layout, 0, scores);
    const Sums exact = sum_trees(layout, scores, projective, true);
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(projective, true, drawn);
    CHECK_NEAR(sums.run(layout, scores, posteriors), exact.log_partition, 1e-9);
    const auto arcs = static_cast<size_t>(layout.arcs());
    CHECK(largest_difference(std::span(posteriors).first(arcs), std::span(exact.posteriors).first(arcs)) < 1e-9);
    CHECK(largest_difference(posteriors, exact.posteriors) < 0.06);
  }
}

TEST("drawn trees come near the sums over all, and far nearer than arcs alone") {
  std::mt19937 random(4);
  double arc_error = 0, first_order_error = 0, part_error = 0, log_error = 0;
  constexpr int trials = 60;
  for (int trial = 0; trial < trials; ++trial) {
    const bool projective = trial % 5 == 0, single_root = random() % 2 == 0;
    PartFamilies families = descents(trial % 3 != 0, trial % 3 != 1);
    families.sibling = families.grandparent = trial % 4 == 0;
    families.path = families.path || projective;
    PartLayout layout;
    layout.build(5, random_arcs(5, true, random), families);
    std::vector<double> scores = random_scores(layout, random);
    const Sums exact = sum_trees(layout, scores, projective, single_root);
    std::vector<double> posteriors(layout.size()), again(layout.size());
    parses::PartSums sums(projective, single_root, drawn);
    const double log_partition = sums.run(layout, scores, posteriors);
    check_heads(layout, posteriors);
    CHECK(sums.run(layout, scores, again) == log_partition && again == posteriors);
    const auto arcs = static_cast<size_t>(layout.arcs());
    const std::span<const double> arc_posteriors = std::span(exact.posteriors).first(arcs);
    arc_error += mean_difference(std::span(posteriors).first(arcs), arc_posteriors);
    part_error += mean_difference(std::span(posteriors).subspan(arcs), std::span(exact.posteriors).subspan(arcs));
    log_error += std::fabs(log_partition - exact.log_partition);
    scale_parts(layout, 0, scores);
    const Sums first_order = sum_trees(layout, scores, projective, single_root);
    first_order_error += mean_difference(std::span(first_order.posteriors).first(arcs), arc_posteriors);
  }
  CHECK(arc_error < 0.02 * trials);
  CHECK(arc_error < 0.2 * first_order_error);
  CHECK(part_error < 0.03 * trials);
  CHECK(log_error < 0.1 * trials);
}

TEST("rounds make up for draws that have little of the weight") {
  std::mt19937 random(5);
  double once = 0, often = 0;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<CandidateArc> arcs;
    for (int m = 1; m <= 10; ++m)
      for (int h = std::max(0, m - 2); h <= std::min(10, m + 1); ++h)
        if (h != m) arcs.push_back({h, m});
    PartLayout layout;
    layout.build(10, arcs, descents(true, true));
    const std::vector<double> scores = random_scores(layout, random);
    const Sums exact = sum_trees(layout, scores, false, true);
    std::vector<double> posteriors(layout.size());
    const auto weights = std::span(scores).first(arcs.size());
    WeightedTrees(false, true, {.rounds = 1, .listed = 0}).run(layout, scores, weights, posteriors);
    once += mean_difference(posteriors, exact.posteriors);
    WeightedTrees(false, true, drawn).run(layout, scores, weights, posteriors);
    often += mean_difference(posteriors, exact.posteriors);
  }
  CHECK(often < 0.7 * once);
  CHECK(often < 12 * 0.04);
}

TEST("peaked scores of arcs do not hide trees that larger parts make good") {
  std::mt19937 random(7);
  double error = 0;
  constexpr int trials = 20;
  for (int trial = 0; trial < trials; ++trial) {
    PartLayout layout;
    layout.build(6, random_arcs(6, true, random), descents(true, true));
    std::vector<double> scores = random_scores(layout, random);
    for (double& score : scores) score *= 6;
    scale_parts(layout, 0.5, scores);
    const Sums exact = sum_trees(layout, scores, false, true);
    std::vector<double> posteriors(layout.size());
    parses::PartSums(false, true).run(layout, scores, posteriors);
    error += mean_difference(posteriors, exact.posteriors);
  }
  CHECK(error < 0.02 * trials);
}

TEST("words that want each other for heads, and extreme scores, leave probabilities what they must be") {
  std::mt19937 random(6);
  for (int trial = 0; trial < 30; ++trial) {
    PartLayout layout;
    layout.build(5, random_arcs(5, true, random), descents(true, trial % 2 == 0));
    std::vector<double> scores = random_scores(layout, random);
    for (const auto& [head, dependent] : {std::pair(1, 2), std::pair(2, 1)})
      scores[static_cast<size_t>(layout.find(head, dependent))] += 40;
    const double scale = std::pow(10.0, trial % 6);
    for (double& score : scores) score *= trial < 6 ? 1 : scale;
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(false, trial % 3 == 0, drawn);
    CHECK(std::isfinite(sums.run(layout, scores, posteriors)));
    check_heads(layout, posteriors);
    if (trial >= 6) continue;
    const Sums exact = sum_trees(layout, scores, false, trial % 3 == 0);
    const auto arcs = static_cast<size_t>(layout.arcs());
    CHECK(mean_difference(std::span(posteriors).first(arcs), std::span(exact.posteriors).first(arcs)) < 0.05);
  }
}

}  // namespace
