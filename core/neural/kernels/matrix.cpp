// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/matrix.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "core/neural/kernels/byte_product.hpp"
#include "core/neural/kernels/float_product.hpp"
#include "core/neural/kernels/simd.hpp"

namespace accord::neural {

namespace {

size_t padded(size_t outputs) { return panel_count(outputs) * panel_width; }

// The last float of a strided block, plus one.
size_t extent(size_t rows, size_t stride, size_t width) { return rows == 0 ? 0 : (rows - 1) * stride + width; }

}  // namespace

Matrix::Matrix(std::span<const float> weights, std::span<const float> bias, int outputs, int inputs, Precision precision)
    : inputs_(inputs),
      outputs_(outputs),
      precision_(precision) {
  if (outputs < 1 || inputs < 1) throw std::invalid_argument("a matrix has at least one output and one input");
  const auto rows = static_cast<size_t>(outputs), columns = static_cast<size_t>(inputs);
  if (weights.size() != rows * columns)
    throw std::invalid_argument("a matrix of " + std::to_string(outputs) + " x " + std::to_string(inputs) + " has " +
                                std::to_string(rows * columns) + " weights, not " + std::to_string(weights.size()));
  if (!bias.empty() && bias.size() != rows)
    throw std::invalid_argument("a bias has " + std::to_string(outputs) + " values, not " + std::to_string(bias.size()));
  bias_.assign(padded(rows), 0.0f);
  std::copy(bias.begin(), bias.end(), bias_.begin());
  if (precision != Precision::int8) {
    panels_.resize(padded(rows) * columns);
    pack_panels(weights.data(), rows, columns, panels_.data());
    return;
  }
  if (columns > most_byte_inputs) throw std::invalid_argument("a matrix in int8 has at most 65536 inputs");
  const size_t groups = group_count(columns);
  bytes_.assign(padded(rows) * 4 * groups, 0);
  scales_.assign(padded(rows), 0.0f);
  offsets_.assign(padded(rows), 0);
  std::vector<int16_t> row(4 * groups);
  for (size_t o = 0; o < rows; ++o) {
    scales_[o] = quantise(weights.subspan(o * columns, columns), 0, 0, row.data(), row.size());
    int8_t* panel = bytes_.data() + o / panel_width * panel_width * row.size() + o % panel_width * 4;
    for (size_t k = 0; k < row.size(); ++k) {
      panel[k / 4 * 4 * panel_width + k % 4] = static_cast<int8_t>(row[k]);
      offsets_[o] += 128 * row[k];
    }
  }
}

void Matrix::check(std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows) const {
  const auto inputs = static_cast<size_t>(inputs_), outputs = static_cast<size_t>(outputs_);
  if (rows > 1 && (x_stride < inputs || y_stride < outputs)) throw std::invalid_argument("rows of a product overlap");
  if (x.size() < extent(rows, x_stride, inputs)) throw std::invalid_argument("a product has too few inputs");
  if (y.size() < extent(rows, y_stride, outputs)) throw std::invalid_argument("a product has too little room for its outputs");
}

void Matrix::apply(std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows, Scratch& scratch,
                   bool accumulate) const {
  apply_bounded(0, x, x_stride, y, y_stride, rows, scratch, accumulate);
}

void Matrix::apply_bounded(float bound, std::span<const float> x, size_t x_stride, std::span<float> y, size_t y_stride, size_t rows,
                           Scratch& scratch, bool accumulate) const {
  check(x, x_stride, y, y_stride, rows);
  if (rows == 0) return;
  const auto inputs = static_cast<size_t>(inputs_), outputs = static_cast<size_t>(outputs_);
  if (precision_ != Precision::int8)
    return multiply({x.data(), x_stride, panels_.data(), bias_.data(), y.data(), y_stride, rows, inputs, outputs, accumulate,
                     precision_ == Precision::stepwise});
  const size_t groups = group_count(inputs), row_size = 4 * groups;
  const std::span<float> row_scales = room(scratch.scales, rows);
  ByteProduct product{nullptr, nullptr, row_scales.data(), bytes_.data(), scales_.data(), offsets_.data(), bias_.data(), y.data(), y_stride,
                      rows,    groups,  outputs,           accumulate};
#if ACCORD_X86
  if (simd_has_vnni()) {
    uint8_t* bytes = room(scratch.bytes, rows * row_size).data();
    for (size_t r = 0; r < rows; ++r) row_scales[r] = quantise(x.subspan(r * x_stride, inputs), bound, 128, bytes + r * row_size, row_size);
    product.bytes = bytes;
    return multiply_bytes_vnni(product);
  }
#endif
  int16_t* words = room(scratch.words, rows * row_size).data();
  for (size_t r = 0; r < rows; ++r) row_scales[r] = quantise(x.subspan(r * x_stride, inputs), bound, 0, words + r * row_size, row_size);
  product.words = words;
#if ACCORD_X86
  if (simd() != Simd::portable) return multiply_bytes_avx2(product);
#endif
  multiply_bytes_portable(product);
}

void multiply_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out, size_t rows, size_t columns, size_t k,
                         Precision precision, Scratch& scratch) {
  if (a.size() != rows * k || b.size() != columns * k || out.size() != rows * columns)
    throw std::invalid_argument("the matrices of a product do not fit together");
  if (rows == 0 || columns == 0) return;
  // The panels and, behind them, a bias of zeros.
  const std::span<float> panels = room(scratch.panels, padded(columns) * (k + 1));
  const std::span<float> bias = panels.subspan(padded(columns) * k);
  pack_panels(b.data(), columns, k, panels.data());
  std::fill(bias.begin(), bias.end(), 0.0f);
  multiply({a.data(), k, panels.data(), bias.data(), out.data(), columns, rows, k, columns, false, precision != Precision::float32});
}

}  // namespace accord::neural
