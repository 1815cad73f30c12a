// SPDX-License-Identifier: Apache-2.0
// The kernels behind Matrix in float32: y = b + W x for weights in panels of 16 outputs, [panel][input][16], zero where there is no
// output. Each (row, output) is one chain of operations over the inputs in order; kernels differ only in how many chains they
// carry side by side in registers.
#pragma once
#include <cstddef>

namespace accord::neural {

inline constexpr size_t panel_width = 16;

inline size_t panel_count(size_t outputs) { return (outputs + panel_width - 1) / panel_width; }

struct FloatProduct {
  const float* x;
  size_t x_stride;
  const float* panels;
  const float* bias;  // as long as the panels' outputs
  float* y;
  size_t y_stride;
  size_t rows, inputs, outputs;
  bool accumulate;
  bool stepwise;  // products are rounded before they are added, as in the portable kernel
};

void multiply_portable(const FloatProduct& product);
void multiply_avx2(const FloatProduct& product);
void multiply_avx2_stepwise(const FloatProduct& product);
void multiply_avx512(const FloatProduct& product);

void multiply(const FloatProduct& product);  // at the level in use

// Rows of `inputs` values each, one an output, into panels.
void pack_panels(const float* rows, size_t outputs, size_t inputs, float* panels);

}  // namespace accord::neural
