// SPDX-License-Identifier: Apache-2.0
// The functions of one value that loops over many are made of. They have no branches and no fused operations, so compilers turn such
// loops into whatever vectors they are allowed, with one result.
//
// ACCORD_AT_LEVEL(f, parameters, arguments) defines f from f_here, compiled for every instruction set, chosen by simd().
#pragma once
#include <bit>
#include <cstdint>

#include "core/neural/kernels/simd.hpp"
#include "core/vectorise.hpp"

#if ACCORD_X86
#define ACCORD_AT_LEVEL(function, parameters, arguments)                         \
  namespace {                                                                    \
  ACCORD_AVX512 void function##_avx512 parameters { function##_here arguments; } \
  ACCORD_AVX2 void function##_avx2 parameters { function##_here arguments; }     \
  void function##_portable parameters { function##_here arguments; }             \
  }                                                                              \
  void function parameters {                                                     \
    if (simd() == Simd::avx512) function##_avx512 arguments;                     \
    else if (simd() == Simd::avx2) function##_avx2 arguments;                    \
    else function##_portable arguments;                                          \
  }
#else
#define ACCORD_AT_LEVEL(function, parameters, arguments) \
  void function parameters { function##_here arguments; }
#endif

namespace accord::neural {

// x P(x^2) / Q(x^2), fitted on [-9, 9]: absolute error below 4e-7. Beyond, where tanh is 1 - 3e-8, exactly 1.
ACCORD_INLINE float tanh_of(float x) {
  x = x > 9.0f ? 9.0f : x;
  x = x < -9.0f ? -9.0f : x;
  const float square = x * x;
  float above = 1.3184232372509541e-08f, below = 7.702668085585174e-07f;
  above = above * square + 2.047184170805849e-05f;
  below = below * square + 3.2713866676203907e-04f;
  above = above * square + 3.486582776531577e-03f;
  below = below * square + 2.5841983035206795e-02f;
  above = above * square + 1.3373199105262756e-01f;
  below = below * square + 4.670649468898773e-01f;
  above = above * square + 9.999998807907104e-01f;
  below = below * square + 1.0f;
  const float ratio = x * above / below;
  const float lower = ratio > 1.0f ? 1.0f : ratio;
  return lower < -1.0f ? -1.0f : lower;
}

ACCORD_INLINE float sigmoid_of(float x) { return 0.5f + 0.5f * tanh_of(0.5f * x); }

// exp(x) for x <= 0: 2^k times a polynomial in the rest; relative error below 3e-7. Below -87: 0.
ACCORD_INLINE float exponential_of(float x) {
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: sums with it are rounded to integers
  const float bounded = x > -87.0f ? x : -87.0f;
  const float power = (bounded * 1.44269504f + rounder) - rounder;
  const float rest = (bounded - power * 0.693359375f) + power * 2.12194440e-4f;  // log 2 in two parts, the first exact in products
  float sum = 1.0f / 720;
  sum = sum * rest + 1.0f / 120;
  sum = sum * rest + 1.0f / 24;
  sum = sum * rest + 1.0f / 6;
  sum = sum * rest + 0.5f;
  sum = sum * rest + 1.0f;
  sum = sum * rest + 1.0f;
  const float scaled = sum * std::bit_cast<float>((static_cast<int32_t>(power) + 127) << 23);
  return x > -87.0f ? scaled : 0.0f;
}

}  // namespace accord::neural
