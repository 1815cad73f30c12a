// SPDX-License-Identifier: Apache-2.0
#include "core/graph/conditioned.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

// Powers of two, so that pushes add up without rounding.
constexpr double most_growth = 0x1p100;
constexpr double growth = 0x1p10;

// More than all free scores and the factor's own can make up for.
double first_strength(std::span<const double> scores, std::span<const int8_t> fixed, double width) {
  double total = width;
  for (size_t i = 0; i < scores.size(); ++i)
    if (fixed[i] < 0 && scores[i] > impossible) total += std::fabs(scores[i]);
  return total > 0 ? std::exp2(std::ceil(std::log2(total)) + 1) : 1.0;
}

}  // namespace

bool Conditioned::agree(Factor& factor, double strength, std::span<const int8_t> fixed, std::span<uint8_t> configuration) {
  for (size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] >= 0) pushed_[i] = fixed[i] ? strength : -strength;
  if (factor.maximize(pushed_, configuration) == impossible) return false;
  for (size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] >= 0 && configuration[i] != fixed[i]) return false;
  return true;
}

double Conditioned::maximize(Factor& factor, std::span<const double> scores, std::span<const int8_t> fixed,
                             std::span<uint8_t> configuration) {
  const auto free = std::count_if(fixed.begin(), fixed.end(), [](int8_t value) { return value < 0; });
  if (free == static_cast<std::ptrdiff_t>(fixed.size())) return factor.maximize(scores, configuration);
  if (free == 0) {
    std::copy(fixed.begin(), fixed.end(), configuration.begin());
    return factor.score(configuration);
  }
  pushed_.assign(scores.begin(), scores.end());
  const OwnRange range = factor.own_range();
  double strength = first_strength(scores, fixed, range.known() ? range.width() : 0);
  const double strongest = range.known() ? strength : most_growth * strength;
  while (!agree(factor, strength, fixed, configuration)) {
    if (strength >= strongest) return impossible;
    strength *= growth;
  }
  double value = factor.score(configuration);  // free of the rounding that the pushes bring
  for (size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] < 0 && configuration[i]) value += scores[i];
  return value;
}

bool Conditioned::possible(Factor& factor, std::span<const int8_t> fixed) {
  configuration_.resize(fixed.size());
  zeros_.assign(fixed.size(), 0.0);
  return maximize(factor, zeros_, fixed, configuration_) > impossible;
}

}  // namespace accord::graph
