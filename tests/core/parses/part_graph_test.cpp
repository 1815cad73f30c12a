// SPDX-License-Identifier: Apache-2.0
// The factor graph of a parse against trees one by one: values, certificates, and decoding by every solver.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/parses/graphs/path_indicators.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;
using parses::PartLayout;

namespace {

PartFamilies without_valencies(unsigned bits) {
  PartFamilies families = families_of(bits);
  families.valency = false;
  return families;
}

TEST("branch and bound over a chart of higher order finds the best projective tree") {
  std::mt19937 random(11);
  parses::DecoderSettings settings = cases::search_by();
  settings.solver = parses::Solver::nonlocal;
  for (int trial = 0; trial < 150; ++trial) {
    const int words = trial % 50 == 0 ? 6 : trial % 10 == 0 ? 5 : 2 + static_cast<int>(random() % 3);
    const bool single_root = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), without_valencies(static_cast<unsigned>(random() % 2048)));
    add_random_patterns(layout, random);
    const std::vector<double> scores = random_scores(layout, random);
    double best = -INFINITY;
    for_each_tree(layout, true, single_root, [&](std::span<const int32_t> heads) { best = std::max(best, layout.score(scores, heads)); });
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
    const parses::Decoded decoded = parses::PartDecoder(true, single_root).decode(layout, scores, settings, heads);
    CHECK(decoded.status == graph::Status::optimal);
    CHECK(check::near(decoded.score, best, 1e-6));
  }
}

TEST("grandparents in the chart or as factors over it: the same tree, and the chart saves calls") {
  std::mt19937 random(12);
  parses::DecoderSettings settings = cases::search_by();
  settings.solver = parses::Solver::nonlocal;
  int charted = 0, factored = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int words = 3 + static_cast<int>(random() % 2);
    PartLayout layout;
    PartFamilies families = without_valencies(static_cast<unsigned>(random() % 2048));
    families.grandparent = true;
    layout.build(words, random_arcs(words, true, random), families);
    add_random_patterns(layout, random);
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<int32_t> in_chart(static_cast<size_t>(words) + 1, -1), as_factors = in_chart;
    settings.chart_grandparents = true;
    const parses::Decoded one = parses::PartDecoder(true, true).decode(layout, scores, settings, in_chart);
    settings.chart_grandparents = false;
    const parses::Decoded other = parses::PartDecoder(true, true).decode(layout, scores, settings, as_factors);
    CHECK(one.status == graph::Status::optimal && other.status == graph::Status::optimal);
    CHECK(in_chart == as_factors);
    CHECK(check::near(one.score, other.score, 1e-9));
    charted += one.iterations;
    factored += other.iterations;
  }
  CHECK(charted < factored);
}

TEST("without factors one call of the chart is enough") {
  std::mt19937 random(14);
  parses::DecoderSettings settings = cases::search_by();
  settings.solver = parses::Solver::nonlocal;
  for (unsigned bits = 1; bits < 16; ++bits) {
    PartLayout layout;
    layout.build(4, random_arcs(4, true, random), families_of(bits));
    std::vector<int32_t> heads(5, -1);
    const parses::Decoded decoded = parses::PartDecoder(true, true).decode(layout, random_scores(layout, random), settings, heads);
    CHECK(decoded.status == graph::Status::optimal && decoded.iterations == 1);
  }
}

TEST("solvers refuse parts that they lack") {
  std::mt19937 random(15);
  const auto refuses = [&](parses::Solver solver, const PartFamilies& families) {
    PartLayout layout;
    layout.build(4, random_arcs(4, true, random), families);
    parses::DecoderSettings settings = cases::search_by();
    settings.solver = solver;
    std::vector<int32_t> heads(5, -1);
    try {
      parses::PartDecoder(true, true).decode(layout, random_scores(layout, random), settings, heads);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  for (const unsigned bit : {4u, 5u, 6u, 7u, 8u, 9u}) CHECK(refuses(parses::Solver::chart, families_of(1u << bit)));
  for (const unsigned bit : {0u, 1u, 2u, 3u, 10u}) CHECK(!refuses(parses::Solver::chart, families_of(1u << bit)));
  for (unsigned bit = 0; bit <= 10; ++bit) CHECK(refuses(parses::Solver::nonlocal, families_of(1u << bit)) == (bit == 6));
  PartFamilies both = families_of(4);
  both.outer_grandparent = true;
  CHECK(refuses(parses::Solver::ad3, both));
}

TEST("values of trees are scores of their parts, and every solver decodes within its bound") {
  std::mt19937 random(7);
  parses::DecoderSettings ad3 = cases::search_by(), subgradient = ad3, level = ad3, exact = ad3;
  ad3.iterations = subgradient.iterations = level.iterations = exact.iterations = 500;
  ad3.solver = parses::Solver::ad3;
  subgradient.solver = level.solver = parses::Solver::subgradient;
  level.step_rule = graph::SubgradientRule::level;
  exact.solver = parses::Solver::branch_and_bound;
  int certified = 0, trials = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const int words = 1 + static_cast<int>(random() % 4);
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, random() % 2 == 0, random), families_of(static_cast<unsigned>(random() % 8192)));
    add_random_patterns(layout, random);
    const std::vector<double> scores = random_scores(layout, random);
    const graph::FactorGraph graph = parses::make_part_graph(layout, scores, projective, single_root);
    const parses::PathIndicators indicators(layout, projective);
    double best = -INFINITY;
    for_each_tree(layout, projective, single_root, [&](std::span<const int32_t> heads) {
      std::vector<uint8_t> assignment(static_cast<size_t>(layout.arcs()));
      for (int arc = 0; arc < layout.arcs(); ++arc)
        assignment[static_cast<size_t>(arc)] = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
      for (const uint8_t indicator : indicators.values(heads)) assignment.push_back(indicator);
      const double value = layout.score(scores, heads);
      CHECK(check::near(graph.value(assignment), value, 1e-9));
      best = std::max(best, value);
    });
    parses::PartDecoder decoder(projective, single_root);
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
    for (const parses::DecoderSettings& settings : {ad3, subgradient, level, exact}) {
      const parses::Decoded decoded = decoder.decode(layout, scores, settings, heads);
      CHECK(trees::is_tree(heads, single_root));
      CHECK(!projective || trees::is_projective(heads));
      CHECK(check::near(decoded.score, layout.score(scores, heads), 1e-9));
      CHECK(decoded.bound >= best - 1e-5 * (1 + std::fabs(best)));
      if (settings.solver == parses::Solver::branch_and_bound) CHECK(decoded.status == graph::Status::optimal);
      if (decoded.status == graph::Status::optimal) CHECK(check::near(decoded.score, best, 1e-5));
      if (settings.solver != parses::Solver::ad3) continue;
      ++trials;
      certified += decoded.status == graph::Status::optimal;
    }
  }
  CHECK(certified * 2 > trials);
}

TEST("parts may be added to a graph that is there, over any variables; scores of -infinity forbid arcs to the decoder") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const int words = 1 + static_cast<int>(random() % 4);
    PartLayout layout;
    layout.build(words, random_arcs(words, true, random), families_of(static_cast<unsigned>(random() % 8192)));
    add_random_patterns(layout, random);
    std::vector<double> scores = random_scores(layout, random);
    const graph::FactorGraph plain = parses::make_part_graph(layout, scores, false, true);
    // Two variables of somebody else, then the arcs backwards.
    graph::FactorGraph shared;
    shared.add_variables(std::vector<double>{1.5, 0.5});
    std::vector<int64_t> variables;
    for (int arc = 0; arc < layout.arcs(); ++arc) variables.push_back(2 + layout.arcs() - 1 - arc);
    std::vector<double> backwards(scores.begin(), scores.begin() + layout.arcs());
    std::reverse(backwards.begin(), backwards.end());
    shared.add_variables(backwards);
    parses::add_part_factors(shared, layout, scores, variables, false, true);
    std::vector<double> allowed = scores;
    for (int arc = 0; arc < layout.arcs(); ++arc)
      if (layout.head(arc) != layout.dependent(arc) - 1 && random() % 3 == 0) allowed[static_cast<size_t>(arc)] = trees::kForbidden;
    double best = -INFINITY;
    for_each_tree(layout, false, true, [&](std::span<const int32_t> heads) {
      std::vector<uint8_t> one(static_cast<size_t>(layout.arcs())), other(one.size() + 2, 0);
      other[0] = 1;
      for (int arc = 0; arc < layout.arcs(); ++arc) {
        const bool on = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
        one[static_cast<size_t>(arc)] = on;
        other[static_cast<size_t>(variables[static_cast<size_t>(arc)])] = on;
      }
      for (const uint8_t indicator : parses::PathIndicators(layout, false).values(heads)) {
        one.push_back(indicator);
        other.push_back(indicator);
      }
      CHECK(check::near(plain.value(one) + 1.5, shared.value(other), 1e-9));
      best = std::max(best, layout.score(allowed, heads));
    });
    for (const parses::Solver solver : {parses::Solver::ad3, parses::Solver::subgradient, parses::Solver::branch_and_bound}) {
      parses::DecoderSettings settings = cases::search_by();
      settings.solver = solver;
      std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
      const parses::Decoded decoded = parses::PartDecoder(false, true).decode(layout, allowed, settings, heads);
      CHECK(std::isfinite(decoded.score) && decoded.score <= best + 1e-9 && decoded.bound >= best - 1e-5 * (1 + std::fabs(best)));
      if (solver == parses::Solver::branch_and_bound)
        CHECK(decoded.status == graph::Status::optimal && check::near(decoded.score, best, 1e-5));
    }
  }
}

TEST("a spent budget leaves a tree") {
  std::mt19937 random(13);
  PartLayout layout;
  layout.build(5, random_arcs(5, true, random), families_of(31 + 128 + 256));
  const std::vector<double> scores = random_scores(layout, random);
  for (const parses::Solver solver :
       {parses::Solver::ad3, parses::Solver::subgradient, parses::Solver::branch_and_bound, parses::Solver::belief_propagation}) {
    parses::DecoderSettings settings = cases::search_by();
    settings.solver = solver;
    settings.seconds = 0;
    std::vector<int32_t> heads(6, -1);
    const parses::Decoded decoded = parses::PartDecoder(false, true).decode(layout, scores, settings, heads);
    CHECK(trees::is_tree(heads, true) && check::near(decoded.score, layout.score(scores, heads), 1e-9));
  }
}

}  // namespace
