// SPDX-License-Identifier: Apache-2.0
// Subgradient dual decomposition against a naive loop over all assignments.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/graph/solvers/subgradient.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

TEST("subgradient: the dual bounds the optimum at every iteration, certificates are true, evidence is obeyed") {
  Random random(7);
  int optimal = 0, feasible = 0;
  for (int round = 0; round < 500; ++round) {
    Shape shape;
    shape.factors = 2 + round % 7;
    shape.scale = round % 4 == 0 ? 100 : 1;
    shape.rounded = round % 5 == 0;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    SubgradientSettings settings;
    settings.iterations = 200;
    settings.trace = true;
    const Solution result = Subgradient(graph).solve(settings);
    check_contract(graph, result, truth);
    for (const TracePoint& point : result.trace) {
      CHECK(point.dual >= truth.best - slack(truth, 1e-9));
      CHECK(point.primal <= truth.best + slack(truth, 1e-9));
    }
    feasible += truth.best > impossible;
    optimal += result.status == Status::optimal;
  }
  CHECK(feasible > 250 && optimal > feasible / 2);
}

TEST("subgradient solves forests, whose relaxation is tight") {
  Random random(8);
  int optimal = 0, feasible = 0;
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.forest = true;
    const FactorGraph graph = random_graph(random, shape);
    if (naive(graph).best == impossible) continue;
    ++feasible;
    SubgradientSettings settings;
    settings.iterations = 3000;
    optimal += Subgradient(graph).solve(settings).status == Status::optimal;
  }
  CHECK(feasible > 50 && optimal >= feasible * 95 / 100);
}

TEST("multipliers sum to zero over the factors of a variable") {
  Random random(9);
  for (int round = 0; round < 50; ++round) {
    const FactorGraph graph = random_graph(random, {});
    Subgradient solver(graph);
    solver.solve({});
    std::vector<double> sums(graph.variables(), 0.0);
    for (size_t e = 0; e < graph.edges(); ++e) sums[static_cast<size_t>(graph.edge_variables()[e])] += solver.multipliers()[e];
    for (double sum : sums) CHECK(std::fabs(sum) < 1e-9);
  }
}

TEST("lazy decoding changes no iterate and saves calls") {
  Random random(10);
  size_t lazy_calls = 0, eager_calls = 0;
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.factors = 9;
    shape.evidence = round % 2 ? 0.2 : 0;
    const FactorGraph graph = random_graph(random, shape);
    SubgradientSettings settings;
    settings.trace = true;
    settings.iterations = 300;
    Subgradient lazy(graph), eager(graph);
    const Solution one = lazy.solve(settings);
    settings.lazy = false;
    const Solution other = eager.solve(settings);
    lazy_calls += lazy.oracle_calls();
    eager_calls += eager.oracle_calls();
    CHECK(one.status == other.status && one.iterations == other.iterations && one.bound == other.bound);
    CHECK(one.assignment == other.assignment && one.posteriors == other.posteriors);
    CHECK(std::equal(lazy.multipliers().begin(), lazy.multipliers().end(), eager.multipliers().begin()));
    CHECK(one.trace.size() == other.trace.size());
    for (size_t t = 0; t < one.trace.size(); ++t) CHECK(one.trace[t].dual == other.trace[t].dual);
  }
  CHECK(lazy_calls < eager_calls * 9 / 10);
}

TEST("a second solve starts from the multipliers of the first") {
  Random random(11);
  int cold_total = 0, warm_total = 0, feasible = 0;
  for (int round = 0; round < 60; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 6;
    FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    if (truth.best == impossible) continue;
    Subgradient solver(graph);
    const Solution cold = solver.solve({});
    if (cold.status != Status::optimal) continue;
    ++feasible;
    const Solution warm = solver.solve({});
    CHECK(warm.status == Status::optimal);
    CHECK_NEAR(warm.value, cold.value, 1e-9);
    cold_total += cold.iterations;
    warm_total += warm.iterations;
    std::vector<double> scores(graph.scores().begin(), graph.scores().end());
    for (double& score : scores) score += 0.05 * draw(random, shape);
    graph.set_scores(scores);
    check_contract(graph, solver.solve({}), naive(graph));
  }
  CHECK(feasible > 20 && warm_total < cold_total && warm_total <= feasible * 2);
}

TEST("a rounding hook is asked, and what it proposes is kept when it is best") {
  // Every pair repels: the relaxation takes half of each variable.
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 1, 1});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{0, 1});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{1, 2});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{2, 0});
  SubgradientSettings settings;
  settings.iterations = 50;
  int calls = 0;
  settings.round = [&](std::span<const double> posteriors, std::span<uint8_t> assignment) {
    ++calls;
    CHECK(posteriors.size() == 3 && assignment.size() == 3);
    std::fill(assignment.begin(), assignment.end(), uint8_t{0});
    assignment[1] = 1;
    return true;
  };
  const Solution result = Subgradient(graph).solve(settings);
  CHECK(calls > 0);
  CHECK_NEAR(result.value, 1.0, 1e-12);
  CHECK(result.status == Status::budget);
  CHECK_NEAR(result.bound, 1.5, 0.05);
  for (double posterior : result.posteriors) CHECK_NEAR(posterior, 0.5, 0.05);
}

TEST("steps towards a level come to the value of the relaxation, where it lies between the optimum and the first bound") {
  // Three variables, no two of which agree: half and half is worth 3, and every assignment 2.
  FactorGraph graph;
  graph.add_variables(std::vector<double>{0, 0, 0});
  for (const auto& pair : {std::vector<int64_t>{0, 1}, {1, 2}, {0, 2}}) graph.add_factor(table(0, 1, 1, 0), pair);
  SubgradientSettings settings;
  settings.step_rule = SubgradientRule::level;
  const Solution cycle = Subgradient(graph).solve(settings);
  CHECK_NEAR(cycle.bound, 3, 1e-3);
  CHECK(cycle.value == 2 && cycle.status == Status::budget);
  Random random(13);
  Shape forest;
  forest.forest = true;
  for (int round = 0; round < 200; ++round) {  // tight relaxations
    const FactorGraph tight = random_graph(random, forest);
    const Truth truth = naive(tight);
    if (truth.best == impossible) continue;
    settings.iterations = 20000;
    settings.tolerance = 0;
    const Solution result = Subgradient(tight).solve(settings);
    check_contract(tight, result, truth);
    CHECK_NEAR(result.bound, truth.best, 1e-3);
  }
}

TEST("a level comes nearer while the dual does not follow, and follows where it does") {
  TargetLevel level(1.0);
  const double first = level.step(10, 1, 6);  // aims half-way to the value
  CHECK_NEAR(first, 1.8 * 2, 1e-12);
  CHECK_NEAR(level.step(9, 1, 6), 1.8 * 2, 1e-12);  // half of what was asked for: now 7 is
  double last = first;
  for (int round = 0; round < 20; ++round) last = level.step(9, 4, 6);
  CHECK(last < first / 4 / 4 && last > 0);  // longer subgradients, and a gap that was halved on the way
  CHECK(level.step(6, 1, 6) == 0);          // nothing is left to go
}
