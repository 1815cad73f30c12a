// SPDX-License-Identifier: Apache-2.0
// Subtrees of a given forest against their definition, the contract of all factors, and large trees against what is known of them.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/graph/factors/trees/subtree_factor.hpp"
#include "tests/core/graph/factor_contract.hpp"

using namespace accord::graph;
using contract::check_contract;

namespace {

struct Forest {
  std::vector<int> parents;
  std::vector<uint8_t> tied;
};

// Nodes in any order; the shape runs from a chain to a star with the seed.
Forest random_forest(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> names(size);
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  Forest forest{std::vector<int>(size, -1), std::vector<uint8_t>(size, 0)};
  for (size_t place = 1; place < size; ++place) {
    if (random() % 5 == 0) continue;
    const size_t above = seed % 3 == 0 ? place - 1 : seed % 3 == 1 ? random() % place : random() % std::min<size_t>(place, 2);
    forest.parents[static_cast<size_t>(names[place])] = names[above];
    forest.tied[static_cast<size_t>(names[place])] = seed % 4 == 3 && random() % 3 == 0;
  }
  return forest;
}

double definition(const Forest& forest, std::span<const uint8_t> bits) {
  for (size_t i = 0; i < bits.size(); ++i) {
    if (forest.parents[i] < 0) continue;
    const bool above = bits[static_cast<size_t>(forest.parents[i])];
    if ((bits[i] && !above) || (forest.tied[i] && above && !bits[i])) return impossible;
  }
  return 0.0;
}

template <class Make>
bool refused(Make&& make) {
  try {
    make();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("subtrees keep the contract of all factors") {
  for (uint64_t seed = 0; seed < 48; ++seed) {
    const Forest forest = random_forest(1 + seed % 8, seed);
    SubtreeFactor factor(forest.parents, forest.tied);
    check_contract(factor, seed, [&](std::span<const uint8_t> bits) { return definition(forest, bits); });
  }
}

// The conditions of optimality: within a block the residuals of every part below a cut sum to at least zero, and residuals of a
// whole block to zero.
TEST("projections of large trees are monotone and leave no slope along any subtree") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.5, 0.3);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const size_t size = 2000;
    Forest forest = random_forest(size, 3 * seed + seed % 3);
    std::fill(forest.tied.begin(), forest.tied.end(), uint8_t{0});
    SubtreeFactor factor(forest.parents);
    std::vector<double> target(size), z(size), residual(size, 0.0);
    for (double& value : target) value = normal(random);
    factor.project(target, 1.0, z);
    for (size_t i = 0; i < size; ++i)
      if (forest.parents[i] >= 0) CHECK(z[i] <= z[static_cast<size_t>(forest.parents[i])]);
    // The gradient target - z must be a combination, with weights >= 0, of the constraints that hold with equality: flows up the tree.
    std::vector<int> children(size, 0);
    for (const int parent : forest.parents)
      if (parent >= 0) ++children[static_cast<size_t>(parent)];
    std::vector<size_t> ready;
    for (size_t i = 0; i < size; ++i)
      if (children[i] == 0) ready.push_back(i);
    for (size_t at = 0; at < ready.size(); ++at) {
      const size_t i = ready[at];
      residual[i] += target[i] - z[i];
      const int parent = forest.parents[i];
      const bool bound = z[i] <= 0 || z[i] >= 1;
      if (parent >= 0 && z[i] == z[static_cast<size_t>(parent)]) {
        if (!bound) CHECK(residual[i] >= -1e-9);
        residual[static_cast<size_t>(parent)] += residual[i];
      } else if (!bound) {
        CHECK(std::fabs(residual[i]) <= 1e-9);
      }
      if (parent >= 0 && --children[static_cast<size_t>(parent)] == 0) ready.push_back(static_cast<size_t>(parent));
    }
    CHECK(ready.size() == size);
  }
}

TEST("a path of a hundred thousand nodes is no problem") {
  const size_t size = 100000;
  std::vector<int> parents(size);
  std::iota(parents.begin(), parents.end(), -1);
  SubtreeFactor factor(parents);
  std::vector<double> target(size), z(size);
  for (size_t i = 0; i < size; ++i) target[i] = static_cast<double>(i) / static_cast<double>(size);  // all wrong: one block
  factor.project(target, 1.0, z);
  CHECK_NEAR(z.front(), 0.5, 1e-4);
  CHECK(z.front() == z.back());
  std::vector<uint8_t> on(size);
  std::vector<double> scores(size, -1.0);
  scores.back() = static_cast<double>(size);
  CHECK_NEAR(factor.maximize(scores, on), 1.0, 1e-12);
  CHECK(std::count(on.begin(), on.end(), 1) == static_cast<std::ptrdiff_t>(size));
}

TEST("what is no forest is refused") {
  CHECK(refused([] { SubtreeFactor({}); }));
  CHECK(refused([] { SubtreeFactor({1, 0}); }));
  CHECK(refused([] { SubtreeFactor({0}); }));
  CHECK(refused([] { SubtreeFactor({-1, 2}); }));
  CHECK(refused([] { SubtreeFactor({-2}); }));
  CHECK(refused([] { SubtreeFactor({-1, 0}, {1, 0}); }));
  CHECK(refused([] { SubtreeFactor({-1, 0}, {0}); }));
}
