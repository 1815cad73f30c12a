// SPDX-License-Identifier: Apache-2.0
// What the tests of core/neural share: random numbers, the machine's levels of vector instructions, comparison of bits.
#pragma once
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "core/neural/kernels/simd.hpp"

namespace cases {

using accord::neural::Simd;

inline std::vector<float> normal(std::mt19937& random, size_t n, float deviation = 1) {
  std::normal_distribution<float> draw(0, deviation);
  std::vector<float> values(n);
  for (float& value : values) value = draw(random);
  return values;
}

// Of this machine, the plainest first.
inline std::vector<Simd> levels() {
  std::vector<Simd> all = {Simd::portable};
  for (Simd level : {Simd::avx2, Simd::avx512})
    if (level <= accord::neural::best_simd()) all.push_back(level);
  return all;
}

// Calls work at every level and returns the results; the level in use is what it was before.
template <typename Work>
auto at_levels(Work&& work) {
  const Simd before = accord::neural::simd();
  std::vector<decltype(work())> results;
  for (Simd level : levels()) {
    accord::neural::use_simd(level);
    results.push_back(work());
  }
  accord::neural::use_simd(before);
  return results;
}

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

inline bool close(std::span<const float> a, std::span<const double> b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i])))) return false;
  return true;
}

inline std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

// W x + b in double precision, rows of x one after the other.
inline std::vector<double> product(std::span<const float> weights, std::span<const float> bias, std::span<const float> x, size_t outputs,
                                   size_t inputs) {
  std::vector<double> y;
  for (size_t row = 0; row < x.size() / inputs; ++row)
    for (size_t o = 0; o < outputs; ++o) {
      double sum = bias.empty() ? 0 : bias[o];
      for (size_t k = 0; k < inputs; ++k) sum += static_cast<double>(weights[o * inputs + k]) * x[row * inputs + k];
      y.push_back(sum);
    }
  return y;
}

}  // namespace cases
