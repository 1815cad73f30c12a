// SPDX-License-Identifier: Apache-2.0
// The two number types in which sums over derivations are computed, behind one set of names: double, fast and usually
// enough, and WideReal, which cannot underflow. An algorithm is written once, as a template over Number; its caller
// runs it on double, asks whether the result can be trusted, and repeats it on WideReal when it cannot.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/hypergraph/wide_real.hpp"

namespace accord::hypergraph {

// exp(x) for x <= 0 to about one unit in the last place, zero below -708. Branch-free, so that loops over it become
// vector code: x = k log 2 + r with |r| <= log(2)/2, then exp(r) = (q + p) / (q - p) with p odd and q even in r, the
// (6, 6) Pade approximant (error below 2^-60 on that interval), and k added to the exponent bits.
inline double exp_nonpositive(double x) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer held in the low bits
  const double shifted = x * 1.44269504088896340736 + kRound;
  const double power = shifted - kRound;
  const double r = (x - power * 6.93147180369123816490e-01) - power * 1.90821492927058770002e-10;
  const double square = r * r;
  const double p = r * (332640.0 + square * (10080.0 + square * 42.0));
  const double q = 665280.0 + square * (75600.0 + square * (840.0 + square));
  const double scale = std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) << 52) + 0x3FF0000000000000ULL);
  // 1 + 2p / (q - p) rounds better than the quotient itself: its second term is small.
  return x < -708.0 ? 0.0 : (1.0 + 2.0 * p / (q - p)) * scale;
}

template <class Number>
Number exp_as(double log_value) {
  if constexpr (sizeof(Number) == sizeof(double)) {
    return exp_nonpositive(log_value);
  } else {
    return Number::exp(log_value);
  }
}

inline double log_of(double value) { return std::log(value); }
inline double log_of(WideReal value) { return value.log(); }
inline bool is_zero(double value) { return value == 0.0; }
inline bool is_zero(WideReal value) { return value.is_zero(); }
inline double to_double(double value) { return value; }
inline double to_double(WideReal value) { return value.to_double(); }

// target[i] += factor * source[i]: the inner loop of sums over trees.
template <class Number>
inline void add_scaled(Number* __restrict target, Number factor, const Number* __restrict source, int count) {
  for (int i = 0; i < count; ++i) target[i] += factor * source[i];
}

// target[i] += the sum over t of factors[t] * source[t * step + i], four at a time: a quarter of the loads and stores.
template <class Number>
inline void add_four_scaled(Number* __restrict target, const Number* factors, const Number* __restrict source, std::ptrdiff_t step,
                            int count) {
  const Number f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  const Number* __restrict s0 = source;
  const Number* __restrict s1 = s0 + step;
  const Number* __restrict s2 = s1 + step;
  const Number* __restrict s3 = s2 + step;
  for (int i = 0; i < count; ++i) target[i] += (f0 * s0[i] + f1 * s1[i]) + (f2 * s2[i] + f3 * s3[i]);
}

// Sum of a[i] * b[i] in four interleaved parts: the order is fixed, so the result does not depend on the machine.
template <class Number>
inline Number dot(const Number* __restrict a, const Number* __restrict b, int count) {
  Number part[4] = {Number(0.0), Number(0.0), Number(0.0), Number(0.0)};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) part[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < count; ++i) part[0] += a[i] * b[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace accord::hypergraph
