// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/halves.hpp"

#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>
#endif

namespace accord::neural {

namespace {

void add_halves_portable(const uint16_t* halves, float scale, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += scale * half_to_float(halves[i]);
}

#if ACCORD_X86
ACCORD_AVX2 void add_halves_f16c(const uint16_t* halves, float scale, float* out, size_t n) {
  const __m256 factor = _mm256_set1_ps(scale);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 values = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i)));
    _mm256_storeu_ps(out + i, _mm256_add_ps(_mm256_loadu_ps(out + i), _mm256_mul_ps(factor, values)));
  }
  add_halves_portable(halves + i, scale, out + i, n - i);
}
#endif

}  // namespace

void add_halves(const uint16_t* halves, float scale, float* out, size_t n) {
#if ACCORD_X86
  if (simd() != Simd::portable) return add_halves_f16c(halves, scale, out, n);
#endif
  add_halves_portable(halves, scale, out, n);
}

}  // namespace accord::neural
