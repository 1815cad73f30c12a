// SPDX-License-Identifier: Apache-2.0
// LSTM layers against the equations, one word at a time in double precision.
#include "core/neural/lstm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;
using cases::normal;

namespace {

struct Parameters {
  std::vector<float> input, recurrent, bias;
  LstmWeights weights() const { return {input, recurrent, bias}; }
};

Parameters draw(std::mt19937& random, size_t inputs, size_t units) {
  return {normal(random, 4 * units * inputs, 1 / std::sqrt(static_cast<float>(inputs))),
          normal(random, 4 * units * units, 1 / std::sqrt(static_cast<float>(units))), normal(random, 4 * units)};
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One direction over one sequence: y[t, 0..units) in rows of 2 units.
void plain(const Parameters& p, size_t inputs, size_t units, const float* x, size_t length, bool backward, double* y) {
  std::vector<double> h(units, 0), c(units, 0), gates(4 * units);
  for (size_t step = 0; step < length; ++step) {
    const size_t t = backward ? length - 1 - step : step;
    for (size_t g = 0; g < 4 * units; ++g) {
      gates[g] = p.bias[g];
      for (size_t k = 0; k < inputs; ++k) gates[g] += static_cast<double>(p.input[g * inputs + k]) * x[t * inputs + k];
      for (size_t k = 0; k < units; ++k) gates[g] += p.recurrent[g * units + k] * h[k];
    }
    for (size_t u = 0; u < units; ++u) {
      c[u] = sigmoid(gates[units + u]) * c[u] + sigmoid(gates[u]) * std::tanh(gates[2 * units + u]);
      h[u] = sigmoid(gates[3 * units + u]) * std::tanh(c[u]);
      y[t * 2 * units + (backward ? units : 0) + u] = h[u];
    }
  }
}

struct Layer {
  size_t inputs, units;
  Parameters forward, backward;
  Layer(std::mt19937& random, size_t inputs_, size_t units_)
      : inputs(inputs_),
        units(units_),
        forward(draw(random, inputs, units)),
        backward(draw(random, inputs, units)) {}

  Lstm made(Precision precision) const {
    return {forward.weights(), backward.weights(), static_cast<int>(inputs), static_cast<int>(units), precision};
  }

  std::vector<double> plainly(const std::vector<float>& x, const std::vector<int>& lengths) const {
    std::vector<double> y(x.size() / inputs * 2 * units);
    size_t start = 0;
    for (int length : lengths) {
      const auto n = static_cast<size_t>(length);
      plain(forward, inputs, units, x.data() + start * inputs, n, false, y.data() + start * 2 * units);
      plain(backward, inputs, units, x.data() + start * inputs, n, true, y.data() + start * 2 * units);
      start += n;
    }
    return y;
  }
};

size_t words_of(const std::vector<int>& lengths) { return static_cast<size_t>(std::accumulate(lengths.begin(), lengths.end(), 0)); }

std::vector<float> run(const Lstm& lstm, std::span<const float> x, const std::vector<int>& lengths, Scratch& scratch) {
  std::vector<float> y(words_of(lengths) * static_cast<size_t>(lstm.outputs()), 9.0f);
  lstm.run(x, lengths, y, scratch);
  return y;
}

const std::vector<std::vector<int>> batches = {
    {}, {0}, {1}, {5}, {1, 1, 1}, {3, 7, 1, 0, 7, 2}, {0, 4, 0}, {2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

}  // namespace

TEST("layers follow the equations at every level, and AVX2 and AVX-512 agree in every bit") {
  std::mt19937 random(31);
  Scratch scratch;  // shared by all sizes, so that what an earlier call left must not matter
  for (size_t units : {1, 3, 16, 50})
    for (size_t inputs : {1, 7, 33})
      for (const std::vector<int>& lengths : batches) {
        const Layer layer(random, inputs, units);
        const std::vector<float> x = normal(random, words_of(lengths) * inputs);
        const std::vector<double> expected = layer.plainly(x, lengths);
        const Lstm lstm = layer.made(Precision::float32);
        const auto found = cases::at_levels([&] { return run(lstm, x, lengths, scratch); });
        for (const auto& y : found) CHECK(cases::close(y, expected, 1e-5));
        for (size_t level = 2; level < found.size(); ++level) CHECK(cases::same_bits(found[level], found[1]));
      }
}

TEST("int8 layers are near the equations and the same at every level") {
  std::mt19937 random(32);
  Scratch scratch;
  for (const std::vector<int>& lengths : batches) {
    const Layer layer(random, 60, 50);
    const std::vector<float> x = normal(random, words_of(lengths) * 60);
    const Lstm lstm = layer.made(Precision::int8);
    const auto found = cases::at_levels([&] { return run(lstm, x, lengths, scratch); });
    CHECK(cases::close(found[0], layer.plainly(x, lengths), 0.06));
    for (const auto& y : found) CHECK(cases::same_bits(y, found[0]));
  }
}

TEST("a sequence alone gives the bits it gives among others") {
  std::mt19937 random(33);
  const Layer layer(random, 20, 35);
  for (Precision precision : {Precision::float32, Precision::int8}) {
    const Lstm lstm = layer.made(precision);
    for (const std::vector<int>& lengths : batches)
      cases::at_levels([&] {
        Scratch scratch;
        const std::vector<float> x = normal(random, words_of(lengths) * 20), together = run(lstm, x, lengths, scratch);
        size_t start = 0;
        for (int length : lengths) {
          const auto n = static_cast<size_t>(length);
          const std::vector<float> alone = run(lstm, std::span(x).subspan(start * 20, n * 20), {length}, scratch);
          CHECK(cases::same_bits(alone, std::span(together).subspan(start * 70, n * 70)));
          start += n;
        }
        return 0;
      });
  }
}

TEST("shapes that do not fit are refused") {
  std::mt19937 random(34);
  using Bad = std::invalid_argument;
  const Parameters good = draw(random, 3, 4), other = draw(random, 4, 4);
  CHECK(check::throws<Bad>([&] { Lstm(good.weights(), other.weights(), 3, 4, Precision::float32); }));
  CHECK(check::throws<Bad>([&] { Lstm(good.weights(), good.weights(), 3, 0, Precision::float32); }));
  CHECK(check::throws<Bad>([&] { Lstm({good.input, good.recurrent, {}}, good.weights(), 3, 4, Precision::float32); }));
  const Lstm lstm(good.weights(), good.weights(), 3, 4, Precision::float32);
  Scratch scratch;
  std::vector<float> y(16);
  const std::vector<float> x(6);
  const std::vector<int> negative = {3, -1}, long_one = {3}, right = {1, 1};
  CHECK(check::throws<Bad>([&] { lstm.run(x, negative, y, scratch); }));
  CHECK(check::throws<Bad>([&] { lstm.run(x, long_one, y, scratch); }));
  CHECK(check::throws<Bad>([&] { lstm.run(x, right, std::span(y).first(15), scratch); }));
  CHECK(!check::throws<Bad>([&] { lstm.run(x, right, y, scratch); }));
}
