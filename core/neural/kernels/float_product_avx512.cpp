// SPDX-License-Identifier: Apache-2.0
// AVX-512: tiles of up to 14 rows and 2 panels; fewer rows take more panels, so that enough chains run at once to hide the latency
// of the multiply-adds.
#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include "core/neural/kernels/tiles.hpp"

namespace accord::neural {

namespace {

struct Kernels : WideRegisters {
  using Tile = FloatTile;

  template <int rows, int panels>
  ACCORD_AVX512 static void multiply(const Tile& tile) {
    const auto last = static_cast<__mmask16>(0xffffu >> (panel_width - tile.last));
    __m512 sums[rows][panels];
#pragma GCC unroll 16
    for (int p = 0; p < panels; ++p) {
      const __m512 bias = _mm512_loadu_ps(tile.bias + 16 * p);
      const __mmask16 present = p + 1 == panels ? last : static_cast<__mmask16>(0xffff);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        sums[r][p] = bias;
        if (tile.accumulate)
          sums[r][p] = _mm512_add_ps(bias, _mm512_maskz_loadu_ps(present, tile.y + static_cast<size_t>(r) * tile.y_stride + 16 * p));
      }
    }
    const float* weights = tile.panels;
    const float* x = tile.x;
    const size_t panel_size = tile.inputs * panel_width;
    for (size_t k = 0; k < tile.inputs; ++k, weights += panel_width, ++x) {
      __m512 weight[panels];
#pragma GCC unroll 16
      for (int p = 0; p < panels; ++p) weight[p] = _mm512_loadu_ps(weights + static_cast<size_t>(p) * panel_size);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        const __m512 input = _mm512_set1_ps(x[static_cast<size_t>(r) * tile.x_stride]);
#pragma GCC unroll 16
        for (int p = 0; p < panels; ++p) sums[r][p] = _mm512_fmadd_ps(input, weight[p], sums[r][p]);
      }
    }
#pragma GCC unroll 16
    for (int p = 0; p < panels; ++p) {
      const __mmask16 present = p + 1 == panels ? last : static_cast<__mmask16>(0xffff);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) _mm512_mask_storeu_ps(tile.y + static_cast<size_t>(r) * tile.y_stride + 16 * p, present, sums[r][p]);
    }
  }
};

}  // namespace

void multiply_avx512(const FloatProduct& product) { multiply_in_tiles<Kernels>(product); }

}  // namespace accord::neural
#endif
