// SPDX-License-Identifier: Apache-2.0
#include "core/neural/kernels/activations.hpp"

#include <cmath>
#include <limits>

#include "core/neural/kernels/elementwise.hpp"

namespace accord::neural {

namespace {

ACCORD_INLINE void sigmoid_here(std::span<float> values) {
  for (float& value : values) value = sigmoid_of(value);
}

ACCORD_INLINE void tanh_here(std::span<float> values) {
  for (float& value : values) value = tanh_of(value);
}

ACCORD_INLINE void leaky_relu_here(std::span<float> values, float slope) {
  for (float& value : values) value = value > 0 ? value : slope * value;
}

ACCORD_INLINE void log_softmax_here(std::span<float> values) {
  constexpr size_t lanes = 16;
  constexpr float none = -std::numeric_limits<float>::infinity();
  const size_t n = values.size(), whole = n / lanes * lanes;
  float most[lanes], sums[lanes] = {};
  for (float& lane : most) lane = none;
  for (size_t i = 0; i < whole; i += lanes)
    for (size_t j = 0; j < lanes; ++j) most[j] = values[i + j] > most[j] ? values[i + j] : most[j];
  for (size_t i = whole; i < n; ++i) most[i - whole] = values[i] > most[i - whole] ? values[i] : most[i - whole];
  float largest = none;
  for (float lane : most) largest = lane > largest ? lane : largest;
  if (largest == none) return;
  for (size_t i = 0; i < whole; i += lanes)
    for (size_t j = 0; j < lanes; ++j) sums[j] += exponential_of(values[i + j] - largest);
  for (size_t i = whole; i < n; ++i) sums[i - whole] += exponential_of(values[i] - largest);
  double sum = 0;
  for (float lane : sums) sum += static_cast<double>(lane);
  const auto logarithm = static_cast<float>(std::log(sum));
  for (float& value : values) value = (value - largest) - logarithm;
}

}  // namespace

ACCORD_AT_LEVEL(sigmoid, (std::span<float> values), (values))
ACCORD_AT_LEVEL(tanh, (std::span<float> values), (values))
ACCORD_AT_LEVEL(leaky_relu, (std::span<float> values, float slope), (values, slope))
ACCORD_AT_LEVEL(log_softmax, (std::span<float> values), (values))

}  // namespace accord::neural
