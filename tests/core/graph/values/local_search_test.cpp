// SPDX-License-Identifier: Apache-2.0
// Local searches against a loop over all settings.
#include "core/graph/values/costs/local_search.hpp"

#include <cmath>

#include "tests/core/check.hpp"
#include "tests/core/graph/values/small_values.hpp"

namespace {

using namespace accord::graph;
using small_values::all_values;
using small_values::Random;
using small_values::random_values;
using small_values::Setting;

// The network of a graph, and the least cost of its settings.
struct Problem {
  Problem(const ValueGraph& graph, const std::vector<double>& values) : costs(quantised(graph, 0)) {
    if (!values.empty()) least = (costs.scale.top - values[0]) / costs.scale.unit;
  }

  Quantised costs;
  double least = forbidden;
};

// The least cost of small networks, whatever a search begins with.
template <typename Search>
void finds_the_least_cost(double forbidden_share) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const ValueGraph graph = random_values(random, seed % 3 * forbidden_share, true);
    const std::vector<double> values = all_values(graph);
    const Problem problem(graph, values);
    Setting setting(graph.variables());
    for (size_t i = 0; i < setting.size(); ++i) setting[i] = static_cast<int32_t>(random() % graph.values(i));
    const double before = problem.costs.network.cost(setting);
    Search(problem.costs.network, 1).improve(setting, 1e6, {});
    const double cost = problem.costs.network.cost(setting);
    CHECK(cost <= before);
    if (values.empty()) CHECK(cost == forbidden);
    else CHECK_NEAR(cost, problem.least, 1e-12);
  }
}

// Scores of any size lead to the same setting.
template <typename Search>
void keeps_its_way_at_any_scale() {
  for (int seed = 0; seed < 50; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const ValueGraph graph = random_values(random, 0.2, true);
    Setting expected(graph.variables(), 0);
    const CostNetwork network = quantised(graph, 0).network;
    Search(network, 1).improve(expected, 1e4, {});
    for (const double scale : {0x1p-40, 0x1p40}) {
      ValueGraph scaled;
      for (size_t i = 0; i < graph.variables(); ++i) {
        std::vector<double> scores;
        for (const double score : graph.scores(i)) scores.push_back(score * scale);
        scaled.add_variable(scores);
      }
      for (const ValueTable& table : graph.tables()) {
        std::vector<double> scores;
        for (const double score : *table.scores) scores.push_back(score * scale);
        scaled.add_table(table.scope, std::move(scores));
      }
      Setting setting(graph.variables(), 0);
      const CostNetwork other = quantised(scaled, 0).network;
      Search(other, 1).improve(setting, 1e4, {});
      CHECK(setting == expected);
    }
  }
}

// A search that is stopped keeps what it has.
template <typename Search>
void stops() {
  Random random(7);
  const ValueGraph graph = random_values(random, 0, true);
  const CostNetwork network = quantised(graph, 0).network;
  Setting setting(graph.variables(), 0);
  const double before = network.cost(setting);
  Search(network, 1).improve(setting, 1e6, [] { return true; });
  CHECK(network.cost(setting) <= before);
}

// The same seed goes the same way, also in later calls.
template <typename Search>
void repeats_itself() {
  Random random(11);
  const ValueGraph graph = random_values(random, 0, true);
  const CostNetwork network = quantised(graph, 0).network;
  Setting one(graph.variables(), 0), other = one;
  Search first(network, 3), second(network, 3);
  for (int call = 0; call < 3; ++call) {
    first.improve(one, 3000, {});
    second.improve(other, 3000, {});
    CHECK(one == other);
  }
}

template <typename Search>
void claims(double forbidden_share) {
  finds_the_least_cost<Search>(forbidden_share);
  keeps_its_way_at_any_scale<Search>();
  stops<Search>();
  repeats_itself<Search>();
}

TEST("a walk with tabu values finds the least cost, at any scale, stops and repeats itself") { claims<TabuWalk>(0.2); }

TEST("annealing does where nothing is forbidden") { claims<Annealing>(0.0); }

TEST("all local searches in turn do") { claims<LocalSearch>(0.2); }

}  // namespace
