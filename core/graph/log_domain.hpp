// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials that are only ever held as logarithms; -infinity stands for zero.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace accord::graph {

// log(1 + e^x)
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

// 1 / (1 + e^-x)
inline double sigmoid(double x) { return x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

// The x of sigmoid(x) = probability. Probabilities of 0 and 1, and those that rounding has pushed beyond, get the odds of the nearest
// number inside.
inline double log_odds(double probability) {
  const double inside = std::clamp(probability, std::numeric_limits<double>::min(), 1 - 0x1p-53);
  return std::log(inside) - std::log1p(-inside);
}

// log(e^a + e^b)
inline double log_add(double a, double b) {
  const double top = std::max(a, b);
  if (top == -std::numeric_limits<double>::infinity()) return top;
  return top + std::log1p(std::exp(std::min(a, b) - top));
}

}  // namespace accord::graph
