// SPDX-License-Identifier: Apache-2.0
// Gated convolutions against the definition in double precision.
#include "core/neural/convolution.hpp"

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

struct Block {
  int width, reach, dilation;
  std::vector<float> weights, bias;

  Block(std::mt19937& random, int width_, int reach_, int dilation_) : width(width_), reach(reach_), dilation(dilation_) {
    const auto inputs = static_cast<size_t>((2 * reach + 1) * width), outputs = static_cast<size_t>(2 * width);
    weights = normal(random, outputs * inputs, 1 / std::sqrt(static_cast<float>(inputs)));
    bias = normal(random, outputs);
  }

  GatedConvolution made(Precision precision) const { return {weights, bias, width, reach, dilation, precision}; }

  std::vector<double> plainly(const std::vector<float>& x, const std::vector<int>& lengths) const {
    std::vector<double> y;
    int start = 0;
    for (int length : lengths) {
      const auto input = [&](int word, int i) {
        return word < 0 || word >= length ? 0.0 : static_cast<double>(x[static_cast<size_t>((start + word) * width + i)]);
      };
      const auto output = [&](int t, int o) {
        double sum = bias[static_cast<size_t>(o)];
        for (int place = 0; place <= 2 * reach; ++place)
          for (int i = 0; i < width; ++i)
            sum += weights[static_cast<size_t>((o * (2 * reach + 1) + place) * width + i)] * input(t + (place - reach) * dilation, i);
        return sum;
      };
      for (int t = 0; t < length; ++t)
        for (int i = 0; i < width; ++i) y.push_back(input(t, i) + output(t, i) / (1 + std::exp(-output(t, width + i))));
      start += length;
    }
    return y;
  }
};

size_t words_of(const std::vector<int>& lengths) { return static_cast<size_t>(std::accumulate(lengths.begin(), lengths.end(), 0)); }

std::vector<float> run(const GatedConvolution& block, std::span<const float> x, const std::vector<int>& lengths, Scratch& scratch) {
  std::vector<float> y(x.size(), 9.0f);
  block.run(x, lengths, y, scratch);
  return y;
}

const std::vector<std::vector<int>> batches = {{}, {0}, {1}, {6}, {1, 3, 0, 7, 2}, {70, 1, 64}};

}  // namespace

TEST("blocks are what their definition says at every level, and AVX2 and AVX-512 agree in every bit") {
  std::mt19937 random(41);
  Scratch scratch;
  for (int width : {1, 5, 24})
    for (int reach : {0, 1, 2})
      for (int dilation : {1, 3})
        for (const std::vector<int>& lengths : batches) {
          const Block block(random, width, reach, dilation);
          const std::vector<float> x = normal(random, words_of(lengths) * static_cast<size_t>(width));
          const std::vector<double> expected = block.plainly(x, lengths);
          const GatedConvolution made = block.made(Precision::float32);
          const auto found = cases::at_levels([&] { return run(made, x, lengths, scratch); });
          for (const auto& y : found) CHECK(cases::close(y, expected, 1e-5));
          for (size_t level = 2; level < found.size(); ++level) CHECK(cases::same_bits(found[level], found[1]));
        }
}

TEST("int8 is near the definition and the same at every level") {
  std::mt19937 random(42);
  Scratch scratch;
  const Block block(random, 40, 1, 2);
  const std::vector<int> lengths = {9, 1, 30};
  const std::vector<float> x = normal(random, 40 * 40);
  const GatedConvolution made = block.made(Precision::int8);
  const auto found = cases::at_levels([&] { return run(made, x, lengths, scratch); });
  CHECK(cases::close(found[0], block.plainly(x, lengths), 0.08));
  for (const auto& y : found) CHECK(cases::same_bits(y, found[0]));
}

TEST("a sentence alone gives the bits it gives among others") {
  std::mt19937 random(43);
  const std::vector<int> lengths = {5, 90, 1, 33};
  const std::vector<float> x = normal(random, words_of(lengths) * 17);
  for (Precision precision : {Precision::float32, Precision::int8}) {
    const GatedConvolution made = Block(random, 17, 1, 1).made(precision);
    cases::at_levels([&] {
      Scratch scratch;
      const std::vector<float> together = run(made, x, lengths, scratch);
      size_t start = 0;
      for (int length : lengths) {
        const size_t values = static_cast<size_t>(length) * 17;
        const std::vector<float> alone = run(made, std::span(x).subspan(start, values), {length}, scratch);
        CHECK(cases::same_bits(alone, std::span(together).subspan(start, values)));
        start += values;
      }
      return 0;
    });
  }
}

TEST("shapes that do not fit are refused") {
  using Bad = std::invalid_argument;
  const std::vector<float> weights(2 * 2 * 6), bias(4), x(6);
  const auto make = [&](int width, int reach, int dilation, size_t biases) {
    GatedConvolution(weights, std::span(bias).first(biases), width, reach, dilation, Precision::float32);
  };
  CHECK(!check::throws<Bad>([&] { make(2, 1, 1, 4); }));
  CHECK(check::throws<Bad>([&] { make(2, 2, 1, 4); }));
  CHECK(check::throws<Bad>([&] { make(2, 1, 0, 4); }));
  CHECK(check::throws<Bad>([&] { make(2, -1, 1, 4); }));
  CHECK(check::throws<Bad>([&] { make(0, 1, 1, 4); }));
  CHECK(check::throws<Bad>([&] { make(2, 1, 1, 0); }));
  const GatedConvolution made(weights, bias, 2, 1, 1, Precision::float32);
  Scratch scratch;
  std::vector<float> y(6);
  const std::vector<int> two = {2}, three = {3};
  CHECK(check::throws<Bad>([&] { made.run(x, two, y, scratch); }));
  CHECK(check::throws<Bad>([&] { made.run(x, three, std::span(y).first(5), scratch); }));
  CHECK(!check::throws<Bad>([&] { made.run(x, three, y, scratch); }));
}
