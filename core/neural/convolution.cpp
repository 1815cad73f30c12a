// SPDX-License-Identifier: Apache-2.0
#include "core/neural/convolution.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/neural/kernels/elementwise.hpp"
#include "core/neural/sequences.hpp"

namespace accord::neural {

namespace {

constexpr size_t chunk = 64;  // windows made and multiplied at once: they stay in the cache

// out = x + a sigmoid(g) of one word.
ACCORD_INLINE void add_gated_here(const float* x, const float* gated, float* out, size_t width) {
  for (size_t i = 0; i < width; ++i) out[i] = x[i] + gated[i] * sigmoid_of(gated[width + i]);
}

ACCORD_AT_LEVEL(add_gated, (const float* x, const float* gated, float* out, size_t width), (x, gated, out, width))

}  // namespace

GatedConvolution::GatedConvolution(std::span<const float> weights, std::span<const float> bias, int width, int reach, int dilation,
                                   Precision precision)
    : width_(width),
      reach_(reach),
      dilation_(dilation) {
  if (width < 1 || reach < 0 || dilation < 1)
    throw std::invalid_argument("a convolution has a width and a dilation of at least 1 and a reach of at least 0");
  if (reach > 1000 || width > 1000000 / (2 * reach + 1)) throw std::invalid_argument("a convolution's window is too large");
  if (bias.empty()) throw std::invalid_argument("a convolution has a bias");
  matrix_ = Matrix(weights, bias, 2 * width, (2 * reach + 1) * width, precision);
}

void GatedConvolution::run(std::span<const float> x, std::span<const int> lengths, std::span<float> y, Scratch& scratch) const {
  const auto width = static_cast<size_t>(width_);
  const size_t words = word_count(lengths), window = static_cast<size_t>(matrix_.inputs());
  if (x.size() != words * width || y.size() != words * width)
    throw std::invalid_argument("the rows of a convolution do not fit its sequences");
  const std::span<float> windows = room(scratch.rows, chunk * window), gated = room(scratch.gates, chunk * 2 * width);
  size_t filled = 0, done = 0;
  const auto finish = [&] {
    matrix_.apply(windows, window, gated, 2 * width, filled, scratch);
    for (size_t i = 0; i < filled; ++i, ++done)
      add_gated(x.data() + done * width, gated.data() + i * 2 * width, y.data() + done * width, width);
    filled = 0;
  };
  std::ptrdiff_t start = 0;
  for (int length : lengths) {
    for (std::ptrdiff_t t = 0; t < length; ++t) {
      float* place = windows.data() + filled * window;
      for (std::ptrdiff_t offset = -reach_; offset <= reach_; ++offset, place += width) {
        const std::ptrdiff_t word = t + offset * dilation_;
        if (word < 0 || word >= length) std::fill_n(place, width, 0.0f);
        else std::copy_n(x.data() + static_cast<size_t>(start + word) * width, width, place);
      }
      if (++filled == chunk) finish();
    }
    start += length;
  }
  finish();
}

}  // namespace accord::neural
