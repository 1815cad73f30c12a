// SPDX-License-Identifier: Apache-2.0
// What belief propagation and subgradient dual decomposition share: infeasible graphs, answers in turn, budgets, empty graphs.
#include <vector>

#include "core/graph/solvers/beliefs/belief_propagation.hpp"
#include "core/graph/solvers/enumerate.hpp"
#include "core/graph/solvers/subgradient.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

TEST("what a factor cannot satisfy is infeasible, with and without evidence") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 2, 3});
  graph.add_factor(exactly_one(3), std::vector<int64_t>{0, 1, 2});
  BeliefSettings maximum;
  maximum.maximum = true;
  graph.set_evidence(std::vector<int8_t>{1, 1, -1});
  CHECK(Subgradient(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve(maximum).status == Status::infeasible);
  CHECK(enumerate(graph).status == Status::infeasible);
  graph.set_evidence(std::vector<int8_t>{-1, -1, -1});
  CHECK(Subgradient(graph).solve({}).status == Status::optimal);
  graph.add_factor(std::make_unique<ListedFactor>(1, std::vector<std::pair<Assignment, double>>{}), std::vector<int64_t>{0});
  CHECK(Subgradient(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve({}).status == Status::infeasible);
  FactorGraph torn;
  torn.add_variables(std::vector<double>{1});
  torn.add_factor(forced(0), std::vector<int64_t>{0});
  torn.add_factor(forced(1), std::vector<int64_t>{0});
  CHECK(BeliefPropagation(torn).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(torn).solve(maximum).status == Status::infeasible);
}

TEST("factors that answer one after another find allowed assignments where rounding rarely does") {
  // Five nodes of four labels, every two nodes coupled: exactly one label each.
  Random random(13);
  for (int round = 0; round < 20; ++round) {
    FactorGraph graph;
    std::vector<double> scores;
    for (int r = 0; r < 20; ++r) scores.push_back(draw(random, {}));
    graph.add_variables(scores);
    for (int64_t a = 0; a < 20; ++a)
      for (int64_t b = a / 4 * 4 + 4; b < 20; ++b) graph.add_factor(table(0, 0, 0, draw(random, {})), std::vector<int64_t>{a, b});
    for (int64_t r = 0; r < 20; r += 4) graph.add_factor(exactly_one(4), std::vector<int64_t>{r, r + 1, r + 2, r + 3});
    SubgradientSettings settings;
    settings.iterations = 20;
    const Solution result = Subgradient(graph).solve(settings), beliefs = BeliefPropagation(graph).solve({});
    CHECK(result.value > impossible && result.value <= result.bound);
    CHECK(beliefs.value > impossible);
  }
}

TEST("a raised flag stops before the first iteration, and budgets are kept") {
  Random random(12);
  const FactorGraph graph = random_graph(random, {});
  const Stop stop = [] { return true; };
  SubgradientSettings settings;
  settings.stop = stop;
  const Solution stopped = Subgradient(graph).solve(settings);
  CHECK(stopped.iterations == 0 && stopped.status == Status::budget);
  BeliefSettings beliefs;
  beliefs.stop = stop;
  CHECK(BeliefPropagation(graph).solve(beliefs).iterations == 0);
  settings.stop = {};
  settings.seconds = 0;
  CHECK(Subgradient(graph).solve(settings).iterations <= 1);
}

TEST("graphs without factors or without variables are solved too") {
  FactorGraph graph;
  CHECK(enumerate(graph).status == Status::optimal);
  CHECK(Subgradient(graph).solve({}).status == Status::optimal);
  CHECK(BeliefPropagation(graph).solve({}).log_partition == 0);
  graph.add_variables(std::vector<double>{1, -2, 3});
  const Solution result = Subgradient(graph).solve({});
  CHECK(result.status == Status::optimal && result.value == 4);
  BeliefSettings maximum;
  maximum.maximum = true;
  CHECK(BeliefPropagation(graph).solve(maximum).value == 4);
  CHECK_NEAR(BeliefPropagation(graph).solve({}).log_partition, enumerate(graph).log_partition, 1e-12);
}
