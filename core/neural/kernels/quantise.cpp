// SPDX-License-Identifier: Apache-2.0
// Rounding of rows to small integers: elementwise and with exact comparisons, so that every instruction set gives the same.
#include <algorithm>
#include <bit>
#include <limits>

#include "core/neural/kernels/byte_product.hpp"
#include "core/neural/kernels/simd.hpp"
#include "core/vectorise.hpp"

namespace accord::neural {

namespace {

// Magnitudes compare like their bits, and NaN is larger than all.
ACCORD_INLINE int32_t largest_bits(const float* values, size_t n) {
  int32_t largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::bit_cast<int32_t>(values[i]) & 0x7fffffff);
  return largest;
}

template <typename Stored>
ACCORD_INLINE void round_all(const float* values, size_t n, float factor, int zero, Stored* out) {
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: sums with it are rounded to integers
  for (size_t i = 0; i < n; ++i) {
    float scaled = values[i] * factor;
    scaled = scaled > -127.0f ? scaled : -127.0f;
    scaled = scaled < 127.0f ? scaled : 127.0f;
    out[i] = static_cast<Stored>(static_cast<int32_t>((scaled + rounder) - rounder) + zero);
  }
}

template <typename Stored>
ACCORD_INLINE float quantise_here(std::span<const float> values, float bound, int zero, Stored* out, size_t padded) {
  const size_t n = values.size();
  std::fill(out + n, out + padded, static_cast<Stored>(zero));
  const float largest = bound > 0 ? bound : std::bit_cast<float>(largest_bits(values.data(), n));
  const bool finite = largest <= std::numeric_limits<float>::max();
  if (!finite || largest < 1e-30f) {
    std::fill(out, out + n, static_cast<Stored>(zero));
    return finite ? 0.0f : std::numeric_limits<float>::quiet_NaN();
  }
  round_all(values.data(), n, 127.0f / largest, zero, out);
  return largest / 127.0f;
}

#if ACCORD_X86
template <typename Stored>
ACCORD_AVX2 float quantise_avx2(std::span<const float> values, float bound, int zero, Stored* out, size_t padded) {
  return quantise_here(values, bound, zero, out, padded);
}

template <typename Stored>
ACCORD_AVX512 float quantise_avx512(std::span<const float> values, float bound, int zero, Stored* out, size_t padded) {
  return quantise_here(values, bound, zero, out, padded);
}
#endif

template <typename Stored>
float quantise_at_level(std::span<const float> values, float bound, int zero, Stored* out, size_t padded) {
#if ACCORD_X86
  if (simd() == Simd::avx512) return quantise_avx512(values, bound, zero, out, padded);
  if (simd() == Simd::avx2) return quantise_avx2(values, bound, zero, out, padded);
#endif
  return quantise_here(values, bound, zero, out, padded);
}

}  // namespace

float quantise(std::span<const float> values, float bound, int zero, uint8_t* out, size_t padded) {
  return quantise_at_level(values, bound, zero, out, padded);
}

float quantise(std::span<const float> values, float bound, int zero, int16_t* out, size_t padded) {
  return quantise_at_level(values, bound, zero, out, padded);
}

}  // namespace accord::neural
