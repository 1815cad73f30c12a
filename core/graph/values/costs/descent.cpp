// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/descent.hpp"

#include <algorithm>

namespace accord::graph {

namespace {

double largest_finite(std::span<const double> costs) {
  double largest = 0;
  for (const double cost : costs)
    if (cost < forbidden) largest = std::max(largest, cost);
  return largest;
}

}  // namespace

Descent::Descent(const CostNetwork& network)
    : network_(network),
      tables_of_(network.tables_of_variables()),
      queued_(network.variables(), 0) {
  for (size_t i = 0; i < network.variables(); ++i)
    heavy_ += largest_finite(std::span(network.values).subspan(network.first[i], network.domain(i)));
  for (const CostTable& table : network.tables) heavy_ += largest_finite(*table.costs);
}

void Descent::weigh(size_t variable, const std::vector<int32_t>& setting) {
  const size_t values = network_.domain(variable);
  const auto first = static_cast<ptrdiff_t>(network_.first[variable]);
  weighed_.assign(network_.values.begin() + first, network_.values.begin() + first + static_cast<ptrdiff_t>(values));
  for (double& cost : weighed_) cost = std::min(cost, heavy_);
  for (const int32_t t : tables_of_[variable]) {
    const CostTable& table = network_.tables[static_cast<size_t>(t)];
    size_t entry = 0, stride = 0;
    for (size_t k = 0; k < table.scope.size(); ++k) {
      const auto j = static_cast<size_t>(table.scope[k]);
      if (j == variable) stride = table.strides[k];
      else entry += table.strides[k] * static_cast<size_t>(setting[j]);
    }
    const double* costs = table.costs->data() + entry;
    for (size_t a = 0; a < values; ++a) weighed_[a] += std::min(costs[a * stride], heavy_);
  }
}

// Empties the queue; returns by how much the cost fell.
double Descent::descend(std::vector<int32_t>& setting) {
  double gained = 0;
  while (!queue_.empty()) {
    const size_t i = queue_.back();
    queue_.pop_back();
    queued_[i] = 0;
    ++visits_;
    weigh(i, setting);
    const auto best = std::min_element(weighed_.begin(), weighed_.end()) - weighed_.begin();
    const double gain = weighed_[static_cast<size_t>(setting[i])] - weighed_[static_cast<size_t>(best)];
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
  for (const int32_t t : tables_of_[variable])
    for (const int32_t j : network_.tables[static_cast<size_t>(t)].scope) {
      const auto other = static_cast<size_t>(j);
      if (other != variable && !queued_[other]) queued_[other] = 1, queue_.push_back(other);
    }
}

double Descent::wander(std::vector<int32_t>& setting, size_t visits, const Stop& stop) {
  improve(setting);
  RandomStream random(1, 0);
  const size_t variables = network_.variables(), end = visits_ + visits;
  const auto draw = [&](size_t count) { return std::min(count - 1, static_cast<size_t>(random.uniform() * static_cast<double>(count))); };
  while (visits_ < end && variables > 0 && !asked_to(stop)) {
    log_.clear();
    size_t i = draw(variables);
    double gained = 0;
    for (size_t kicks = 1 + draw(4); kicks-- > 0;) {  // a walk along tables
      weigh(i, setting);
      const auto value = static_cast<int32_t>(draw(network_.domain(i)));
      gained -= weighed_[static_cast<size_t>(value)] - weighed_[static_cast<size_t>(setting[i])];
      change(i, value, setting);
      if (tables_of_[i].empty()) break;
      const CostTable& table = network_.tables[static_cast<size_t>(tables_of_[i][draw(tables_of_[i].size())])];
      i = static_cast<size_t>(table.scope[draw(table.scope.size())]);
    }
    gained += descend(setting);
    if (gained >= 0) continue;
    for (size_t k = log_.size(); k-- > 0;) setting[log_[k].first] = log_[k].second;
  }
  return network_.cost(setting);
}

}  // namespace accord::graph
