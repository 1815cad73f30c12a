// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/float_product.hpp"

#include <algorithm>

#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>
#endif

namespace accord::neural {

namespace {

#if ACCORD_X86
// A square of four by four values, from rows `stride` apart to rows of a panel.
inline void transpose_four(const float* from, size_t stride, float* to) {
  __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + stride);
  __m128 c = _mm_loadu_ps(from + 2 * stride), d = _mm_loadu_ps(from + 3 * stride);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(to, a);
  _mm_storeu_ps(to + panel_width, b);
  _mm_storeu_ps(to + 2 * panel_width, c);
  _mm_storeu_ps(to + 3 * panel_width, d);
}
#endif

}  // namespace

void multiply(const FloatProduct& product) {
#if ACCORD_X86
  if (product.stepwise) return simd() == Simd::portable ? multiply_portable(product) : multiply_avx2_stepwise(product);
  switch (simd()) {
    case Simd::avx512:
      return multiply_avx512(product);
    case Simd::avx2:
      return multiply_avx2(product);
    case Simd::portable:
      break;
  }
#endif
  multiply_portable(product);
}

void pack_panels(const float* rows, size_t outputs, size_t inputs, float* panels) {
  for (size_t first = 0; first < outputs; first += panel_width) {
    float* panel = panels + first * inputs;
    const float* from = rows + first * inputs;
    const size_t present = std::min(panel_width, outputs - first), whole = present / 4 * 4;
    size_t k = 0;
#if ACCORD_X86
    for (; k + 4 <= inputs; k += 4)
      for (size_t o = 0; o < whole; o += 4) transpose_four(from + o * inputs + k, inputs, panel + k * panel_width + o);
#endif
    for (size_t o = 0; o < panel_width; ++o)
      for (size_t rest = o < whole ? k : 0; rest < inputs; ++rest)
        panel[rest * panel_width + o] = o < present ? from[o * inputs + rest] : 0.0f;
  }
}

}  // namespace accord::neural
