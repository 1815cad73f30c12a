// SPDX-License-Identifier: Apache-2.0
// Any machine: tiles of up to 3 rows and one panel, in vectors of four as compilers have them everywhere.
#include <algorithm>
#include <cstring>

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

  using Tile = FloatTile;

  template <int rows, int panels>
  static void multiply(const Tile& tile) {
    const float* x = tile.x;
    const float* weights = tile.panels;
    Four sums[rows][fours];
    for (size_t r = 0; r < rows; ++r) {
      float start[panel_width];
      std::copy_n(tile.bias, panel_width, start);
      if (tile.accumulate)
        for (size_t o = 0; o < tile.last; ++o) start[o] += tile.y[r * tile.y_stride + o];
      for (size_t f = 0; f < fours; ++f) sums[r][f] = load_four(start + 4 * f);
    }
    for (size_t k = 0; k < tile.inputs; ++k, ++x, weights += panel_width)
      for (size_t f = 0; f < fours; ++f) {
        const Four weight = load_four(weights + 4 * f);
        for (size_t r = 0; r < rows; ++r) sums[r][f] += x[r * tile.x_stride] * weight;
      }
    for (size_t r = 0; r < rows; ++r) std::memcpy(tile.y + r * tile.y_stride, sums[r], tile.last * sizeof(float));
  }
};

}  // namespace

void multiply_portable(const FloatProduct& product) { multiply_in_tiles<Kernels>(product); }

}  // namespace accord::neural
