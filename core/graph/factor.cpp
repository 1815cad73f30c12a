// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factor.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

// What a factor cannot do is never asked of it (see can); these bodies keep the interface complete.
double Factor::marginals(std::span<const double>, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  return impossible;
}

double Factor::log_marginals(std::span<const double> scores, std::span<double> out) {
  const double log_sum = marginals(scores, out);
  for (double& mass : out) mass = std::log(mass) + log_sum;
  return log_sum;
}

double Factor::max_marginals(std::span<const double>, std::span<double> zero, std::span<double> one) {
  std::fill(zero.begin(), zero.end(), impossible);
  std::fill(one.begin(), one.end(), impossible);
  return impossible;
}

void Factor::project(std::span<const double> target, double, std::span<double> z) { std::copy(target.begin(), target.end(), z.begin()); }

void Factor::rows(RowSink&) {}

}  // namespace accord::graph
