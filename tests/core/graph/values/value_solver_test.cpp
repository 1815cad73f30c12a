// SPDX-License-Identifier: Apache-2.0
// Solvers on values against a loop over all settings: random tables over two and three variables, with forbidden tuples and ties.
#include "core/graph/values/value_solver.hpp"

#include "core/graph/values/costs/compaction.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/elimination.hpp"
#include "core/graph/values/costs/interchangeable.hpp"
#include "core/graph/values/costs/reparametrisation.hpp"
#include "core/graph/values/costs/value_search.hpp"
#include "core/graph/values/ranking.hpp"
#include "tests/core/check.hpp"
#include "tests/core/graph/values/small_values.hpp"

namespace {

using namespace accord::graph;
using small_values::all_values;
using small_values::Random;
using small_values::random_values;
using small_values::Setting;

// Tables that only tell equal values from different ones, over values of which the first `special` have scores of their own.
ValueGraph symmetric_values(Random& random, size_t values, size_t special) {
  ValueGraph graph;
  const auto draw = [&] { return std::round(3 * std::normal_distribution<double>()(random)); };
  const size_t variables = 5 + random() % 2;
  for (size_t i = 0; i < variables; ++i) {
    std::vector<double> scores(values, draw());
    for (size_t a = 0; a < special; ++a) scores[a] = draw();
    graph.add_variable(scores);
  }
  for (int32_t i = 0; i < static_cast<int32_t>(variables); ++i)
    for (int32_t j = i + 1; j < static_cast<int32_t>(variables); ++j) {
      if (random() % 4 == 0) continue;
      const double same = random() % 8 == 0 ? impossible : draw(), other = draw();
      std::vector<double> scores(values * values, other);
      for (size_t a = 0; a < values; ++a) scores[a * values + a] = same;
      graph.add_table(Setting{i, j}, std::move(scores));
    }
  return graph;
}

TEST("search finds the best setting where values are interchangeable") {
  for (int seed = 0; seed < 400; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const size_t special = random() % 3;
    const ValueGraph graph = symmetric_values(random, 3 + random() % 2, special);
    const std::vector<double> values = all_values(graph);
    ValueSettings settings;
    settings.elimination = 0;
    const ValueAnswer answer = solve_values(graph, settings);
    CHECK(answer.feasible == !values.empty());
    if (values.empty()) continue;
    CHECK(answer.status == Status::optimal);
    CHECK_NEAR(answer.value, values[0], 1e-10);
    CHECK(answer.bound >= values[0] - 1e-12);
  }
}

TEST("values are interchangeable when neither their costs nor any table tells them apart") {
  ValueGraph graph;
  for (int i = 0; i < 3; ++i) graph.add_variable(std::vector<double>{1, 0, 0, 0});
  std::vector<double> table(16, 0.0);
  for (size_t a = 0; a < 4; ++a) table[5 * a] = -1;
  graph.add_table(Setting{0, 1}, table);
  graph.add_table(Setting{1, 2}, table);
  CHECK((interchangeable_values(quantised(graph, 0).network, 1e6) == std::vector<int32_t>{0, 1, 1, 1}));
  CHECK(interchangeable_values(quantised(graph, 0).network, 10).empty());
  table[4 * 3 + 2] = -2;
  graph.add_table(Setting{0, 2}, table);
  CHECK(interchangeable_values(quantised(graph, 0).network, 1e6).empty());
}

TEST("search finds the best setting, with elimination and without") {
  for (int seed = 0; seed < 300; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const ValueGraph graph = random_values(random, seed % 3 * 0.3, seed % 2 == 0);
    const std::vector<double> values = all_values(graph);
    for (const double elimination : {1e9, 0.0}) {
      ValueSettings settings;
      settings.elimination = elimination;
      const ValueAnswer answer = solve_values(graph, settings);
      CHECK(answer.feasible == !values.empty());
      if (values.empty()) {
        CHECK(answer.status == Status::infeasible);
        continue;
      }
      CHECK(answer.status == Status::optimal);
      CHECK_NEAR(answer.value, values[0], 1e-10);
      CHECK(answer.bound >= values[0] - 1e-12);
    }
  }
}

TEST("search alone, without preparation, agrees") {
  for (int seed = 0; seed < 300; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const ValueGraph graph = random_values(random, seed % 3 * 0.3, seed % 2 == 0);
    const std::vector<double> values = all_values(graph);
    const std::vector<RankedSetting> ranked = best_settings(graph, 7, {});
    CHECK(ranked.size() == std::min<size_t>(7, values.size()));
    for (size_t k = 0; k < ranked.size(); ++k) {
      CHECK(ranked[k].certified);
      CHECK_NEAR(ranked[k].value, values[k], 1e-10);
    }
  }
}

TEST("passes never lower the bound, and no bound exceeds the least cost") {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const ValueGraph graph = random_values(random, 0, seed % 2 == 0);
    const Quantised costs = quantised(graph, 0);
    const double least = (costs.scale.top - all_values(graph)[0]) / costs.scale.unit;
    Reparametrisation messages(costs.network);
    double before = -forbidden;
    for (int pass = 0; pass < 20; ++pass) {
      const double bound = messages.pass(pass % 2 == 0);
      CHECK(bound >= before - 1e-9 * (1 + std::fabs(before)));
      CHECK(bound <= least + 1e-9 * (1 + least));
      before = bound;
    }
    messages.round();
    CHECK(SoftConsistency(costs.network, &messages).lower() <= least + costs.scale.error);
  }
}

TEST("whole scores have a common measure, and so have thousandths") {
  for (const double step : {1.0, 0.001, 0.25, 3e-7}) {
    ValueGraph graph;
    graph.add_variable(std::vector<double>{0, 7 * step});
    graph.add_variable(std::vector<double>{2 * step, -31 * step, 5 * step});
    graph.add_table(std::vector<int32_t>{0, 1}, std::vector<double>{0, step, 2 * step, 3 * step, 12 * step, impossible});
    const CostScale scale = quantised(graph, 0).scale;
    CHECK(scale.quantum > 0);
    CHECK_NEAR(scale.quantum * scale.unit, step, 1e-9);
  }
}

TEST("values that no tuple supports are out") {
  ValueGraph graph;
  for (int i = 0; i < 3; ++i) graph.add_variable(std::vector<double>(3, 0.0));
  const std::vector<double> less = {impossible, 0, 0, impossible, impossible, 0, impossible, impossible, impossible};  // x < y
  graph.add_table(std::vector<int32_t>{0, 1}, less);
  graph.add_table(std::vector<int32_t>{1, 2}, less);
  const CostNetwork network = quantised(graph, 0).network;
  Alive alive(9, 1);
  CHECK(arc_consistent(network, alive));
  CHECK((alive == Alive{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  CHECK(Compaction(network, alive).reduced().variables() == 0);
}

}  // namespace
