// SPDX-License-Identifier: Apache-2.0
// AVX2: tiles of up to 6 rows and one panel in two halves; one or two rows take more panels, so that enough chains run at once to
// hide the latency of the multiply-adds.
#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include "core/neural/kernels/tiles.hpp"

namespace accord::neural {

namespace {

// Which of eight values belong to the first `present`.
ACCORD_AVX2 inline __m256i mask_of(size_t present) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(present)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

template <bool fused>
ACCORD_AVX2 inline __m256 add_product(__m256 a, __m256 b, __m256 sum) {
  if constexpr (fused) return _mm256_fmadd_ps(a, b, sum);
  else return _mm256_add_ps(sum, _mm256_mul_ps(a, b));
}

template <bool fused>
struct Kernels {
  static constexpr int most_rows = 6;
  static constexpr int panels_of(int rows) { return rows == 1 ? 4 : rows == 2 ? 2 : 1; }

  using Tile = FloatTile;

  template <int rows, int panels>
  ACCORD_AVX2 static void multiply(const Tile& tile) {
    constexpr int halves = 2 * panels;
    __m256 sums[rows][halves];
    const __m256i everything = _mm256_set1_epi32(-1);
    const __m256i low = mask_of(tile.last), high = mask_of(tile.last > 8 ? tile.last - 8 : 0);
#pragma GCC unroll 16
    for (int h = 0; h < halves; ++h) {
      const __m256 bias = _mm256_loadu_ps(tile.bias + 8 * h);
      const __m256i present = h + 1 == halves ? high : h + 2 == halves ? low : everything;
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        sums[r][h] = bias;
        if (tile.accumulate)
          sums[r][h] = _mm256_add_ps(bias, _mm256_maskload_ps(tile.y + static_cast<size_t>(r) * tile.y_stride + 8 * h, present));
      }
    }
    const float* weights = tile.panels;
    const float* x = tile.x;
    const size_t panel_size = tile.inputs * panel_width;
    for (size_t k = 0; k < tile.inputs; ++k, weights += panel_width, ++x) {
      __m256 weight[halves];
#pragma GCC unroll 16
      for (int h = 0; h < halves; ++h) weight[h] = _mm256_loadu_ps(weights + static_cast<size_t>(h / 2) * panel_size + 8 * (h % 2));
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        const __m256 input = _mm256_broadcast_ss(x + static_cast<size_t>(r) * tile.x_stride);
#pragma GCC unroll 16
        for (int h = 0; h < halves; ++h) sums[r][h] = add_product<fused>(input, weight[h], sums[r][h]);
      }
    }
#pragma GCC unroll 16
    for (int h = 0; h < halves; ++h) {
      const __m256i present = h + 1 == halves ? high : h + 2 == halves ? low : everything;
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) _mm256_maskstore_ps(tile.y + static_cast<size_t>(r) * tile.y_stride + 8 * h, present, sums[r][h]);
    }
  }
};

}  // namespace

void multiply_avx2(const FloatProduct& product) { multiply_in_tiles<Kernels<true>>(product); }

void multiply_avx2_stepwise(const FloatProduct& product) { multiply_in_tiles<Kernels<false>>(product); }

}  // namespace accord::neural
#endif
