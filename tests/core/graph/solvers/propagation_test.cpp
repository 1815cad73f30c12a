// SPDX-License-Identifier: Apache-2.0
// Propagation never contradicts a graph that has an assignment, and sees through chains of rules.
#include <vector>

#include "core/graph/factors/logic.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/propagation.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

namespace {

void add(FactorGraph& graph, const char* kind, const std::vector<int64_t>& variables) {
  graph.add_factor(make_logic(kind, variables.size()), variables);
}

}  // namespace

TEST("what propagation contradicts has no assignment, and most graphs that have none are contradicted") {
  Random random(7);
  int infeasible = 0, contradicted = 0;
  for (int round = 0; round < 1000; ++round) {
    Shape shape;
    shape.allowed = 0.4;
    shape.evidence = round % 2 ? 0.2 : 0.0;
    const FactorGraph graph = random_graph(random, shape);
    const bool possible = naive(graph).best > impossible;
    const bool contradicts = Propagation(graph).contradicts({});
    CHECK(!(possible && contradicts));
    infeasible += !possible;
    contradicted += contradicts;
  }
  CHECK(infeasible > 100);
  CHECK(contradicted > 0.95 * infeasible);
}

TEST("a chain of implications from evidence to its opposite is a contradiction, which AD3 reports") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>(30, 0.0));
  for (int64_t r = 0; r + 1 < 30; ++r) add(graph, "implies", {r, r + 1});
  std::vector<int8_t> evidence(30, -1);
  evidence[0] = 1;
  graph.set_evidence(evidence);
  CHECK(!Propagation(graph).contradicts({}));
  evidence[29] = 0;
  graph.set_evidence(evidence);
  CHECK(Propagation(graph).contradicts({}));
  CHECK(Ad3(graph).solve({}).status == Status::infeasible);
}

TEST("a value that leads to a contradiction either way is found by probing") {
  // x or y, x or not y, not x or y, not x or not y: no factor alone excludes anything.
  FactorGraph graph;
  graph.add_variables(std::vector<double>(2, 0.0));
  for (const std::vector<uint8_t>& mask : std::vector<std::vector<uint8_t>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}})
    graph.add_factor(negate(make_logic("at_least_one", 2), mask), std::vector<int64_t>{0, 1});
  CHECK(Propagation(graph).contradicts({}));
}
