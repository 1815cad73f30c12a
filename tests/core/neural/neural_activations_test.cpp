// SPDX-License-Identifier: Apache-2.0
// Activations beside those of the standard library in double precision, at every level of vector instructions.
#include "core/neural/kernels/activations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;
using cases::normal;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float undefined = std::numeric_limits<float>::quiet_NaN();

double exact_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Every level's result, which must be one.
template <typename Work>
std::vector<float> same_at_levels(const std::vector<float>& values, Work&& work) {
  const auto found = cases::at_levels([&] {
    std::vector<float> made = values;
    work(std::span(made));
    return made;
  });
  for (const auto& other : found) CHECK(cases::same_bits(other, found[0]));
  return found[0];
}

std::vector<float> grid() {
  std::vector<float> values;
  for (int i = -400000; i <= 400000; ++i) values.push_back(static_cast<float>(i) / 20000);
  for (float x = 1e-30f; x < 1e30f; x *= 1.7f) values.insert(values.end(), {x, -x});
  return values;
}

double worst(const std::vector<float>& x, const std::vector<float>& y, double (*exact)(double)) {
  double most = 0;
  for (size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(y[i] - exact(x[i])));
  return most;
}

}  // namespace

TEST("sigmoid and tanh are within 1e-6 of the truth and within their limits") {
  const std::vector<float> x = grid();
  const std::vector<float> hyperbolic = same_at_levels(x, [](std::span<float> v) { tanh(v); });
  const std::vector<float> logistic = same_at_levels(x, [](std::span<float> v) { sigmoid(v); });
  CHECK(worst(x, hyperbolic, [](double v) { return std::tanh(v); }) < 1e-6);
  CHECK(worst(x, logistic, exact_sigmoid) < 1e-6);
  CHECK(*std::max_element(hyperbolic.begin(), hyperbolic.end()) == 1 && *std::min_element(hyperbolic.begin(), hyperbolic.end()) == -1);
  CHECK(*std::max_element(logistic.begin(), logistic.end()) == 1 && *std::min_element(logistic.begin(), logistic.end()) == 0);
}

TEST("infinite input has the limits, NaN stays") {
  const std::vector<float> x = {infinity, -infinity, undefined, 0};
  const std::vector<float> hyperbolic = same_at_levels(x, [](std::span<float> v) { tanh(v); });
  const std::vector<float> logistic = same_at_levels(x, [](std::span<float> v) { sigmoid(v); });
  CHECK(hyperbolic[0] == 1 && hyperbolic[1] == -1 && std::isnan(hyperbolic[2]) && hyperbolic[3] == 0);
  CHECK(logistic[0] == 1 && logistic[1] == 0 && std::isnan(logistic[2]) && logistic[3] == 0.5f);
}

TEST("a value's result does not depend on its place") {
  std::mt19937 random(21);
  for (size_t n = 0; n < 70; ++n) {
    const std::vector<float> x = normal(random, n, 3);
    const std::vector<float> all = same_at_levels(x, [](std::span<float> v) { sigmoid(v); });
    for (size_t i = 0; i < n; ++i) {
      std::vector<float> one = {x[i]};
      sigmoid(one);
      CHECK(one[0] == all[i]);
    }
  }
}

TEST("leaky rectifiers are what they are called") {
  std::mt19937 random(22);
  for (size_t n = 0; n < 70; ++n) {
    const std::vector<float> x = normal(random, 2 * n, 3);
    const std::vector<float> leaky = same_at_levels(x, [](std::span<float> v) { leaky_relu(v); });
    const std::vector<float> steep = same_at_levels(x, [](std::span<float> v) { leaky_relu(v, 0.5f); });
    for (size_t i = 0; i < 2 * n; ++i) {
      CHECK(leaky[i] == (x[i] > 0 ? x[i] : 0.1f * x[i]));
      CHECK(steep[i] == (x[i] > 0 ? x[i] : 0.5f * x[i]));
    }
  }
}

TEST("log-softmax is that of plain loops, whatever the spread") {
  std::mt19937 random(23);
  for (size_t n = 1; n < 100; ++n)
    for (float deviation : {0.1f, 3.0f, 100.0f}) {
      std::vector<float> x = normal(random, n, deviation);
      if (n > 2 && n % 3 == 0) x[random() % n] = -infinity;
      const double most = *std::max_element(x.begin(), x.end());
      double sum = 0;
      for (float value : x) sum += std::exp(value - most);
      const std::vector<float> found = same_at_levels(x, [](std::span<float> v) { log_softmax(v); });
      for (size_t i = 0; i < n; ++i) CHECK_NEAR(found[i], x[i] - most - std::log(sum), 1e-6);
    }
  const std::vector<float> nothing(5, -infinity);
  CHECK(same_at_levels(nothing, [](std::span<float> v) { log_softmax(v); }) == nothing);
  CHECK(same_at_levels({}, [](std::span<float> v) { log_softmax(v); }).empty());
}
