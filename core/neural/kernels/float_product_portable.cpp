// SPDX-License-Identifier: Apache-2.0
// Any machine: tiles of up to 3 rows and one panel, in vectors of four as compilers have them everywhere.
#include <algorithm>
#include <cstring>

#include "core/neural/kernels/float_product.hpp"
#include "core/neural/kernels/tiles.hpp"
#include "core/vectorise.hpp"

namespace accord::neural {

namespace {

ACCORD_VECTOR(float, 4, Four);
constexpr size_t fours = panel_width / 4;

inline Four load_four(const float* from) {
  Four values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

struct Kernels {
  static constexpr int most_rows = 3;
  static constexpr int panels_of(int) { return 1; }

  struct Tile {
    const FloatProduct& product;
    size_t row, first, last;  // last: outputs of the panel
  };

  template <int rows, int panels>
  static void multiply(const Tile& tile) {
    const FloatProduct& product = tile.product;
    const float* x = product.x + tile.row * product.x_stride;
    const float* weights = product.panels + tile.first * product.inputs;
    float* y = product.y + tile.row * product.y_stride + tile.first;
    Four sums[rows][fours];
    for (size_t r = 0; r < rows; ++r) {
      float start[panel_width];
      std::copy_n(product.bias + tile.first, panel_width, start);
      if (product.accumulate)
        for (size_t o = 0; o < tile.last; ++o) start[o] += y[r * product.y_stride + o];
      for (size_t f = 0; f < fours; ++f) sums[r][f] = load_four(start + 4 * f);
    }
    for (size_t k = 0; k < product.inputs; ++k, ++x, weights += panel_width)
      for (size_t f = 0; f < fours; ++f) {
        const Four weight = load_four(weights + 4 * f);
        for (size_t r = 0; r < rows; ++r) sums[r][f] += x[r * product.x_stride] * weight;
      }
    for (size_t r = 0; r < rows; ++r) std::memcpy(y + r * product.y_stride, sums[r], tile.last * sizeof(float));
  }
};

}  // namespace

void multiply_portable(const FloatProduct& product) {
  for_tiles<Kernels>(product.rows, product.outputs, [&](Kernel<Kernels> kernel, size_t row, size_t panel, size_t last) {
    kernel({product, row, panel * panel_width, last});
  });
}

}  // namespace accord::neural
