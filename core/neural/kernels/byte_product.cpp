// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/byte_product.hpp"

#include <algorithm>

namespace accord::neural {

void multiply_bytes_portable(const ByteProduct& product) {
  for (size_t row = 0; row < product.rows; ++row) {
    const int16_t* x = product.words + row * 4 * product.groups;
    for (size_t first = 0; first < product.outputs; first += panel_width) {
      const int8_t* weights = product.panels + first * 4 * product.groups;
      int32_t sums[panel_width] = {};
      for (size_t group = 0; group < product.groups; ++group, weights += 4 * panel_width)
        for (size_t o = 0; o < panel_width; ++o)
          for (size_t k = 0; k < 4; ++k) sums[o] += x[4 * group + k] * weights[4 * o + k];
      float* y = product.y + row * product.y_stride + first;
      for (size_t o = 0; o < std::min(panel_width, product.outputs - first); ++o) {
        const float start = product.accumulate ? product.bias[first + o] + y[o] : product.bias[first + o];
        y[o] = start + static_cast<float>(sums[o]) * product.scales[first + o] * product.row_scales[row];
      }
    }
  }
}

}  // namespace accord::neural
