// SPDX-License-Identifier: Apache-2.0
// Belief propagation against a naive loop over all assignments.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/solvers/beliefs/belief_propagation.hpp"
#include "core/graph/solvers/enumerate.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

TEST("sum-product is exact on forests: marginals and log-partition, at every scale of scores, with evidence") {
  Random random(3);
  int feasible = 0;
  for (int round = 0; round < 600; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 7;
    shape.scale = std::vector<double>{1, 10, 60}[static_cast<size_t>(round % 3)];
    shape.own = round % 5 == 0 ? 3 : 1;
    shape.evidence = round % 2 ? 0.25 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Solution result = BeliefPropagation(graph).solve({});
    check_contract(graph, result, truth);
    if (truth.best == impossible) {
      CHECK(result.status == Status::infeasible);
      continue;
    }
    ++feasible;
    CHECK(result.status == Status::estimate);
    CHECK_NEAR(result.log_partition, truth.log_partition, 1e-9);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK_NEAR(result.posteriors[r], truth.marginals[r], 1e-8);
  }
  CHECK(feasible > 200);
}

TEST("max-product finds an optimum on forests and says so, ties and evidence included") {
  Random random(4);
  for (int round = 0; round < 600; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 7;
    shape.rounded = round % 2;
    shape.scale = round % 5 == 0 ? 1e4 : 1;
    shape.own = round % 7 == 0 ? 1e8 : 1;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    BeliefSettings settings;
    settings.maximum = true;
    const Solution result = BeliefPropagation(graph).solve(settings);
    check_contract(graph, result, truth);
    CHECK(result.status == (truth.best == impossible ? Status::infeasible : Status::optimal));
  }
}

TEST("on loopy graphs beliefs are finite and normalised, max-product bounds hold, runs repeat exactly") {
  Random random(5);
  int converged = 0, optimal = 0;
  for (int round = 0; round < 400; ++round) {
    Shape shape;
    shape.factors = 8;
    shape.scale = round % 4 == 0 ? 30 : 1;
    shape.evidence = round % 3 == 0 ? 0.2 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    for (const bool maximum : {false, true}) {
      BeliefSettings settings;
      settings.maximum = maximum;
      settings.damping = 0.3;
      BeliefPropagation solver(graph);
      const Solution result = solver.solve(settings), again = solver.solve(settings);
      check_contract(graph, result, truth);
      CHECK(result.posteriors == again.posteriors && result.iterations == again.iterations);
      if (result.status == Status::infeasible) continue;
      if (!maximum) CHECK(std::isfinite(result.log_partition));
      converged += result.status != Status::budget;
      optimal += result.status == Status::optimal;
    }
  }
  CHECK(converged > 300 && optimal > 30);
}

TEST("sum-product comes close on weakly coupled loops") {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.scale = 0.3;
    shape.allowed = 1;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Solution result = BeliefPropagation(graph).solve({});
    CHECK(result.status == Status::estimate);
    CHECK(std::fabs(result.log_partition - truth.log_partition) < 0.05);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK(std::fabs(result.posteriors[r] - truth.marginals[r]) < 0.05);
  }
}

TEST("opposed certainties keep their odds") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{0, 0, 0});
  graph.add_factor(table(0, 0, 0, 300), std::vector<int64_t>{0, 1});
  graph.add_factor(table(0, 0, 0, -299), std::vector<int64_t>{1, 2});
  graph.add_factor(table(0, 0, 300, 0), std::vector<int64_t>{2, 0});
  std::vector<int8_t> evidence = {1, -1, 1};  // the loop is cut: x_1 hears +300 from one side and -299 from the other
  graph.set_evidence(evidence);
  const Solution result = BeliefPropagation(graph).solve({});
  CHECK_NEAR(result.posteriors[1], 1 / (1 + std::exp(-1.0)), 1e-9);
  graph.set_evidence(std::vector<int8_t>{-1, -1, 1});
  const Truth truth = naive(graph);
  const Solution free = BeliefPropagation(graph).solve({});
  for (size_t r = 0; r < 3; ++r) CHECK_NEAR(free.posteriors[r], truth.marginals[r], 1e-9);
  CHECK_NEAR(free.log_partition, truth.log_partition, 1e-9);
}

TEST("temperature divides the scores of variables") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{2, -1, 0.5});
  graph.add_factor(exactly_one(3), std::vector<int64_t>{0, 1, 2});
  BeliefSettings settings;
  settings.temperature = 2;
  const Solution result = BeliefPropagation(graph).solve(settings);
  const double z = std::exp(1.0) + std::exp(-0.5) + std::exp(0.25);
  CHECK_NEAR(result.log_partition, std::log(z), 1e-12);
  CHECK_NEAR(result.posteriors[0], std::exp(1.0) / z, 1e-12);
}

TEST("belief propagation names the factor that cannot, and refuses settings out of range") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 2});
  auto factor = exactly_one(2);
  factor->refuses = true;
  graph.add_factor(std::move(factor), std::vector<int64_t>{0, 1});
  std::string said;
  try {
    BeliefPropagation(graph).solve({});
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("listed") != std::string::npos);
  FactorGraph empty;
  BeliefSettings wild;
  wild.damping = 1;
  said.clear();
  try {
    BeliefPropagation(empty).solve(wild);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("damping") != std::string::npos);
}
