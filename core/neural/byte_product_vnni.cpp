// AVX-512 VNNI: one instruction multiplies and adds four inputs of sixteen outputs. Tiles as in the float kernels.
#include "core/neural/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "core/neural/byte_product.hpp"

namespace accord::neural {

namespace {

constexpr int most_rows = 14;

constexpr int panels_of(int rows) { return rows <= 2 ? 8 : rows <= 6 ? 4 : rows <= 9 ? 3 : 2; }

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

// Kept in the type the products work on: under the type of the intrinsics GCC 12 spills every sum in every turn.
using Sums = int32_t __attribute__((vector_size(64)));

ACCORD_VNNI inline __m512i broadcast_four(const uint8_t* bytes) {
  int32_t four;
  std::memcpy(&four, bytes, sizeof four);
  return _mm512_set1_epi32(four);
}

template <int rows, int panels>
ACCORD_VNNI void multiply_tile(const Tile& tile) {
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
      for (int p = 0; p < panels; ++p) sums[r][p] = reinterpret_cast<Sums>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums[r][p]), input, weight[p]));
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
      const __m512 scaled = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xffff, _mm512_sub_epi32(reinterpret_cast<__m512i>(sums[r][p]), offsets)), scales);
      _mm512_mask_storeu_ps(y, present, _mm512_add_ps(start, _mm512_mul_ps(scaled, _mm512_set1_ps(tile.row_scales[r]))));
    }
  }
}

using Kernel = void (*)(const Tile&);

template <int rows, int panels = panels_of(rows)>
Kernel kernel_for(size_t wanted) {
  if constexpr (panels == 1) return multiply_tile<rows, 1>;
  else return wanted >= panels ? multiply_tile<rows, panels> : kernel_for<rows, panels - 1>(wanted);
}

template <int rows = most_rows>
Kernel find_kernel(size_t row_count, size_t wanted) {
  if constexpr (rows == 1) return kernel_for<1>(wanted);
  else return row_count == rows ? kernel_for<rows>(wanted) : find_kernel<rows - 1>(row_count, wanted);
}

}  // namespace

void multiply_bytes_vnni(const ByteProduct& product) {
  if (product.rows == 0 || product.outputs == 0) return;
  const size_t blocks = (product.rows + most_rows - 1) / most_rows, all = panel_count(product.outputs);
  const size_t larger = product.rows % blocks, base = product.rows / blocks;  // rows of a block: base, or one more for the first ones
  const size_t most_panels = static_cast<size_t>(panels_of(static_cast<int>(base + (larger > 0))));
  const auto last_mask = static_cast<__mmask16>(0xffffu >> (all * panel_width - product.outputs));
  for (size_t panel = 0; panel < all; panel += most_panels) {
    const size_t panels = std::min(most_panels, all - panel), first = panel * panel_width;
    Tile tile{product.bytes, product.row_scales, product.panels + first * 4 * product.groups, product.scales + first,
              product.offsets + first, product.bias + first, product.y + first, product.y_stride, product.groups,
              panel + panels == all ? last_mask : static_cast<__mmask16>(0xffff), product.accumulate};
    for (size_t block = 0; block < blocks; ++block) {
      const size_t rows = base + (block < larger);
      find_kernel(rows, panels)(tile);
      tile.x += rows * 4 * product.groups;
      tile.row_scales += rows;
      tile.y += rows * product.y_stride;
    }
  }
}

}  // namespace accord::neural
#endif
