// SPDX-License-Identifier: Apache-2.0
// Dense layers y = W x + b over many rows, on one core.
//
// Float: weights lie in panels of 16 outputs, [panel][input][16], and every output has one accumulator that starts at b (plus
// what is in y) and takes the products of the inputs in order by fused multiply-add. So AVX2 and AVX-512 give the same bits, and a
// row gives the same bits whatever rows stand beside it. The portable path rounds products too: it differs in the last places.
// Stepwise: the same, and every instruction set rounds products before it adds them, so all agree in every bit; for the few float
// products of an int8 network.
//
// Int8: an output's weights are multiples of max|w| / 127, a row's inputs of max|x| / 127, rounded to nearest; the sums of
// products are exact in 32 bits, so all instruction sets agree in every bit. Rows with an infinite or NaN input give NaN.
//
// Time O(rows * outputs * inputs); 4 bytes a weight, or 1.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/neural/scratch.hpp"

namespace accord::neural {

enum class Precision { float32, stepwise, int8 };

class Matrix {
 public:
  Matrix() = default;
  // weights: outputs x inputs, row-major; bias: one an output, or empty for none.
  Matrix(std::span<const float> weights, std::span<const float> bias, int outputs, int inputs, Precision precision);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  Precision precision() const { return precision_; }

  // y[r, 0..outputs) = W x[r] + b, added to what is in y if `accumulate`. A stride is the distance of rows in floats.
  void apply(std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows, Scratch& scratch,
             bool accumulate = false) const;

  // The same where no input is larger than `bound` in magnitude: int8 takes the bound for every row's max|x|.
  void apply_bounded(float bound, std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows,
                     Scratch& scratch, bool accumulate = false) const;

 private:
  void check(std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows) const;

  int inputs_ = 0, outputs_ = 0;
  Precision precision_ = Precision::float32;
  Aligned<float> panels_;     // float32
  Aligned<int8_t> bytes_;     // int8: [panel][input / 4][16][4]
  Aligned<float> scales_;     // int8, of the outputs
  Aligned<int32_t> offsets_;  // int8: 128 times the sum of an output's weights
  Aligned<float> bias_;
};

// out[i, j] = <a[i], b[j]> for a: rows x k, b: columns x k, out: rows x columns; as Matrix in float32 or, for int8 and stepwise, stepwise.
void multiply_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out, size_t rows, size_t columns, size_t k,
                         Precision precision, Scratch& scratch);

}  // namespace accord::neural
