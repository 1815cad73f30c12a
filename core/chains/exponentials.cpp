// SPDX-License-Identifier: Apache-2.0
#include "core/chains/exponentials.hpp"

#include <bit>
#include <cstdint>
#include <limits>

#include "core/vectorise.hpp"

namespace accord::chains {

namespace {

// Adding this to a number of moderate size leaves its nearest integer in the lowest bits.
constexpr double rounder = 0x1.8p52;
constexpr double log2_e = 0x1.71547652b82fep0, log2_high = 0x1.62e42fefa0000p-1, log2_low = 0x1.cf79abc9e3b3ap-40;
constexpr double smallest = -700, moderate = 60;

[[gnu::always_inline]] inline double exponential(double x) {
  const double rounded = x * log2_e + rounder, k = rounded - rounder;
  const double r = (x - k * log2_high) - k * log2_low;
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return p * std::bit_cast<double>((std::bit_cast<uint64_t>(rounded) + 1023) << 52);
}

}  // namespace

ACCORD_VECTORISE void exponentiate_below(double* __restrict values, double shift, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const double x = values[i] - shift;
    values[i] = x < smallest ? 0.0 : exponential(x);
  }
}

ACCORD_VECTORISE bool exponentiate_moderate(const double* __restrict values, double* __restrict out, size_t n) {
  uint64_t far = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = values[i];
    far += static_cast<uint64_t>(!(x <= moderate)) | static_cast<uint64_t>(!(x >= -moderate));
    out[i] = exponential(x);
  }
  return far == 0;
}

ACCORD_VECTORISE double largest(const double* values, size_t n) {
  double lanes[8];
  for (double& lane : lanes) lane = -std::numeric_limits<double>::infinity();
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t j = 0; j < 8; ++j) lanes[j] = values[i + j] > lanes[j] ? values[i + j] : lanes[j];
  for (; i < n; ++i) lanes[0] = values[i] > lanes[0] ? values[i] : lanes[0];
  double result = lanes[0];
  for (size_t j = 1; j < 8; ++j) result = lanes[j] > result ? lanes[j] : result;
  return result;
}

ACCORD_VECTORISE bool any_far_below(const double* values, double shift, double distance, size_t n) {
  uint64_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool far = values[i] - shift<-distance, finite = values[i]> - std::numeric_limits<double>::infinity();
    count += static_cast<uint64_t>(far & finite);
  }
  return count > 0;
}

ACCORD_VECTORISE void add_products(double* __restrict out, const double* __restrict a, const double* __restrict b, double factor,
                                   size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += factor * a[i] * b[i];
}

}  // namespace accord::chains
