// SPDX-License-Identifier: Apache-2.0
// A residual block of gated convolution over words (Dauphin et al. 2017): y_t = x_t + a_t sigmoid(g_t), where
//   [a_t; g_t] = W [x_{t - reach * dilation} ... x_t ... x_{t + reach * dilation}] + b,  zeros beyond the ends of a sentence.
// Time O(words * 2 width * (2 reach + 1) width).
#pragma once
#include <span>

#include "core/neural/kernels/matrix.hpp"

namespace accord::neural {

class GatedConvolution {
 public:
  GatedConvolution() = default;
  // weights: 2 width x (2 reach + 1) width, an output's row holding one word of the window after the other; bias: 2 width.
  GatedConvolution(std::span<const float> weights, std::span<const float> bias, int width, int reach, int dilation, Precision precision);

  int width() const { return width_; }

  // x and y: words x width, the sentences one after the other; y may not overlap x.
  void run(std::span<const float> x, std::span<const int> lengths, std::span<float> y, Scratch& scratch) const;

 private:
  int width_ = 0, reach_ = 0, dilation_ = 1;
  Matrix matrix_;
};

}  // namespace accord::neural
