// SPDX-License-Identifier: Apache-2.0
// Exponentials beside std::exp.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/chains/exponentials.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST("exponentials are right to the last places") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> far(-690, 0), close(-1, 0);
  for (size_t n = 1; n < 40; ++n)
    for (int round = 0; round < 50; ++round) {
      std::vector<double> values(n);
      for (double& value : values) value = round % 2 == 0 ? far(random) : close(random);
      std::vector<double> found = values;
      for (double& value : found) value += 3.0;
      exponentiate_below(found.data(), 3.0, n);
      for (size_t i = 0; i < n; ++i) {
        const double exact = std::exp((values[i] + 3.0) - 3.0);
        CHECK(std::abs(found[i] - exact) <= 1e-15 * exact);
      }
    }
}

TEST("forbidden scores vanish and the largest is one") {
  std::vector<double> values = {-infinity, 2.0, -800.0, -infinity, 1.0};
  CHECK(largest(values.data(), values.size()) == 2.0);
  exponentiate_below(values.data(), 2.0, values.size());
  CHECK(values[0] == 0 && values[1] == 1 && values[2] == 0 && values[3] == 0);
}

TEST("the largest of any number of values, and what lies far below it") {
  std::mt19937 random(2);
  std::normal_distribution<double> normal(0, 100);
  for (size_t n = 1; n < 40; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = random() % 5 == 0 ? -infinity : normal(random);
    double most = -infinity;
    bool far = false;
    for (double value : values) most = std::max(most, value);
    for (double value : values) far |= value > -infinity && most - value > 150;
    CHECK(largest(values.data(), n) == most);
    if (most > -infinity) CHECK(any_far_below(values.data(), most, 150, n) == far);
  }
}
