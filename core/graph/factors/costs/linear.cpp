// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/costs/linear.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/graph/factors/costs/budget.hpp"
#include "core/graph/factors/costs/whole_costs.hpp"
#include "core/graph/negated.hpp"

namespace accord::graph {

namespace {

constexpr double most_sums = 1 << 22;  // states of the lattice: 32 MiB

double cost_of(std::span<const double> costs, std::span<const double> z) {
  return std::inner_product(costs.begin(), costs.end(), z.begin(), 0.0);
}

std::vector<uint8_t> flipped(std::vector<uint8_t> mask) {
  for (uint8_t& bit : mask) bit ^= 1;
  return mask;
}

}  // namespace

CostInterval::CostInterval(std::vector<double> costs, double low, double high)
    : costs_(std::move(costs)),
      low_(low),
      high_(high),
      final_scores_(static_cast<size_t>(high) + 1, impossible) {
  std::fill(final_scores_.begin() + static_cast<std::ptrdiff_t>(low), final_scores_.end(), 0.0);
  for (const double cost : costs_) steps_.push_back(static_cast<int32_t>(std::min(cost, high + 1)));
}

double CostInterval::score(std::span<const uint8_t> configuration) {
  double total = 0;
  for (size_t i = 0; i < costs_.size(); ++i)
    if (configuration[i]) total += costs_[i];
  return total >= low_ && total <= high_ ? 0.0 : impossible;
}

// Beyond a limit, the projection lies on it: all move along the costs, by a threshold. From below it is the same with roles reversed.
void CostInterval::project(std::span<const double> target, double, std::span<double> z) {
  for (size_t i = 0; i < z.size(); ++i) z[i] = clip(target[i]);
  const double total = cost_of(costs_, z);
  if (total > high_) {
    const double threshold = box_threshold(target, costs_, high_, breakpoints_, 0.0);
    for (size_t i = 0; i < z.size(); ++i) z[i] = clip(target[i] - threshold * costs_[i]);
  } else if (total < low_) {
    reflected_.resize(target.size());
    for (size_t i = 0; i < z.size(); ++i) reflected_[i] = 1 - target[i];
    const double room = std::max(0.0, std::accumulate(costs_.begin(), costs_.end(), 0.0) - low_);
    const double threshold = box_threshold(reflected_, costs_, room, breakpoints_, 0.0);
    for (size_t i = 0; i < z.size(); ++i) z[i] = 1 - clip(reflected_[i] - threshold * costs_[i]);
  }
}

void CostInterval::rows(RowSink& sink) {
  std::vector<int> columns(size());
  std::iota(columns.begin(), columns.end(), 0);
  sink.row(low_, columns, costs_, high_);
}

std::vector<std::unique_ptr<Factor>> make_linear(std::span<const double> coefficients, double low, double high,
                                                 std::span<const uint8_t> negated) {
  std::vector<double> costs(coefficients.begin(), coefficients.end());
  std::vector<uint8_t> mask(costs.size(), 0);
  double total = 0, shift = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    if (!std::isfinite(costs[i])) throw std::invalid_argument("coefficient " + std::to_string(i) + " is not a finite number");
    mask[i] = (costs[i] < 0) != (!negated.empty() && negated[i]);
    if (costs[i] < 0) shift -= costs[i];
    total += costs[i] = std::fabs(costs[i]);
  }
  const double slack = CostUnit::rounding * total;
  low += shift;
  high += shift;
  if (!(low <= high) || high < -slack || low > total + slack) throw std::invalid_argument("no assignment satisfies this constraint");
  high = std::max(high, 0.0);
  const bool below = high<total, above = low> slack;
  std::vector<std::unique_ptr<Factor>> factors;
  const auto unit = cost_unit(costs);
  if (below && above && unit && unit->most(high) * static_cast<double>(costs.size() + 1) <= most_sums) {
    for (double& cost : costs) cost = unit->units(cost);
    const double least = std::max(0.0, unit->least(low)), most = unit->most(high);
    if (least > most) throw std::invalid_argument("no assignment satisfies this constraint");
    factors.push_back(negate(std::make_unique<CostInterval>(std::move(costs), least, most), mask));
    return factors;
  }
  if (below) factors.push_back(negate(std::make_unique<Budget>(costs, high), mask));
  if (above) factors.push_back(negate(std::make_unique<Budget>(costs, std::max(0.0, total - low)), flipped(mask)));
  return factors;
}

}  // namespace accord::graph
