// SPDX-License-Identifier: Apache-2.0
// AVX-512 VNNI: one instruction multiplies and adds four inputs of sixteen outputs. Tiles as in the float kernels.
#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include <cstring>

#include "core/neural/kernels/byte_product.hpp"
#include "core/neural/kernels/tiles.hpp"

namespace accord::neural {

namespace {

// Kept in the type the products work on: under the type of the intrinsics GCC 12 spills every sum in every turn.
using Sums = int32_t __attribute__((vector_size(64)));

ACCORD_VNNI inline __m512i broadcast_four(const uint8_t* bytes) {
  int32_t four;
  std::memcpy(&four, bytes, sizeof four);
  return _mm512_set1_epi32(four);
}

ACCORD_VNNI inline Sums add_products(Sums sums, __m512i inputs, __m512i weights) {
  return reinterpret_cast<Sums>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums), inputs, weights));
}

struct Kernels : WideRegisters {
  struct Tile {
    const uint8_t* x;
    const float* row_scales;
    const int8_t* panels;
    const float* scales;
    const int32_t* offsets;
    const float* bias;
    float* y;
    size_t y_stride;
    size_t groups;
    __mmask16 last;  // which outputs of the last panel there are
    bool accumulate;
  };

  template <int rows, int panels>
  ACCORD_VNNI static void multiply(const Tile& tile) {
    Sums sums[rows][panels];
#pragma GCC unroll 16
    for (int p = 0; p < panels; ++p)
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) sums[r][p] = Sums{};
    const int8_t* weights = tile.panels;
    const uint8_t* x = tile.x;
    const size_t row_size = 4 * tile.groups, panel_size = tile.groups * 4 * panel_width;
    for (size_t group = 0; group < tile.groups; ++group, weights += 4 * panel_width, x += 4) {
      __m512i weight[panels];
#pragma GCC unroll 16
      for (int p = 0; p < panels; ++p) weight[p] = _mm512_loadu_si512(weights + static_cast<size_t>(p) * panel_size);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        const __m512i input = broadcast_four(x + static_cast<size_t>(r) * row_size);
#pragma GCC unroll 16
        for (int p = 0; p < panels; ++p) sums[r][p] = add_products(sums[r][p], input, weight[p]);
      }
    }
#pragma GCC unroll 16
    for (int p = 0; p < panels; ++p) {
      const __mmask16 present = p + 1 == panels ? tile.last : static_cast<__mmask16>(0xffff);
      const __m512 scales = _mm512_loadu_ps(tile.scales + 16 * p), bias = _mm512_loadu_ps(tile.bias + 16 * p);
      const __m512i offsets = _mm512_loadu_si512(tile.offsets + 16 * p);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        float* y = tile.y + static_cast<size_t>(r) * tile.y_stride + 16 * p;
        const __m512 start = tile.accumulate ? _mm512_add_ps(bias, _mm512_maskz_loadu_ps(present, y)) : bias;
        const __m512i whole = _mm512_sub_epi32(reinterpret_cast<__m512i>(sums[r][p]), offsets);
        const __m512 scaled = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xffff, whole), scales);
        _mm512_mask_storeu_ps(y, present, _mm512_add_ps(start, _mm512_mul_ps(scaled, _mm512_set1_ps(tile.row_scales[r]))));
      }
    }
  }
};

}  // namespace

void multiply_bytes_vnni(const ByteProduct& product) {
  for_tiles<Kernels>(product.rows, product.outputs, [&](Kernel<Kernels> kernel, size_t row, size_t panel, size_t last) {
    const size_t first = panel * panel_width, row_size = 4 * product.groups;
    kernel({product.bytes + row * row_size, product.row_scales + row, product.panels + first * row_size, product.scales + first,
            product.offsets + first, product.bias + first, product.y + row * product.y_stride + first, product.y_stride, product.groups,
            static_cast<__mmask16>(0xffffu >> (panel_width - last)), product.accumulate});
  });
}

}  // namespace accord::neural
#endif
