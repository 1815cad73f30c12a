// SPDX-License-Identifier: Apache-2.0
// Values of forests: sums, marginals and the best choice are those of enumeration, at any scale of scores; circles are refused.
#include "core/trees/forest_values.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/core/check.hpp"

using accord::trees::ForestValues;

namespace {

struct World {
  std::vector<int32_t> parents, counts;
  ForestValues forest;

  World(std::mt19937_64& random, int nodes, int values, double scale) {
    for (int v = 0; v < nodes; ++v) {
      // Children may come before their parents: numbers are shuffled by a fixed step.
      parents.push_back(v == 0 || random() % 6 == 0 ? -1 : static_cast<int32_t>(random() % static_cast<unsigned>(v)));
      counts.push_back(1 + static_cast<int32_t>(random() % static_cast<unsigned>(values)));
    }
    std::vector<int32_t> turned(parents.size()), sizes(parents.size());
    const auto other = [&](int32_t v) { return v < 0 ? v : nodes - 1 - v; };
    for (int v = 0; v < nodes; ++v) {
      turned[static_cast<size_t>(other(v))] = other(parents[static_cast<size_t>(v)]);
      sizes[static_cast<size_t>(other(v))] = counts[static_cast<size_t>(v)];
    }
    parents = turned, counts = sizes;
    forest.build(parents, counts);
    std::normal_distribution<double> normal(0, scale);
    for (int v = 0; v < nodes; ++v) {
      for (double& score : forest.own(v)) score = normal(random);
      for (double& score : forest.pair(v)) score = normal(random);
    }
  }

  double score(const std::vector<int32_t>& choice) {
    double sum = 0;
    for (int v = 0; v < forest.nodes(); ++v) {
      const auto y = static_cast<size_t>(choice[static_cast<size_t>(v)]);
      sum += forest.own(v)[y];
      if (parents[static_cast<size_t>(v)] < 0) continue;
      const auto x = static_cast<size_t>(choice[static_cast<size_t>(parents[static_cast<size_t>(v)])]);
      sum += forest.pair(v)[x * static_cast<size_t>(counts[static_cast<size_t>(v)]) + y];
    }
    return sum;
  }

  template <typename Visit>
  void each(Visit&& visit) {
    std::vector<int32_t> choice(parents.size(), 0);
    while (true) {
      visit(choice);
      size_t v = 0;
      while (v < choice.size() && ++choice[v] == counts[v]) choice[v++] = 0;
      if (v == choice.size()) return;
    }
  }
};

}  // namespace

TEST("sums, marginals and the best choice are those of enumeration") {
  std::mt19937_64 random(3);
  for (const double scale : {0.0, 1e-12, 1e-3, 1.0, 20.0, 1e6, 1e12})
    for (int trial = 0; trial < 30; ++trial) {
      World world(random, 1 + trial % 6, 4, scale);
      double top = -INFINITY;
      world.each([&](const std::vector<int32_t>& choice) { top = std::max(top, world.score(choice)); });
      double sum = 0;
      std::vector<double> first(static_cast<size_t>(world.counts[0]));
      world.each([&](const std::vector<int32_t>& choice) {
        const double share = std::exp(world.score(choice) - top);
        sum += share;
        first[static_cast<size_t>(choice[0])] += share;
      });
      CHECK(check::near(world.forest.log_partition(), top + std::log(sum), 1e-9));
      CHECK(check::near(world.forest.marginals(), top + std::log(sum), 1e-9));
      for (size_t y = 0; y < first.size(); ++y) CHECK(std::abs(world.forest.own_marginals(0)[y] - first[y] / sum) < 1e-6);
      std::vector<int32_t> choice(world.parents.size());
      CHECK(check::near(world.forest.maximize(choice), top, 1e-12));
      CHECK(check::near(world.score(choice), top, 1e-12));
    }
}

TEST("circles and parents that are no nodes are refused") {
  ForestValues forest;
  const std::vector<int32_t> counts{2, 2, 1};
  CHECK(check::throws([&] { forest.build(std::vector<int32_t>{1, 0, -1}, counts); }));
  CHECK(check::throws([&] { forest.build(std::vector<int32_t>{3, -1, -1}, counts); }));
  CHECK(check::throws([&] { forest.build(std::vector<int32_t>{-1, -1, -1}, std::vector<int32_t>{1, 0, 1}); }));
}
