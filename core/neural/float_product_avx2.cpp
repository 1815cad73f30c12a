// AVX2: tiles of up to 6 rows and one panel in two halves; one or two rows take more panels, so that enough chains run at once to
// hide the latency of the multiply-adds.
#include "core/neural/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include <algorithm>

#include "core/neural/float_product.hpp"

namespace accord::neural {

namespace {

constexpr int most_rows = 6;

constexpr int panels_of(int rows) { return rows == 1 ? 4 : rows == 2 ? 2 : 1; }

struct Tile {
  const float* x;
  size_t x_stride;
  const float* panels;
  const float* bias;
  float* y;
  size_t y_stride;
  size_t inputs;
  size_t last;  // outputs of the last panel
  bool accumulate;
};

// Values of which the first `present` are there, eight at a time.
ACCORD_AVX2 inline __m256i mask_of(size_t present) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(present)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

template <int rows, int panels>
ACCORD_AVX2 void multiply_tile(const Tile& tile) {
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
      for (int h = 0; h < halves; ++h) sums[r][h] = _mm256_fmadd_ps(input, weight[h], sums[r][h]);
    }
  }
#pragma GCC unroll 16
  for (int h = 0; h < halves; ++h) {
    const __m256i present = h + 1 == halves ? high : h + 2 == halves ? low : everything;
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) _mm256_maskstore_ps(tile.y + static_cast<size_t>(r) * tile.y_stride + 8 * h, present, sums[r][h]);
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

void multiply_avx2(const FloatProduct& product) {
  if (product.rows == 0 || product.outputs == 0) return;
  const size_t blocks = (product.rows + most_rows - 1) / most_rows, all = panel_count(product.outputs);
  const size_t larger = product.rows % blocks, base = product.rows / blocks;
  const size_t most_panels = static_cast<size_t>(panels_of(static_cast<int>(base + (larger > 0))));
  for (size_t panel = 0; panel < all; panel += most_panels) {
    const size_t panels = std::min(most_panels, all - panel);
    const bool end = panel + panels == all;
    Tile tile{product.x, product.x_stride, product.panels + panel * panel_width * product.inputs, product.bias + panel * panel_width,
              product.y + panel * panel_width, product.y_stride, product.inputs,
              end ? product.outputs - (all - 1) * panel_width : panel_width, product.accumulate};
    for (size_t block = 0; block < blocks; ++block) {
      const size_t rows = base + (block < larger);
      find_kernel(rows, panels)(tile);
      tile.x += rows * product.x_stride;
      tile.y += rows * product.y_stride;
    }
  }
}

}  // namespace accord::neural
#endif
