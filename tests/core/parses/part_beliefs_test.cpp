// SPDX-License-Identifier: Apache-2.0
// Beliefs about parts against sums over trees one by one.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/conjunction.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/parses/graphs/grandparent_automaton.hpp"
#include "core/parses/graphs/head_automata.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;

namespace {

bool has_tree(const PartLayout& layout, bool projective, bool single_root) {
  bool found = false;
  for_each_tree(layout, projective, single_root, [&](std::span<const int32_t>) { found = true; });
  return found;
}

// The chain 0 -> 1 -> 2 ..., with other heads for one word.
std::vector<CandidateArc> one_choice(int words, std::mt19937& random) {
  const int free = 1 + static_cast<int>(random() % static_cast<unsigned>(words));
  std::vector<CandidateArc> arcs;
  for (int m = 1; m <= words; ++m)
    for (int h = 0; h <= words; ++h)
      if (h == m - 1 || (m == free && h != m)) arcs.push_back({h, m});
  return arcs;
}

TEST("the expected counts of own scores are derivatives of the log of the sum") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto draw = [&](size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = normal(random);
    return values;
  };
  const auto check_derivatives = [&](auto&& make, size_t parts) {
    std::vector<double> table = draw(parts);
    const auto factor = make(table);
    CHECK(factor->parts() == parts);
    const std::vector<double> scores = draw(factor->size());
    std::vector<double> expected(parts), ignored(factor->size());
    factor->part_marginals(scores, expected);
    for (size_t k = 0; k < parts; ++k) {
      constexpr double step = 1e-5;
      const double kept = table[k];
      table[k] = kept + step;
      const double above = make(table)->marginals(scores, ignored);
      table[k] = kept - step;
      const double below = make(table)->marginals(scores, ignored);
      table[k] = kept;
      CHECK_NEAR(expected[k], (above - below) / (2 * step), 1e-7);
    }
  };
  using Table = std::vector<double>;
  for (int trial = 0; trial < 5; ++trial) {
    for (int n = 0; n <= 3; ++n) {
      const auto rows = static_cast<size_t>(n) + 1, width = rows + 1;
      check_derivatives([&](const Table& t) { return std::make_unique<parses::SiblingAutomaton>(n, t); }, rows * width);
      check_derivatives([&](const Table& t) { return std::make_unique<parses::TriSiblingAutomaton>(n, t); }, rows * rows * width);
      for (size_t g = 0; g <= 3; ++g) {
        const int heads = static_cast<int>(g);
        check_derivatives(
            [&](const Table& t) {
              const std::span<const double> all(t);
              return std::make_unique<parses::GrandSiblingAutomaton>(heads, n, all.first(rows * width),
                                                                     all.subspan(rows * width, g * width), all.subspan((rows + g) * width));
            },
            (rows + g + g * rows) * width);
        if (g > 0)
          check_derivatives([&](const Table& t) { return std::make_unique<parses::GrandparentAutomaton>(heads, n, t); }, g * width);
      }
      if (n > 0) check_derivatives([&](const Table& t) { return std::make_unique<graph::Cardinality>(t); }, rows);
    }
    check_derivatives([&](const Table& t) { return std::make_unique<graph::ChainFactor>(std::vector<int>{2, 3, 1}, t); }, 9);
    check_derivatives([&](const Table& t) { return std::make_unique<graph::Pair>(t[0]); }, 1);
    for (size_t n = 1; n <= 4; ++n) check_derivatives([&](const Table& t) { return std::make_unique<graph::Conjunction>(n, t[0]); }, 1);
  }
}

TEST("beliefs are exact when one word alone has a choice, and when there are arcs alone") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int words = 1 + static_cast<int>(random() % 4);
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0, arcs_alone = random() % 4 == 0;
    PartLayout layout;
    layout.build(words, arcs_alone ? random_arcs(words, true, random) : one_choice(words, random),
                 arcs_alone ? PartFamilies{} : families_of(static_cast<unsigned>(random() % 2048)));
    if (!arcs_alone) add_random_patterns(layout, random);
    const std::vector<double> scores = random_scores(layout, random);
    const Sums exact = sum_trees(layout, scores, projective, single_root);
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(projective, single_root);
    CHECK_NEAR(sums.run(layout, scores, posteriors), exact.log_partition, 1e-3);
    CHECK(sums.settled());
    CHECK(largest_difference(posteriors, exact.posteriors) < 1e-3);
  }
}

TEST("beliefs sum to one over the heads of a word, and come nearer to the exact ones than the arcs alone") {
  std::mt19937 random(5);
  double arc_error = 0, first_order_error = 0, part_error = 0, log_error = 0;
  int trials = 0, settled = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int words = 2 + static_cast<int>(random() % 3);
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), families_of(static_cast<unsigned>(random() % 2048)));
    if (!has_tree(layout, projective, single_root)) continue;
    std::vector<double> scores = random_scores(layout, random);
    for (size_t slot = static_cast<size_t>(layout.arcs()); slot < scores.size(); ++slot) scores[slot] *= 0.3;
    const Sums exact = sum_trees(layout, scores, projective, single_root);
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(projective, single_root);
    const double log_partition = sums.run(layout, scores, posteriors);
    for (int m = 1; m <= words; ++m) {
      double total = 0;
      for (int i = 0; i < layout.entering(m); ++i) total += posteriors[static_cast<size_t>(layout.first_entering(m) + i)];
      CHECK_NEAR(total, 1, 1e-9);
    }
    for (const double posterior : posteriors) CHECK(posterior >= 0 && posterior <= 1 + 1e-9);
    const auto arcs = static_cast<size_t>(layout.arcs());
    arc_error += largest_difference(std::span(posteriors).first(arcs), std::span(exact.posteriors).first(arcs));
    part_error += largest_difference(std::span(posteriors).subspan(arcs), std::span(exact.posteriors).subspan(arcs));
    log_error += std::fabs(log_partition - exact.log_partition);
    for (size_t slot = arcs; slot < scores.size(); ++slot) scores[slot] = 0;
    const Sums first_order = sum_trees(layout, scores, projective, single_root);
    first_order_error += largest_difference(std::span(first_order.posteriors).first(arcs), std::span(exact.posteriors).first(arcs));
    settled += sums.settled();
    ++trials;
  }
  CHECK(arc_error < 0.05 * trials);
  CHECK(arc_error < 0.4 * first_order_error);
  CHECK(part_error < 0.15 * trials);
  CHECK(log_error < 0.1 * trials);
  CHECK(settled * 10 > trials * 9);
}

TEST("beliefs stay finite under extreme scores") {
  std::mt19937 random(9);
  for (int trial = 0; trial < 60; ++trial) {
    PartLayout layout;
    layout.build(4, random_arcs(4, true, random), families_of(static_cast<unsigned>(random() % 2048)));
    std::vector<double> scores = random_scores(layout, random);
    const double scale = std::pow(10.0, static_cast<double>(random() % 6));
    for (double& score : scores) score *= scale;
    std::vector<double> posteriors(layout.size());
    parses::PartSums sums(false, true);
    CHECK(std::isfinite(sums.run(layout, scores, posteriors)));
    for (const double posterior : posteriors) CHECK(posterior >= 0 && posterior <= 1 + 1e-6);
  }
}

}  // namespace
