// SPDX-License-Identifier: Apache-2.0
// Best closed sets against enumeration, and the limits of items against sets at single prices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "core/graph/closure/closure.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

struct Instance {
  std::vector<double> weights, costs;
  std::vector<Requirement> arcs;
};

Instance random_instance(std::mt19937& random, size_t items, bool whole, double scale) {
  std::normal_distribution<double> normal;
  Instance out;
  for (size_t i = 0; i < items; ++i) {
    out.weights.push_back((whole ? std::round(2 * normal(random)) : normal(random)) * scale);
    out.costs.push_back(static_cast<double>(random() % 4));
  }
  for (size_t k = random() % (3 * items); k > 0; --k)
    out.arcs.push_back({static_cast<int32_t>(random() % items), static_cast<int32_t>(random() % items)});
  return out;
}

bool closed(uint64_t set, const std::vector<Requirement>& arcs) {
  return std::all_of(arcs.begin(), arcs.end(), [&](const Requirement& arc) { return !(set >> arc.item & 1) || (set >> arc.required & 1); });
}

double worth(uint64_t set, const std::vector<double>& weights) {
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i)
    if (set >> i & 1) sum += weights[i];
  return sum;
}

double largest_worth(const std::vector<double>& weights, const std::vector<Requirement>& arcs) {
  double best = 0;
  for (uint64_t set = 0; set < (uint64_t{1} << weights.size()); ++set)
    if (closed(set, arcs)) best = std::max(best, worth(set, weights));
  return best;
}

uint64_t bits(const std::vector<uint8_t>& chosen) {
  uint64_t set = 0;
  for (size_t i = 0; i < chosen.size(); ++i) set |= uint64_t{chosen[i]} << i;
  return set;
}

}  // namespace

TEST("the best closed set is that of enumeration, at every scale, with ties and cycles") {
  std::mt19937 random(1);
  for (int round = 0; round < 600; ++round) {
    const double scale = std::pow(10.0, static_cast<int>(random() % 25) - 12);
    const Instance one = random_instance(random, 1 + random() % 9, round % 2 == 0, scale);
    const uint64_t chosen = bits(max_closure(one.weights, one.arcs));
    CHECK(closed(chosen, one.arcs));
    CHECK(std::fabs(worth(chosen, one.weights) - largest_worth(one.weights, one.arcs)) <= 1e-12 * scale);
  }
}

TEST("of sets of equal weight the smallest is chosen") {
  CHECK(max_closure(std::vector<double>{0, 0}, {}) == (std::vector<uint8_t>{0, 0}));
  CHECK(max_closure(std::vector<double>{2, -2}, std::vector<Requirement>{{0, 1}}) == (std::vector<uint8_t>{0, 0}));
  CHECK(max_closure(std::vector<double>{}, {}).empty());
}

TEST("a small component is solved beside one that is 24 orders of magnitude larger") {
  const std::vector<double> weights{3e12, -2e12, 3e-12, -2e-12, 2e-12, -3e-12};
  const std::vector<Requirement> arcs{{0, 1}, {2, 3}, {4, 5}};
  CHECK(max_closure(weights, arcs) == (std::vector<uint8_t>{1, 1, 1, 1, 0, 0}));
}

TEST("limits give the best set at every price") {
  std::mt19937 random(2);
  for (int round = 0; round < 400; ++round) {
    const Instance one = random_instance(random, 1 + random() % 8, false, 1);
    const std::vector<double> limits = parametric_closure(one.weights, one.costs, one.arcs);
    for (double price : {0.0, 0.013, 0.11, 0.37, 0.74, 1.9, 50.0}) {
      std::vector<double> net;
      std::vector<uint8_t> stays;
      for (size_t i = 0; i < limits.size(); ++i) {
        net.push_back(one.weights[i] - price * one.costs[i]);
        stays.push_back(limits[i] > price);
      }
      CHECK(closed(bits(stays), one.arcs));
      CHECK_NEAR(worth(bits(stays), net), largest_worth(net, one.arcs), 1e-12);
    }
  }
}

TEST("a long chain and a wide star are solved without deep recursion") {
  const size_t items = 200000;
  std::vector<double> weights(items, -1.0);
  weights[0] = static_cast<double>(items);
  std::vector<Requirement> arcs;
  for (int32_t i = 0; i + 1 < static_cast<int32_t>(items); ++i) arcs.push_back({i, i + 1});
  const std::vector<uint8_t> chosen = max_closure(weights, arcs);
  CHECK(std::count(chosen.begin(), chosen.end(), 1) == static_cast<int64_t>(items));
}

TEST("wrong numbers are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  int refused = 0;
  const auto refuses = [&](auto call) {
    try {
      call();
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  };
  const std::vector<double> one{1};
  refuses([&] { max_closure(std::vector<double>{nan}, {}); });
  refuses([&] { max_closure(one, std::vector<Requirement>{{0, 1}}); });
  refuses([&] { parametric_closure(one, std::vector<double>{-1}, {}); });
  refuses([&] { parametric_closure(one, std::vector<double>{1, 2}, {}); });
  CHECK(refused == 4);
}
