// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles that fit the registers: blocks of rows of nearly equal size, and as many panels of outputs as leave
// room for a block's sums. A `Kernels` type says how many fit and has one function for each size of tile:
//   most_rows, panels_of(rows), Tile, and multiply<rows, panels>(const Tile&).
#pragma once
#include <algorithm>
#include <cstddef>

#include "core/neural/kernels/float_product.hpp"

namespace accord::neural {

template <typename Kernels>
using Kernel = void (*)(const typename Kernels::Tile&);

template <typename Kernels, int rows, int panels = Kernels::panels_of(rows)>
Kernel<Kernels> kernel_of_rows(size_t panel_wish) {
  if constexpr (panels == 1) return Kernels::template multiply<rows, 1>;
  else return panel_wish >= panels ? Kernels::template multiply<rows, panels> : kernel_of_rows<Kernels, rows, panels - 1>(panel_wish);
}

// The kernel for at most most_rows rows and at most panels_of(rows) panels.
template <typename Kernels, int rows = Kernels::most_rows>
Kernel<Kernels> kernel_of(size_t row_count, size_t panel_count) {
  if constexpr (rows == 1) return kernel_of_rows<Kernels, 1>(panel_count);
  else return row_count == rows ? kernel_of_rows<Kernels, rows>(panel_count) : kernel_of<Kernels, rows - 1>(row_count, panel_count);
}

// Calls multiply(kernel, first row, first panel, outputs in the last panel) for every tile; the panels of one tile serve all rows
// before the next ones are read.
template <typename Kernels, typename Multiply>
void for_tiles(size_t rows, size_t outputs, Multiply&& multiply) {
  if (rows == 0 || outputs == 0) return;
  const size_t blocks = (rows + Kernels::most_rows - 1) / Kernels::most_rows, all = panel_count(outputs);
  const size_t least = rows / blocks, larger = rows % blocks;  // the first `larger` blocks have one row more than the least
  const auto most_panels = static_cast<size_t>(Kernels::panels_of(static_cast<int>(least + (larger > 0))));
  for (size_t panel = 0; panel < all; panel += most_panels) {
    const size_t panels = std::min(most_panels, all - panel);
    const size_t last = panel + panels == all ? outputs - (all - 1) * panel_width : panel_width;
    for (size_t block = 0, row = 0; block < blocks; ++block) {
      const size_t count = least + (block < larger);
      multiply(kernel_of<Kernels>(count, panels), row, panel, last);
      row += count;
    }
  }
}

// What fits the 32 registers of AVX-512, each of which holds a panel.
struct WideRegisters {
  static constexpr int most_rows = 14;
  static constexpr int panels_of(int rows) { return rows <= 2 ? 8 : rows <= 6 ? 4 : rows <= 9 ? 3 : 2; }
};

// The part of a FloatProduct that one call of a kernel computes.
struct FloatTile {
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

template <typename Kernels>
void multiply_in_tiles(const FloatProduct& product) {
  for_tiles<Kernels>(product.rows, product.outputs, [&](Kernel<Kernels> kernel, size_t row, size_t panel, size_t last) {
    const size_t first = panel * panel_width;
    kernel({product.x + row * product.x_stride, product.x_stride, product.panels + first * product.inputs, product.bias + first,
            product.y + row * product.y_stride + first, product.y_stride, product.inputs, last, product.accumulate});
  });
}

}  // namespace accord::neural
