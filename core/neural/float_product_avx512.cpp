// AVX-512: tiles of up to 14 rows and 2 panels; fewer rows take more panels, so that enough chains run at once to hide the latency
// of the multiply-adds.
#include "core/neural/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include <algorithm>

#include "core/neural/float_product.hpp"

namespace accord::neural {

namespace {

constexpr int most_rows = 14;

constexpr int panels_of(int rows) { return rows <= 2 ? 8 : rows <= 6 ? 4 : rows <= 9 ? 3 : 2; }

struct Tile {
  const float* x;
  size_t x_stride;
  const float* panels;
  const float* bias;
  float* y;
  size_t y_stride;
  size_t inputs;
  __mmask16 last;  // which outputs of the last panel there are
  bool accumulate;
};

template <int rows, int panels>
ACCORD_AVX512 void multiply_tile(const Tile& tile) {
  __m512 sums[rows][panels];
#pragma GCC unroll 16
  for (int p = 0; p < panels; ++p) {
    const __m512 bias = _mm512_loadu_ps(tile.bias + 16 * p);
    const __mmask16 present = p + 1 == panels ? tile.last : static_cast<__mmask16>(0xffff);
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
    const __mmask16 present = p + 1 == panels ? tile.last : static_cast<__mmask16>(0xffff);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) _mm512_mask_storeu_ps(tile.y + static_cast<size_t>(r) * tile.y_stride + 16 * p, present, sums[r][p]);
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

void multiply_avx512(const FloatProduct& product) {
  if (product.rows == 0 || product.outputs == 0) return;
  const size_t blocks = (product.rows + most_rows - 1) / most_rows, all = panel_count(product.outputs);
  const size_t larger = product.rows % blocks, base = product.rows / blocks;  // rows of a block: base, or one more for the first ones
  const size_t most_panels = static_cast<size_t>(panels_of(static_cast<int>(base + (larger > 0))));
  const auto last_mask = static_cast<__mmask16>(0xffffu >> (all * panel_width - product.outputs));
  for (size_t panel = 0; panel < all; panel += most_panels) {
    const size_t panels = std::min(most_panels, all - panel);
    const Kernel large = find_kernel(base + 1 > most_rows ? most_rows : base + 1, panels), small = find_kernel(base, panels);
    Tile tile{product.x, product.x_stride, product.panels + panel * panel_width * product.inputs, product.bias + panel * panel_width,
              product.y + panel * panel_width, product.y_stride, product.inputs,
              panel + panels == all ? last_mask : static_cast<__mmask16>(0xffff), product.accumulate};
    for (size_t block = 0; block < blocks; ++block) {
      const size_t rows = base + (block < larger);
      (block < larger ? large : small)(tile);
      tile.x += rows * product.x_stride;
      tile.y += rows * product.y_stride;
    }
  }
}

}  // namespace accord::neural
#endif
