// SPDX-License-Identifier: Apache-2.0
// Costs as whole numbers in some unit, where there is one: then sums are exact in any order, and tables over sums are small.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>

namespace accord::graph {

struct CostUnit {
  static constexpr double rounding = 1e-9;     // relative, of costs given as decimals and of their sums
  static constexpr double largest_unit = 1e9;  // whole numbers up to here, and sums of millions of them, are exact

  double scale = 1, unit = 1;  // cost * scale / unit is whole

  double units(double cost) const { return std::round(cost * scale) / unit; }
  // The largest and the smallest whole number of units on this side of a limit.
  double most(double limit) const { return std::floor(limit * scale / unit * (1 + rounding * 0.001)); }
  double least(double limit) const { return std::ceil(limit * scale / unit * (1 - rounding * 0.001)); }
};

// Costs with at most three decimals, none negative, divided by their greatest common divisor.
inline std::optional<CostUnit> cost_unit(std::span<const double> costs) {
  for (const double scale : {1.0, 10.0, 100.0, 1000.0}) {
    int64_t divisor = 0;
    const bool whole = std::all_of(costs.begin(), costs.end(), [&](double cost) {
      const double scaled = cost * scale, rounded = std::round(scaled);
      if (rounded > CostUnit::largest_unit) return false;
      if (std::fabs(scaled - rounded) > CostUnit::rounding * std::max(1.0, rounded) * 0.001) return false;
      divisor = std::gcd(divisor, static_cast<int64_t>(rounded));
      return true;
    });
    if (whole) return CostUnit{scale, static_cast<double>(std::max<int64_t>(divisor, 1))};
  }
  return std::nullopt;
}

}  // namespace accord::graph
