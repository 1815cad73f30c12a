// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/annealing.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

constexpr double coldest = 0.02;  // of the highest temperature
constexpr double lukewarm =
    0.2;  // of the highest temperature: where every second run begins, with the best setting, of which it keeps much
constexpr double work_of_noise = 4;                       // of one value, in costs
constexpr double heaviest_noise = 3;                      // penalties are as many times as high as the highest temperature
constexpr size_t fewest_sweeps = 20, most_sweeps = 1000;  // of a run

}  // namespace

Annealing::Annealing(const CostNetwork& network, uint64_t seed)
    : network_(network),
      costs_(network),
      descent_(network),
      random_(seed, 0),
      heavy_(network.sum_of_largest() + 1),
      sweep_work_(work_of_noise * static_cast<double>(network.values.size())) {
  for (size_t k = 0; k < noise_levels; ++k)  // the quantiles of the Gumbel distribution
    noise_[k] = std::round(-std::log(-std::log((static_cast<double>(k) + 0.5) / noise_levels)) * 1024) / 1024;
  for (const CostTable& table : network.tables) {
    double largest = 0;
    for (const double cost : *table.costs)
      if (cost < forbidden) largest = std::max(largest, cost);
    penalty_ = std::max(penalty_, largest);
    for (const int32_t i : table.scope) sweep_work_ += static_cast<double>(network.domain(static_cast<size_t>(i)));
  }
  for (const double cost : network.values)
    if (cost < forbidden) penalty_ = std::max(penalty_, cost);
  std::vector<int32_t> setting(network.variables());
  for (size_t i = 0; i < setting.size(); ++i) setting[i] = static_cast<int32_t>(random(network.domain(i)));
  double sum = 0;
  size_t counted = 0;
  for (size_t i = 0; i < setting.size(); ++i) {
    const std::vector<double>& costs = costs_.of(i, setting, heavy_);
    double least = forbidden, most = 0;
    for (const double cost : costs)
      if (cost < heavy_) least = std::min(least, cost), most = std::max(most, cost);
    if (least < most) sum += most - least, ++counted;
  }
  if (counted > 0) hot_ = sum / static_cast<double>(counted);
  penalty_ = least_penalty_ = std::max(penalty_, heaviest_noise * hot_);
}

size_t Annealing::random(size_t count) { return std::min(count - 1, static_cast<size_t>(random_.uniform() * static_cast<double>(count))); }

void Annealing::draw(size_t variable, std::vector<int32_t>& setting, double temperature) {
  const std::vector<double>& costs = costs_.of(variable, setting, penalty_);
  double least = forbidden;
  for (size_t a = 0; a < costs.size(); ++a) {
    const double cost = costs[a] - temperature * noise_[random(noise_levels)];
    if (cost < least) least = cost, setting[variable] = static_cast<int32_t>(a);
  }
}

void Annealing::cool(std::vector<int32_t>& setting, double temperature, size_t sweeps, const Stop& stop) {
  const double step = std::pow(coldest * hot_ / temperature, 1.0 / static_cast<double>(sweeps));
  for (size_t sweep = 0; sweep < sweeps && !asked_to(stop); ++sweep, temperature *= step)
    for (size_t i = 0; i < network_.variables(); ++i) draw(i, setting, temperature);
}

double Annealing::improve(std::vector<int32_t>& setting, double work, const Stop& stop) {
  double best = network_.cost(setting);
  const auto all = static_cast<size_t>(work / sweep_work_);
  const size_t sweeps = std::min(most_sweeps, all / 2);
  if (sweeps < fewest_sweeps) return best;
  for (size_t done = 0; done + sweeps <= all && !asked_to(stop); done += sweeps, ++runs_) {
    std::vector<int32_t> found = setting;
    cool(found, runs_ % 2 == 0 ? hot_ : lukewarm * hot_, sweeps, stop);
    const bool broken = !(network_.cost(found) < forbidden);
    penalty_ = broken ? std::min(2 * penalty_, heavy_) : std::max(0.9 * penalty_, least_penalty_);
    const double cost = descent_.improve(found);
    if (cost < best) best = cost, setting = found;
  }
  return best;
}

}  // namespace accord::graph
