// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/tabu_walk.hpp"

#include <algorithm>

namespace accord::graph {

namespace {

constexpr size_t shortest_rest = 10, further_rest = 10;                // steps
constexpr int64_t fruitless_steps = 20, least_fruitless_steps = 1000;  // for each variable, and in all cases, before the walk begins again
constexpr int64_t steps_between_looks = 256;                           // at the clock

}  // namespace

TabuWalk::TabuWalk(const CostNetwork& network, uint64_t seed)
    : network_(network),
      tables_of_(network.tables_of_variables()),
      random_(seed, 0),
      heavy_(network.sum_of_largest() + 1),
      weighed_(network.values.size()),
      least_(network.variables()),
      rests_(network.values.size(), 0) {}

size_t TabuWalk::draw(size_t count) { return std::min(count - 1, static_cast<size_t>(random_.uniform() * static_cast<double>(count))); }

double TabuWalk::weight() const {
  double sum = network_.base;
  for (size_t i = 0; i < network_.variables(); ++i)
    sum += std::min(network_.values[network_.first[i] + static_cast<size_t>(setting_[i])], heavy_);
  for (const CostTable& table : network_.tables) sum += std::min(table.cost(setting_), heavy_);
  return sum;
}

void TabuWalk::begin(const std::vector<int32_t>& setting) {
  setting_ = setting;
  for (size_t k = 0; k < weighed_.size(); ++k) weighed_[k] = std::min(network_.values[k], heavy_);
  for (const CostTable& table : network_.tables) {
    size_t entry = 0;
    for (size_t k = 0; k < table.scope.size(); ++k)
      entry += table.strides[k] * static_cast<size_t>(setting_[static_cast<size_t>(table.scope[k])]);
    for (size_t k = 0; k < table.scope.size(); ++k) {
      const auto i = static_cast<size_t>(table.scope[k]);
      const double* costs = table.costs->data() + entry - table.strides[k] * static_cast<size_t>(setting_[i]);
      double* to = weighed_.data() + network_.first[i];
      for (size_t a = 0; a < network_.domain(i); ++a) to[a] += std::min(costs[a * table.strides[k]], heavy_);
    }
  }
  for (size_t i = 0; i < network_.variables(); ++i) find_least(i);
  work_ += static_cast<double>(weighed_.size());
}

void TabuWalk::find_least(size_t variable) {
  const size_t first = network_.first[variable], here = static_cast<size_t>(setting_[variable]);
  double least = forbidden;
  for (size_t a = 0; a < network_.domain(variable); ++a)
    if (a != here) least = std::min(least, weighed_[first + a]);
  least_[variable] = least - weighed_[first + here];
  work_ += static_cast<double>(network_.domain(variable));
}

TabuWalk::Move TabuWalk::best_move(double enough) const {
  Move best;
  for (size_t i = 0; i < least_.size(); ++i) {
    if (!(least_[i] < best.rise)) continue;
    const size_t first = network_.first[i];
    const double here = weighed(i, setting_[i]);
    for (size_t a = 0; a < network_.domain(i); ++a) {
      const double rise = weighed_[first + a] - here;
      if (static_cast<int32_t>(a) == setting_[i] || !(rise < best.rise)) continue;
      if (rests_[first + a] <= step_ || rise < enough) best = {rise, i, static_cast<int32_t>(a)};
    }
  }
  return best;
}

// Costs of the other variables' values in a table of which one variable has changed.
void TabuWalk::update(const CostTable& table, size_t changed, int32_t old_value) {
  size_t entry = 0, stride = 0;
  for (size_t k = 0; k < table.scope.size(); ++k) {
    const auto i = static_cast<size_t>(table.scope[k]);
    entry += table.strides[k] * static_cast<size_t>(setting_[i]);
    if (i == changed) stride = table.strides[k];
  }
  for (size_t k = 0; k < table.scope.size(); ++k) {
    const auto i = static_cast<size_t>(table.scope[k]);
    if (i == changed) continue;
    const double* now = table.costs->data() + entry - table.strides[k] * static_cast<size_t>(setting_[i]);
    const double* before = now - stride * static_cast<size_t>(setting_[changed]) + stride * static_cast<size_t>(old_value);
    double* to = weighed_.data() + network_.first[i];
    for (size_t a = 0; a < network_.domain(i); ++a)
      to[a] += std::min(now[a * table.strides[k]], heavy_) - std::min(before[a * table.strides[k]], heavy_);
    find_least(i);
  }
}

void TabuWalk::make(const Move& move) {
  const size_t i = move.variable;
  const int32_t old_value = setting_[i];
  rests_[network_.first[i] + static_cast<size_t>(old_value)] =
      step_ + static_cast<int64_t>(std::min(shortest_rest, network_.variables() / 4) + draw(further_rest));
  setting_[i] = move.value;
  for (const int32_t t : tables_of_[i]) update(network_.tables[static_cast<size_t>(t)], i, old_value);
  find_least(i);
}

// A walk along tables changes some variables near each other: a few, or up to a third of all.
void TabuWalk::disturb() {
  const size_t variables = network_.variables();
  size_t i = draw(variables);
  for (size_t changes = 1 + draw(std::max<size_t>(4, variables / 3)); changes-- > 0;) {
    setting_[i] = static_cast<int32_t>(draw(network_.domain(i)));
    if (tables_of_[i].empty()) break;
    const CostTable& table = network_.tables[static_cast<size_t>(tables_of_[i][draw(tables_of_[i].size())])];
    i = static_cast<size_t>(table.scope[draw(table.scope.size())]);
  }
  begin(std::vector<int32_t>(setting_));
}

double TabuWalk::improve(std::vector<int32_t>& setting, double work, const Stop& stop) {
  const size_t variables = network_.variables();
  if (variables < 2) return network_.cost(setting);
  const double end = work_ + work;
  const int64_t most = fruitless_steps * static_cast<int64_t>(variables) + least_fruitless_steps;
  begin(setting);
  double here = weight(), best_here = here, best = here;
  for (int64_t since = 0; work_ < end; ++since, ++step_) {
    if (step_ % steps_between_looks == 0 && asked_to(stop)) break;
    if (since > most) {
      setting_ = setting;
      disturb();
      here = best_here = weight();
      since = 0;
    }
    const Move move = best_move(best - here);
    work_ += static_cast<double>(variables);
    if (!(move.rise < forbidden)) continue;  // all changes are tabu
    make(move);
    here += move.rise;
    if (here < best_here) best_here = here, since = 0;
    if (here < best) best = here, setting = setting_;
  }
  return network_.cost(setting);
}

}  // namespace accord::graph
