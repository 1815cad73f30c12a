// SPDX-License-Identifier: Apache-2.0
// Indicators of paths and projective arcs against their definitions, tree by tree.
#include "core/parses/graphs/path_indicators.hpp"

#include <cmath>
#include <random>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/tree_climbing.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;
using parses::PathIndicators;

namespace {

PartFamilies descents(bool path, bool nonprojective) {
  PartFamilies families;
  families.path = path;
  families.nonprojective = nonprojective;
  return families;
}

bool descends(std::span<const int32_t> heads, int ancestor, int word) {
  while (word > 0 && word != ancestor) word = heads[static_cast<size_t>(word)];
  return word == ancestor;
}

bool is_projective_arc(std::span<const int32_t> heads, int head, int dependent) {
  for (int word = std::min(head, dependent) + 1; word < std::max(head, dependent); ++word)
    if (!descends(heads, head, word)) return false;
  return true;
}

std::vector<uint8_t> arcs_on(const PartLayout& layout, std::span<const int32_t> heads) {
  std::vector<uint8_t> on;
  for (int arc = 0; arc < layout.arcs(); ++arc) on.push_back(heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc));
  return on;
}

void check_tree(const PartLayout& layout, const PathIndicators& indicators, std::span<const int32_t> heads) {
  const std::vector<uint8_t> values = indicators.values(heads);
  const auto on = [&](int number) { return number != PathIndicators::never && values[static_cast<size_t>(number)]; };
  for (int i = 1; i <= layout.words() && layout.families().path; ++i)
    for (int j = 1; j <= layout.words(); ++j)
      if (i != j) CHECK(on(indicators.path(i, j)) == descends(heads, i, j));
  for (int arc = 0; arc < layout.arcs() && layout.families().nonprojective; ++arc) {
    const int head = layout.head(arc), dependent = layout.dependent(arc);
    if (head == 0 || std::abs(head - dependent) == 1) continue;
    CHECK(on(indicators.covered(arc)) == (heads[static_cast<size_t>(dependent)] == head && is_projective_arc(heads, head, dependent)));
  }
}

TEST("on every tree indicators are what their names say, and the graph's value is the score") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 36; ++trial) {
    const int words = 1 + trial % 5;
    PartLayout layout;
    layout.build(words, random_arcs(words, trial % 2 == 0, random), descents(trial % 3 != 0, trial % 3 != 1));
    const std::vector<double> scores = random_scores(layout, random);
    const PathIndicators indicators(layout, false);
    const graph::FactorGraph graph = parses::make_part_graph(layout, scores, false, false);
    CHECK(graph.variables() == static_cast<size_t>(layout.arcs()) + indicators.size());
    for_each_tree(layout, false, false, [&](std::span<const int32_t> heads) {
      check_tree(layout, indicators, heads);
      std::vector<uint8_t> assignment = arcs_on(layout, heads);
      for (const uint8_t value : indicators.values(heads)) assignment.push_back(value);
      CHECK(check::near(graph.value(assignment), layout.score(scores, heads), 1e-9));
    });
  }
}

TEST("a tree leaves its indicators no other choice") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 12; ++trial) {
    PartLayout layout;
    layout.build(3, random_arcs(3, trial % 2 == 0, random), descents(trial % 3 != 0, trial % 3 != 1));
    const PathIndicators indicators(layout, false);
    const graph::FactorGraph graph = parses::make_part_graph(layout, random_scores(layout, random), false, false);
    for_each_tree(layout, false, false, [&](std::span<const int32_t> heads) {
      const std::vector<uint8_t> values = indicators.values(heads);
      std::vector<uint8_t> assignment = arcs_on(layout, heads);
      assignment.resize(graph.variables());
      for (uint64_t bits = 0; bits < (uint64_t{1} << values.size()); ++bits) {
        bool right = true;
        for (size_t i = 0; i < values.size(); ++i) {
          assignment[static_cast<size_t>(layout.arcs()) + i] = static_cast<uint8_t>(bits >> i & 1);
          right = right && (bits >> i & 1) == values[i];
        }
        CHECK((graph.value(assignment) > graph::impossible) == right);
      }
    });
  }
}

TEST("without path parts only pairs that some arc depends on have indicators; projective trees need none") {
  PartLayout layout;
  // 1 -> 2 -> 3, 1 -> 3 and nothing else: whether 2 descends from 1 is all that is asked.
  layout.build(3, std::vector<CandidateArc>{{0, 1}, {1, 2}, {1, 3}, {2, 3}}, descents(false, true));
  const PathIndicators indicators(layout, false);
  CHECK(indicators.size() == 2);
  CHECK(indicators.path(1, 2) == 0 && indicators.path(1, 3) == PathIndicators::never);
  CHECK(indicators.covered(layout.find(1, 3)) == 1);
  CHECK(PathIndicators(layout, true).size() == 0);
}

TEST("solvers find the best tree, keep their bounds and obey evidence") {
  std::mt19937 random(3);
  int certified = 0, trials = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const int words = 2 + trial % 4;
    const bool projective = trial % 5 == 0, single_root = random() % 2 == 0;
    PartFamilies families = descents(trial % 3 != 0, trial % 3 != 1);
    families.sibling = families.grandparent = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, random_arcs(words, words < 5 && random() % 2 == 0, random), families);
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<int8_t> evidence(static_cast<size_t>(layout.arcs()), -1);
    if (random() % 2 == 0) evidence[random() % evidence.size()] = static_cast<int8_t>(random() % 2);
    const auto agrees = [&](std::span<const int32_t> heads) {
      const std::vector<uint8_t> on = arcs_on(layout, heads);
      for (size_t arc = 0; arc < on.size(); ++arc)
        if (evidence[arc] >= 0 && evidence[arc] != on[arc]) return false;
      return true;
    };
    double best = -INFINITY;
    for_each_tree(layout, projective, single_root, [&](std::span<const int32_t> heads) {
      if (agrees(heads)) best = std::max(best, layout.score(scores, heads));
    });
    for (const parses::Solver solver :
         {parses::Solver::automatic, parses::Solver::ad3, parses::Solver::subgradient, parses::Solver::branch_and_bound}) {
      parses::DecoderSettings settings = cases::search_by();
      settings.solver = solver;
      settings.iterations = 200;
      std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
      const parses::Decoded decoded = parses::PartDecoder(projective, single_root).decode(layout, scores, settings, heads, evidence);
      if (best == -INFINITY) {
        CHECK(decoded.status == graph::Status::infeasible);
        continue;
      }
      CHECK(trees::is_tree(heads, single_root) && (!projective || trees::is_projective(heads)) && agrees(heads));
      CHECK(check::near(decoded.score, layout.score(scores, heads), 1e-9));
      CHECK(decoded.bound >= best - 1e-5 * (1 + std::fabs(best)));
      if (decoded.status == graph::Status::optimal) CHECK(check::near(decoded.score, best, 1e-5));
      if (solver == parses::Solver::branch_and_bound) CHECK(decoded.status == graph::Status::optimal);
      if (solver != parses::Solver::ad3) continue;
      ++trials;
      certified += decoded.status == graph::Status::optimal;
    }
  }
  CHECK(certified * 2 > trials);
}

TEST("a tree climbs until no other head of a word improves it, within the evidence") {
  std::mt19937 random(7);
  int better = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int words = 3 + trial % 2;
    const parses::TreeRules shape{trial % 3 == 0, trial % 2 == 0, {}};
    PartLayout layout;
    layout.build(words, random_arcs(words, true, random), descents(true, true));
    const std::vector<double> scores = random_scores(layout, random);
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
    for (int m = 1; m <= words; ++m) heads[static_cast<size_t>(m)] = m - 1;
    std::vector<int8_t> evidence(static_cast<size_t>(layout.arcs()), -1);
    const int kept = layout.find(1, 2), never = layout.find(0, 3);
    evidence[static_cast<size_t>(kept)] = 1;
    evidence[static_cast<size_t>(never)] = 0;
    const double before = layout.score(scores, heads);
    const double score = parses::climb(layout, scores, {shape.projective, shape.single_root, evidence}, heads, 100);
    const auto allowed = [&](std::span<const int32_t> tree) {
      return trees::is_tree(tree, shape.single_root) && (!shape.projective || trees::is_projective(tree)) && tree[2] == 1 && tree[3] != 0;
    };
    CHECK(allowed(heads) && score >= before && check::near(score, layout.score(scores, heads), 1e-9));
    better += score > before;
    for (int m = 1; m <= words; ++m)
      for (int32_t head = 0; head <= words; ++head) {
        std::vector<int32_t> other = heads;
        other[static_cast<size_t>(m)] = head;
        if (head != m && allowed(other)) CHECK(layout.score(scores, other) <= score + 1e-9);
      }
  }
  CHECK(better > 20);
}

TEST("parts without scores change nothing") {
  std::mt19937 random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const int words = 2 + trial % 3;
    const std::vector<CandidateArc> arcs = random_arcs(words, trial % 2 == 0, random);
    PartFamilies families;
    families.sibling = true;
    PartLayout poor, rich;
    poor.build(words, arcs, families);
    families.path = families.nonprojective = true;
    rich.build(words, arcs, families);
    const std::vector<double> scores = random_scores(poor, random);
    std::vector<double> more = scores;  // new families stand at the end
    more.resize(rich.size(), 0.0);
    parses::DecoderSettings settings = cases::search_by();
    settings.solver = parses::Solver::branch_and_bound;
    std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
    const double best = parses::PartDecoder(false, false).decode(poor, scores, settings, heads).score;
    const parses::Decoded decoded = parses::PartDecoder(false, false).decode(rich, more, settings, heads);
    CHECK(decoded.status == graph::Status::optimal && check::near(decoded.score, best, 1e-5));
  }
}

TEST("charts score non-projective parts, which projective trees do not have, and refuse paths") {
  std::mt19937 random(4);
  PartLayout layout;
  layout.build(4, random_arcs(4, true, random), descents(false, true));
  const std::vector<double> scores = random_scores(layout, random);
  double best = -INFINITY;
  for_each_tree(layout, true, true, [&](std::span<const int32_t> heads) { best = std::max(best, layout.score(scores, heads)); });
  parses::DecoderSettings settings = cases::search_by();
  settings.solver = parses::Solver::chart;
  std::vector<int32_t> heads(5, -1);
  CHECK(check::near(parses::PartDecoder(true, true).decode(layout, scores, settings, heads).score, best, 1e-9));
  layout.build(4, random_arcs(4, true, random), descents(true, false));
  const std::vector<double> paths = random_scores(layout, random);
  for (const parses::Solver solver : {parses::Solver::chart, parses::Solver::nonlocal}) {
    settings.solver = solver;
    bool refused = false;
    try {
      parses::PartDecoder(true, true).decode(layout, paths, settings, heads);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}

}  // namespace
