// SPDX-License-Identifier: Apache-2.0
// What the dual simplex method proves: computed from multipliers afresh, with margins for rounding.
#include <algorithm>
#include <cmath>

#include "core/graph/programs/dual_simplex.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

// For any multipliers y of rows, no point has a larger value than  sum_i max y_i s_i + sum_j max (score_j - y . A_j) x_j,  each maximum
// over the bounds of one variable.
double DualSimplex::bound() {
  safe_costs_.assign(matrix_.scores.begin(), matrix_.scores.end());
  safe_costs_.resize(now_.value.size(), 0.0);
  CarefulSum sum;
  double sizes = 0;
  for (const int32_t row : now_.equal) {
    const auto i = static_cast<size_t>(row);
    const size_t slack = width() + i;
    const double multiplier = now_.cost[slack];
    const double limit = multiplier > 0 ? now_.high[slack] : now_.low[slack];
    if (multiplier == 0 || std::isinf(limit)) continue;
    safe_costs_[slack] = multiplier;
    sum.add(multiplier * limit);
    sizes += std::fabs(multiplier * limit);
    for (const MatrixEntry& entry : matrix_.rows[i]) {
      const auto j = static_cast<size_t>(entry.index);
      safe_costs_[j] -= multiplier * entry.value;
      sizes += std::fabs(multiplier * entry.value) * std::max(std::fabs(now_.low[j]), std::fabs(now_.high[j]));
    }
  }
  for (size_t j = 0; j < width(); ++j) {
    sum.add(std::max(safe_costs_[j] * now_.low[j], safe_costs_[j] * now_.high[j]));
    sizes += std::fabs(matrix_.scores[j]) * std::max(std::fabs(now_.low[j]), std::fabs(now_.high[j]));
  }
  margin_ = epsilon * (16 + static_cast<double>(now_.equal.size())) * sizes;
  return sum.value() + margin_;
}

// The row of the tableau is an equation that all points fulfil. It has no solution where zero lies outside of the range of its terms.
bool DualSimplex::proves_infeasible(size_t leaving) {
  double least = 0, most = 0, sizes = 0;
  const auto add = [&](size_t variable, double factor) {
    const double a = factor * now_.low[variable], b = factor * now_.high[variable];
    least += std::min(a, b);
    most += std::max(a, b);
    sizes += std::isinf(a) || std::isinf(b) ? 0 : std::max(std::fabs(a), std::fabs(b));
  };
  for (const int32_t v : touched_) {
    const auto j = static_cast<size_t>(v);
    if (alpha_[j] != 0) add(j, alpha_[j]);
  }
  if (leaving >= width()) add(leaving, -1.0);
  const double margin = 1e-10 * (1 + sizes);
  return least > margin || most < -margin;
}

}  // namespace accord::graph
