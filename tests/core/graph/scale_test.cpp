// SPDX-License-Identifier: Apache-2.0
// The scale of a graph, careful sums, and what constants do to values.
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/factors/table.hpp"
#include "core/graph/scale.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

const std::vector<int64_t> first_two = {0, 1};

FactorGraph pair_of(std::vector<double> scores, double together) {
  FactorGraph graph;
  graph.add_variables(scores);
  graph.add_factor(std::make_unique<Pair>(together), first_two);
  return graph;
}

}  // namespace

TEST("the spread is the width of all values, and knows no constants") {
  FactorGraph graph = pair_of({1, -2, 1e9}, -4);
  CHECK(scale_of(graph).spread == 7);
  CHECK(scale_of(graph).unit == 1.5);
  CHECK(scale_of(graph).ceiling == 1);
  CHECK(constant_of(graph) == 1e9);
  graph.set_evidence(std::vector<int8_t>{-1, 1, -1});
  CHECK(scale_of(graph).spread == 5);
  CHECK(constant_of(graph) == 1e9 - 2);
}

TEST("the scale of scores is that of the factors where variables have none, and one where nothing is at stake") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{0, 0});
  graph.add_factor(make_logic("exactly_one", 2), first_two);
  CHECK(scale_of(graph).spread == 0);
  CHECK(scale_of(graph).unit == 1);
  graph.add_factor(std::make_unique<Table>(2, std::vector<double>{1e9, 1e9 + 8, 1e9, impossible}), first_two);
  CHECK(scale_of(graph).spread == 8);
  CHECK(scale_of(graph).unit < 4 && scale_of(graph).unit > 0.4);
}

TEST("a careful sum loses nothing to a large term") {
  CarefulSum sum;
  for (const double term : {0.25, 1e17, 0.5, -1e17, 0.25}) sum.add(term);
  CHECK(sum.value() == 1);
}

TEST("values are compared without the scores of variables that are decided alone") {
  const FactorGraph graph = pair_of({1e-9, 2e-9, 1e9}, 4e-9);
  const std::vector<uint8_t> one = {0, 1, 1}, both = {1, 1, 1};
  CHECK_NEAR(graph.coupled_value(both) - graph.coupled_value(one), 5e-9, 1e-20);
  CHECK(graph.value(both) == 1e9);
}
