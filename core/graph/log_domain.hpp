// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials that are only ever held as logarithms; -infinity stands for zero.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace accord::graph {

// log(1 + e^x)
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

// log(e^a + e^b)
inline double log_add(double a, double b) {
  const double top = std::max(a, b);
  if (top == -std::numeric_limits<double>::infinity()) return top;
  return top + std::log1p(std::exp(std::min(a, b) - top));
}

}  // namespace accord::graph
