// SPDX-License-Identifier: Apache-2.0
// CPU time of projections on budgets and on subtrees, by the number of items. A line: kind, items, nanoseconds an item.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

#include "core/graph/factors/costs/budget.hpp"
#include "core/graph/factors/trees/subtree_factor.hpp"

namespace {

constexpr size_t kItems = 5'000'000;  // projected for each line, at least three projections

void measure(const char* kind, accord::graph::Factor& factor, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0.5, 1.0);
  std::vector<double> target(factor.size()), z(factor.size());
  const size_t rounds = 3 + kItems / factor.size();
  std::clock_t spent = 0;
  for (size_t round = 0; round < rounds; ++round) {
    for (double& value : target) value = normal(random);
    const std::clock_t start = std::clock();
    factor.project(target, 1.0, z);
    spent += std::clock() - start;
  }
  const double seconds = static_cast<double>(spent) / CLOCKS_PER_SEC;
  std::printf("%s %zu %.1f\n", kind, factor.size(), 1e9 * seconds / static_cast<double>(rounds * factor.size()));
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (size_t items = 100; items <= 1'000'000; items *= 10) {
    std::vector<double> costs(items);
    std::normal_distribution<double> normal;
    for (double& cost : costs) cost = std::exp(normal(random));
    accord::graph::Budget budget(costs, 0.2 * static_cast<double>(items));
    measure("budget", budget, random);
    std::vector<int> parents(items);
    for (size_t i = 0; i < items; ++i) parents[i] = i % 20 == 0 ? -1 : static_cast<int>(i - 1 - random() % (i % 20));
    accord::graph::SubtreeFactor trees(parents);
    measure("subtree", trees, random);
  }
}
