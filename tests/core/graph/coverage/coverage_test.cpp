// SPDX-License-Identifier: Apache-2.0
// Coverage problems against enumeration: bounds hold, choices are feasible, and what is left out was not needed. Limits of forests
// against maximum flow.
#include "core/graph/coverage/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "core/graph/closure/forest_limits.hpp"
#include "core/graph/coverage/cuts.hpp"
#include "core/graph/coverage/improving.hpp"
#include "core/graph/coverage/share_bound.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

CoverageArrays random_arrays(std::mt19937& random, size_t units, double scale) {
  const auto below = [&](size_t n) { return static_cast<int32_t>(random() % n); };
  CoverageArrays a;
  const size_t concepts = 1 + random() % 6;
  for (size_t c = 0; c < concepts; ++c) a.weights.push_back(below(6) * scale), a.caps.push_back(1 + below(2));
  a.need_starts.push_back(0);
  for (size_t k = random() % (3 * units); k > 0; --k) {
    a.concept_of.push_back(below(concepts));
    a.counts.push_back(1);
    for (int32_t i = 1 + below(2); i > 0; --i) a.needs.push_back(below(units));
    a.need_starts.push_back(static_cast<int32_t>(a.needs.size()));
  }
  a.costs.resize(2);
  for (size_t u = 0; u < units; ++u) {
    a.scores.push_back((below(4) - 2) * scale);
    a.costs[0].push_back(below(5));
    a.costs[1].push_back(1);
    if (u > 0 && random() % 2) a.arcs.push_back({static_cast<int32_t>(u), below(u)});
    if (u > 1 && random() % 8 == 0) a.arcs.push_back({static_cast<int32_t>(u), below(u)});
  }
  a.limits = {static_cast<double>(below(12)), static_cast<double>(1 + below(static_cast<size_t>(units)))};
  if (units > 1 && random() % 2) a.pairs.push_back({0, static_cast<int32_t>(units) - 1, below(3) * scale});
  return a;
}

bool closed(const Coverage& problem, const std::vector<uint8_t>& chosen) {
  for (size_t u = 0; u < problem.units(); ++u)
    for (int32_t needed : problem.required_by(u))
      if (chosen[u] && !chosen[static_cast<size_t>(needed)]) return false;
  return true;
}

bool feasible(const Coverage& problem, const std::vector<uint8_t>& chosen) {
  return closed(problem, chosen) && UnitSelection(problem, chosen).is_feasible();
}

double best_value(const Coverage& problem) {
  double best = 0;
  std::vector<uint8_t> chosen(problem.units());
  for (uint64_t set = 0; set < (uint64_t{1} << problem.units()); ++set) {
    for (size_t u = 0; u < chosen.size(); ++u) chosen[u] = set >> u & 1;
    if (feasible(problem, chosen)) best = std::max(best, UnitSelection(problem, chosen).value());
  }
  return best;
}

std::vector<int32_t> all_groups(const Coverage& problem) {
  std::vector<int32_t> groups;
  for (size_t g = 0; g < problem.groups(); ++g) groups.push_back(static_cast<int32_t>(g));
  return groups;
}

}  // namespace

TEST("limits of a forest by pooling are those of maximum flow") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  ForestLimits forest;
  for (int run = 0; run < 2000; ++run) {
    const size_t items = 1 + random() % 9;
    std::vector<int32_t> parents;
    std::vector<double> weights, costs, limits(items);
    std::vector<Requirement> arcs;
    for (size_t i = 0; i < items; ++i) {
      parents.push_back(i > 0 && random() % 4 ? static_cast<int32_t>(random() % i) : -1);
      weights.push_back(run % 2 ? std::round(2 * normal(random)) : normal(random));
      costs.push_back(static_cast<double>(random() % 3));
      if (parents[i] >= 0) arcs.push_back({static_cast<int32_t>(i), parents[i]}), arcs.push_back(arcs.back());  // twice: not a forest
    }
    forest.find(parents, weights, costs, limits);
    const std::vector<double> flow = parametric_closure(weights, costs, arcs);
    for (size_t i = 0; i < items; ++i) CHECK_NEAR(limits[i], flow[i], 1e-9);
  }
}

TEST("bounds by shares hold at every step, and what they leave out no better choice has") {
  std::mt19937 random(2);
  for (int run = 0; run < 300; ++run) {
    const double scale = std::pow(10.0, static_cast<int>(random() % 25) - 12);
    const Coverage problem(random_arrays(random, 1 + random() % 9, scale));
    const double best = best_value(problem);
    ShareBound shares(problem);
    CHECK(shares.bound() >= best - 1e-9 * scale);
    UnitSelection choice(problem);
    std::vector<int32_t> added;
    Improver(problem, all_groups(problem)).fill(choice, added);
    for (int round = 0; round < 5; ++round) {
      shares.improve(choice.value(), 20, {});
      shares.prune(choice.value());
      CHECK(shares.bound() >= best - 1e-9 * scale);
    }
    const CutFound found = cut(problem, shares.groups(), shares.average(), {});
    CHECK(feasible(problem, found.chosen));
    CHECK(UnitSelection(problem, found.chosen).value() <= best + 1e-9 * scale);
  }
}

TEST("any closed choice is repaired and improved to a feasible one") {
  std::mt19937 random(3);
  for (int run = 0; run < 500; ++run) {
    const Coverage problem(random_arrays(random, 1 + random() % 12, 1.0));
    UnitSelection choice(problem, std::vector<uint8_t>(problem.units(), 1));
    Improver improver(problem, all_groups(problem));
    improver.repair(choice);
    CHECK(feasible(problem, choice.chosen()));
    const double before = choice.value();
    std::vector<int32_t> added;
    improver.fill(choice, added);
    improver.exchange(choice, 10, {});
    CHECK(feasible(problem, choice.chosen()));
    CHECK(choice.value() >= before - 1e-9);
    const double filled = choice.value();
    Improver::drop_idle(choice);
    CHECK(feasible(problem, choice.chosen()));
    CHECK(choice.value() >= filled - 1e-9);
  }
}

TEST("adding and removing units leaves nothing behind") {
  std::mt19937 random(4);
  for (int run = 0; run < 200; ++run) {
    const Coverage problem(random_arrays(random, 1 + random() % 12, 1.0));
    UnitSelection choice(problem);
    double value = choice.value();
    for (int step = 0; step < 40; ++step) {
      const auto unit = static_cast<int32_t>(random() % problem.units());
      value += choice.has(static_cast<size_t>(unit)) ? choice.remove(unit) : choice.add(unit);
      CHECK_NEAR(value, UnitSelection(problem, choice.chosen()).value(), 1e-9);
      CHECK_NEAR(value, choice.value(), 1e-9);
    }
  }
}

TEST("needs that others imply are left out") {
  CoverageArrays a;
  a.weights = {1}, a.caps = {1}, a.concept_of = {0}, a.counts = {1}, a.need_starts = {0, 3}, a.needs = {0, 1, 2};
  a.scores = {0, 0, 0}, a.costs = {{1, 1, 1}}, a.limits = {3}, a.arcs = {{1, 0}, {2, 1}};
  const Coverage problem(a);
  CHECK(problem.needs(0).size() == 1 && problem.needs(0).front() == 2);
}

TEST("wrong problems are refused") {
  const auto refused = [](auto change) {
    CoverageArrays a;
    a.weights = {1}, a.caps = {1}, a.concept_of = {0}, a.counts = {1}, a.need_starts = {0, 1}, a.needs = {0};
    a.scores = {0, 0}, a.costs = {{1, 1}}, a.limits = {1};
    change(a);
    try {
      const Coverage problem(a);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(!refused([](CoverageArrays&) {}));
  CHECK(refused([](CoverageArrays& a) { a.weights = {-1}; }));
  CHECK(refused([](CoverageArrays& a) { a.needs = {2}; }));
  CHECK(refused([](CoverageArrays& a) { a.need_starts = {0, 2}; }));
  CHECK(refused([](CoverageArrays& a) { a.costs = {{1}}; }));
  CHECK(refused([](CoverageArrays& a) { a.limits = {std::nan("")}; }));
  CHECK(refused([](CoverageArrays& a) { a.arcs = {{0, 1}, {1, 0}}; }));
  CHECK(refused([](CoverageArrays& a) { a.pairs = {{0, 1, -1}}; }));
}
