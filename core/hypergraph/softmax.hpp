// SPDX-License-Identifier: Apache-2.0
// Logarithms of weights turned into shares of one.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "core/hypergraph/items.hpp"

namespace accord::hypergraph {

// exp(values - largest) in place, made to sum to one; returns the logarithm of the sum of exp(values). All zeros and `forbidden`
// when every value is forbidden.
inline double softmax(std::span<double> values) {
  double largest = forbidden, sum = 0;
  for (const double value : values) largest = largest < value ? value : largest;
  if (largest == forbidden) {
    std::fill(values.begin(), values.end(), 0.0);
    return forbidden;
  }
  for (double& value : values) {
    value = value == forbidden ? 0.0 : std::exp(value - largest);
    sum += value;
  }
  const double inverse = 1 / sum;
  for (double& value : values) value *= inverse;
  return largest + std::log(sum);
}

}  // namespace accord::hypergraph
