// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/descent.hpp"

#include <algorithm>

namespace accord::graph {

Descent::Descent(const CostNetwork& network)
    : network_(network),
      costs_(network),
      queued_(network.variables(), 0),
      heavy_(network.sum_of_largest() + 1) {}

// Empties the queue; returns by how much the cost fell.
double Descent::descend(std::vector<int32_t>& setting) {
  double gained = 0;
  while (!queue_.empty()) {
    const size_t i = queue_.back();
    queue_.pop_back();
    queued_[i] = 0;
    ++visits_;
    const std::vector<double>& costs = costs_.of(i, setting, heavy_);
    const auto best = std::min_element(costs.begin(), costs.end()) - costs.begin();
    const double gain = costs[static_cast<size_t>(setting[i])] - costs[static_cast<size_t>(best)];
    if (!(gain > 0)) continue;
    gained += gain;
    change(i, static_cast<int32_t>(best), setting);
  }
  return gained;
}

double Descent::improve(std::vector<int32_t>& setting) {
  for (size_t i = network_.variables(); i-- > 0;) {
    queued_[i] = 1;
    queue_.push_back(i);
  }
  log_.clear();
  descend(setting);
  return network_.cost(setting);
}

void Descent::change(size_t variable, int32_t value, std::vector<int32_t>& setting) {
  log_.emplace_back(variable, setting[variable]);
  setting[variable] = value;
  for (const int32_t t : costs_.tables_of(variable))
    for (const int32_t j : network_.tables[static_cast<size_t>(t)].scope) {
      const auto other = static_cast<size_t>(j);
      if (other != variable && !queued_[other]) queued_[other] = 1, queue_.push_back(other);
    }
}

double Descent::wander(std::vector<int32_t>& setting, size_t visits, const Stop& stop) {
  improve(setting);
  const size_t variables = network_.variables(), end = visits_ + visits;
  const auto draw = [&](size_t count) { return std::min(count - 1, static_cast<size_t>(random_.uniform() * static_cast<double>(count))); };
  while (visits_ < end && variables > 0 && !asked_to(stop)) {
    log_.clear();
    size_t i = draw(variables);
    double gained = 0;
    for (size_t kicks = 1 + draw(4); kicks-- > 0;) {  // a walk along tables
      const std::vector<double>& costs = costs_.of(i, setting, heavy_);
      const auto value = static_cast<int32_t>(draw(network_.domain(i)));
      gained -= costs[static_cast<size_t>(value)] - costs[static_cast<size_t>(setting[i])];
      change(i, value, setting);
      const std::vector<int32_t>& tables = costs_.tables_of(i);
      if (tables.empty()) break;
      const CostTable& table = network_.tables[static_cast<size_t>(tables[draw(tables.size())])];
      i = static_cast<size_t>(table.scope[draw(table.scope.size())]);
    }
    gained += descend(setting);
    if (gained >= 0) continue;
    for (size_t k = log_.size(); k-- > 0;) setting[log_[k].first] = log_[k].second;
  }
  return network_.cost(setting);
}

}  // namespace accord::graph
