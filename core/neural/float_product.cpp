#include "core/neural/float_product.hpp"

#include <algorithm>

#include "core/neural/simd.hpp"

namespace accord::neural {

void multiply_portable(const FloatProduct& product) {
  for (size_t row = 0; row < product.rows; ++row) {
    const float* x = product.x + row * product.x_stride;
    for (size_t first = 0; first < product.outputs; first += panel_width) {
      const float* weights = product.panels + first * product.inputs;
      const size_t outputs = std::min(panel_width, product.outputs - first);
      float* y = product.y + row * product.y_stride + first;
      float sums[panel_width];
      for (size_t o = 0; o < panel_width; ++o) sums[o] = product.bias[first + o];
      if (product.accumulate)
        for (size_t o = 0; o < outputs; ++o) sums[o] += y[o];
      for (size_t k = 0; k < product.inputs; ++k)
        for (size_t o = 0; o < panel_width; ++o) sums[o] += x[k] * weights[k * panel_width + o];
      std::copy_n(sums, outputs, y);
    }
  }
}

void multiply(const FloatProduct& product) {
#if ACCORD_X86
  switch (simd()) {
    case Simd::avx512: return multiply_avx512(product);
    case Simd::avx2: return multiply_avx2(product);
    case Simd::portable: break;
  }
#endif
  multiply_portable(product);
}

void pack_panels(const float* rows, size_t outputs, size_t inputs, float* panels) {
  for (size_t first = 0; first < outputs; first += panel_width) {
    float* panel = panels + first * inputs;
    const size_t present = std::min(panel_width, outputs - first);
    for (size_t o = 0; o < present; ++o)
      for (size_t k = 0; k < inputs; ++k) panel[k * panel_width + o] = rows[(first + o) * inputs + k];
    for (size_t o = present; o < panel_width; ++o)
      for (size_t k = 0; k < inputs; ++k) panel[k * panel_width + o] = 0;
  }
}

}  // namespace accord::neural
