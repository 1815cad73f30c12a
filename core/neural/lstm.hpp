// SPDX-License-Identifier: Apache-2.0
// One bidirectional layer of long short-term memory (Hochreiter & Schmidhuber 1997; with forget gates, Gers et al. 2000):
//   i, f, o = sigmoid(.), g = tanh(.) of W x_t + U h_{t-1} + b;  c_t = f c_{t-1} + i g;  h_t = o tanh(c_t).
//
// Sequences of like length run together, up to 16: the products with W are made for all their words at once, a step for all that are
// still running. A sequence's result does not depend on the others of the call. Time O(words * 4 units * (inputs + units)) for each
// direction; memory O(16 * longest * (inputs + 4 units)).
#pragma once
#include <cstdint>
#include <span>

#include "core/neural/kernels/matrix.hpp"

namespace accord::neural {

// Gates in the order i, f, g, o, as PyTorch has them.
struct LstmWeights {
  std::span<const float> input;      // 4 units x inputs
  std::span<const float> recurrent;  // 4 units x units
  std::span<const float> bias;       // 4 units: the sum of both biases
};

class Lstm {
 public:
  Lstm() = default;
  Lstm(const LstmWeights& forward, const LstmWeights& backward, int inputs, int units, Precision precision);

  int inputs() const { return inputs_; }
  int units() const { return units_; }
  int outputs() const { return 2 * units_; }

  // x: words x inputs, the sequences one after the other; y: words x 2 units, [forward | backward]. int8 rounds h to 1 / 127.
  void run(std::span<const float> x, std::span<const int> lengths, std::span<float> y, Scratch& scratch) const;

 private:
  struct Direction {
    Matrix input, recurrent;
  };

  // Over some of the sequences, the longest first.
  void run_direction(const Direction& direction, bool backward, std::span<const int32_t> members, std::span<const float> x,
                     std::span<const int> lengths, std::span<float> y, Scratch& scratch) const;

  int inputs_ = 0, units_ = 0;
  Direction forward_, backward_;
};

}  // namespace accord::neural
