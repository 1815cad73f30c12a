// SPDX-License-Identifier: Apache-2.0
// Orders of elimination, and sums and maxima along them, against enumeration.
#include <cmath>
#include <random>

#include "core/graph/values/junction/elimination_order.hpp"
#include "core/graph/values/junction/junction_tree.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

using Random = std::mt19937_64;

std::vector<double> drawn(size_t count, Random& random) {
  std::normal_distribution<double> normal;
  std::vector<double> scores(count);
  for (double& score : scores) score = random() % 12 == 0 ? impossible : normal(random);
  return scores;
}

ValueGraph random_graph(size_t variables, size_t tables, Random& random) {
  ValueGraph graph;
  for (size_t i = 0; i < variables; ++i) graph.add_variable(drawn(1 + random() % 4, random));
  for (size_t t = 0; t < tables; ++t) {
    std::vector<int32_t> scope;
    size_t entries = 1;
    for (int32_t i = 0; i < static_cast<int32_t>(variables); ++i)
      if (random() % variables < 2) scope.insert(scope.begin() + static_cast<std::ptrdiff_t>(random() % (scope.size() + 1)), i);
    if (scope.empty()) scope.push_back(0);
    for (const int32_t i : scope) entries *= graph.values(static_cast<size_t>(i));
    graph.add_table(scope, drawn(entries, random));
  }
  graph.add_constant(0.5);
  return graph;
}

// Calls visit(setting) for every setting.
template <typename Visit>
void for_each_setting(const ValueGraph& graph, Visit&& visit) {
  std::vector<int32_t> setting(graph.variables(), 0);
  while (true) {
    visit(setting);
    size_t i = 0;
    while (i < setting.size() && static_cast<size_t>(++setting[i]) == graph.values(i)) setting[i++] = 0;
    if (i == setting.size()) return;
  }
}

}  // namespace

TEST("sums and maxima are those of enumeration") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const ValueGraph graph = random_graph(1 + random() % 6, random() % 8, random);
    double best = impossible, sum = 0;
    std::vector<double> marginals(graph.all_values(), 0.0);
    for_each_setting(graph, [&](const std::vector<int32_t>& setting) {
      const double value = graph.value(setting);
      best = std::max(best, value);
      sum += std::exp(value);
      for (size_t i = 0; i < setting.size(); ++i) marginals[graph.first(i) + static_cast<size_t>(setting[i])] += std::exp(value);
    });
    const auto order = elimination_order(graph, {});
    CHECK(order.has_value());
    JunctionTree tree(graph, *order);
    const BestSetting found = tree.best();
    CHECK(found.finished);
    CHECK(found.value == best || std::fabs(found.value - best) < 1e-12);
    const ValueSums sums = tree.sums();
    CHECK(sums.finished);
    if (best == impossible) {
      CHECK(sums.log_partition == impossible);
      continue;
    }
    CHECK(std::fabs(sums.log_partition - std::log(sum)) < 1e-10);
    double entropy = 0;
    for_each_setting(graph, [&](const std::vector<int32_t>& setting) {
      const double log_probability = graph.value(setting) - std::log(sum);
      if (log_probability > impossible) entropy -= std::exp(log_probability) * log_probability;
    });
    CHECK(std::fabs(sums.entropy - entropy) < 1e-9);
    for (size_t value = 0; value < marginals.size(); ++value) CHECK(std::fabs(sums.marginals[value] - marginals[value] / sum) < 1e-10);
  }
}

TEST("trees are eliminated from their leaves, and grids row by row") {
  Random random(1);
  ValueGraph tree;
  for (size_t i = 0; i < 200; ++i) {
    tree.add_variable(std::vector<double>(4, 0.0));
    if (i == 0) continue;
    const std::vector<int32_t> edge = {static_cast<int32_t>(random() % i), static_cast<int32_t>(i)};
    tree.add_table(edge, std::vector<double>(16, 1.0));
  }
  const auto of_tree = elimination_order(tree, {4.0, 28});
  CHECK(of_tree.has_value());
  CHECK(std::fabs(JunctionTree(tree, *of_tree).best().value - 199) < 1e-9);
  constexpr int32_t side = 12;
  ValueGraph grid;
  for (int32_t i = 0; i < side * side; ++i) grid.add_variable(std::vector<double>(2, 0.0));
  for (int32_t i = 0; i < side * side; ++i)
    for (const int32_t step : {1, side})
      if (step == 1 ? i % side + 1 < side : i + side < side * side)
        grid.add_table(std::vector<int32_t>{i, i + step}, std::vector<double>(4, 0.0));
  CHECK(elimination_order(grid, {side + 1, 28}).has_value());
  CHECK(!elimination_order(grid, {side - 1, 28}).has_value());
}
