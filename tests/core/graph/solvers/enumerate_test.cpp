// SPDX-License-Identifier: Apache-2.0
// Enumeration against a naive loop over all assignments.
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/solvers/enumerate.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

TEST("enumeration equals a naive loop: optimum, log-partition, marginals, infeasibility") {
  Random random(2);
  int infeasible = 0;
  for (int round = 0; round < 400; ++round) {
    Shape shape;
    shape.variables = 1 + round % 9;
    shape.scale = round % 4 == 0 ? 800 : 1;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Solution result = enumerate(graph);
    check_contract(graph, result, truth);
    CHECK((result.status == Status::infeasible) == (truth.best == impossible));
    infeasible += truth.best == impossible;
    if (truth.best == impossible) continue;
    CHECK(result.status == Status::optimal && result.value == result.bound);
    CHECK_NEAR(result.log_partition, truth.log_partition, 1e-12);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK_NEAR(result.posteriors[r], truth.marginals[r], 1e-12);
  }
  CHECK(infeasible > 10 && infeasible < 300);
}

TEST("enumeration refuses more free variables than its limit, but not more fixed ones") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>(30, 1.0));
  bool refused = false;
  try {
    enumerate(graph);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  std::vector<int8_t> evidence(30, 1);
  evidence[3] = -1;
  graph.set_evidence(evidence);
  CHECK(enumerate(graph, 1).value == 30);
}

TEST("enumeration prunes: thirty variables under a chain of exactly-one factors") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>(30, 0.5));
  for (int64_t r = 0; r + 2 < 30; ++r) graph.add_factor(exactly_one(3), std::vector<int64_t>{r, r + 1, r + 2});
  const Solution result = enumerate(graph, 30);
  CHECK_NEAR(result.log_partition, 5 + std::log(3), 1e-12);
  for (double posterior : result.posteriors) CHECK_NEAR(posterior, 1.0 / 3, 1e-12);
}
