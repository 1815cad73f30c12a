// SPDX-License-Identifier: Apache-2.0
// The kernels behind Matrix in int8: y = b + s_o s_r <q_o, q_r> for weights q_o and rows q_r of integers from -127 to 127, their
// products summed exactly in 32 bits and scaled in one fixed order, so that all kernels give the same bits.
//
// Weights lie in panels of 16 outputs, [panel][input / 4][16][4], zero where there is no output or input. AVX-512 VNNI multiplies
// unsigned by signed bytes: rows are stored as q + 128, and 128 sum q_o is taken off each sum. The others read rows as 16-bit words.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/neural/kernels/float_product.hpp"

namespace accord::neural {

inline constexpr size_t most_byte_inputs = 1 << 16;  // 255 * 127 * 2^16 < 2^31

inline size_t group_count(size_t inputs) { return (inputs + 3) / 4; }

struct ByteProduct {
  const uint8_t* bytes;  // of VNNI, else
  const int16_t* words;  // rows of 4 * groups values
  const float* row_scales;
  const int8_t* panels;
  const float* scales;     // as long as the panels' outputs, also the next two
  const int32_t* offsets;  // 128 times the sum of an output's weights
  const float* bias;
  float* y;
  size_t y_stride;
  size_t rows, groups, outputs;
  bool accumulate;
};

void multiply_bytes_portable(const ByteProduct& product);
void multiply_bytes_avx2(const ByteProduct& product);
void multiply_bytes_vnni(const ByteProduct& product);

// Values to integers at most 127 in magnitude, plus `zero`, padded with `zero` to `padded` values; returns the scale.
// `bound`: no value is larger; 0: take the largest there is. Values that are not finite give the scale NaN where no bound is given.
float quantise(std::span<const float> values, float bound, int zero, uint8_t* out, size_t padded);
float quantise(std::span<const float> values, float bound, int zero, int16_t* out, size_t padded);

}  // namespace accord::neural
