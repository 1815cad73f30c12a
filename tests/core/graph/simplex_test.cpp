// SPDX-License-Identifier: Apache-2.0
// Thresholds of projections: the sum that is asked for is reached at every scale, and what is known of the answer does not change it.
#include "core/graph/simplex.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

double sum_at(const std::vector<double>& point, const std::vector<double>& costs, double threshold) {
  double sum = 0;
  for (size_t i = 0; i < point.size(); ++i) sum += costs[i] * clip(point[i] - threshold * costs[i]);
  return sum;
}

std::vector<double> drawn(std::mt19937& random, size_t size, double low, double high, double scale, bool tied) {
  std::uniform_real_distribution<double> between(low, high);
  std::vector<double> found(size);
  for (double& one : found) one = scale * (tied ? std::round(2 * between(random)) / 2 : between(random));
  return found;
}

}  // namespace

TEST("the threshold gives the sum that is asked for, with and without a number that is known to lie below it") {
  std::mt19937 random(7);
  std::vector<Breakpoint> breakpoints;
  for (int trial = 0; trial < 4000; ++trial) {
    const size_t size = 1 + random() % 12;
    const double scale = std::pow(10.0, static_cast<int>(random() % 9) - 4);  // of costs
    const bool tied = trial % 3 == 0;
    const std::vector<double> point = drawn(random, size, -2, 3, 1, tied), costs = drawn(random, size, 0, 3, scale, tied);
    const double least = trial % 2 == 0 ? 0.0 : -0.25 / scale, most = sum_at(point, costs, least);
    const double total = most * static_cast<double>(random() % 5) / 4;
    const double plain = box_threshold(point, costs, total, breakpoints);
    const double known = box_threshold(point, costs, total, breakpoints, least);
    CHECK(known >= least);
    CHECK_NEAR(sum_at(point, costs, known), total, 1e-9 * scale * static_cast<double>(size));
    CHECK_NEAR(sum_at(point, costs, plain), total, 1e-9 * scale * static_cast<double>(size));
  }
}

TEST("without costs, or with nothing above zero, the threshold is the least one") {
  std::vector<Breakpoint> breakpoints;
  const std::vector<double> point = {0.5, 2}, none = {0, 0}, low = {-1, 0}, costs = {1, 3};
  CHECK(box_threshold(point, none, 0, breakpoints) == 0);
  CHECK(box_threshold(point, none, 0, breakpoints, 0.0) == 0);
  CHECK(box_threshold(low, costs, 0, breakpoints, 0.0) == 0);
}
