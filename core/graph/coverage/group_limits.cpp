// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/group_limits.hpp"

#include <limits>

namespace accord::graph {

void GroupLimits::place(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs) {
  weights_.clear(), costs_.clear(), parents_.clear(), arcs_.clear();
  for (size_t k = 0; k < units.size(); ++k) {
    const auto u = static_cast<size_t>(units[k]);
    place_[u] = static_cast<int32_t>(k);
    weights_.push_back(weights[u]);
    costs_.push_back(costs[u]);
    parents_.push_back(-1);
    for (int32_t needed : problem_.required_by(u))
      if (place_[static_cast<size_t>(needed)] >= 0)
        arcs_.push_back({static_cast<int32_t>(k), parents_.back() = place_[static_cast<size_t>(needed)]});
  }
}

void GroupLimits::solve_by_flow(std::span<const int32_t> units, std::span<double> limits) {
  const std::vector<double> found = parametric_closure(weights_, costs_, arcs_);
  for (size_t k = 0; k < units.size(); ++k) limits[static_cast<size_t>(units[k])] = found[k];
}

void GroupLimits::find(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs,
                       std::span<double> limits) {
  if (units.size() == 1) {
    const auto u = static_cast<size_t>(units.front());
    limits[u] = weights[u] <= 0 ? 0.0 : costs[u] > 0 ? weights[u] / costs[u] : std::numeric_limits<double>::infinity();
    return;
  }
  if (units.empty()) return;
  place(units, weights, costs);
  if (problem_.is_forest(static_cast<size_t>(problem_.group_of(static_cast<size_t>(units.front()))))) {
    limits_.resize(units.size());
    forest_.find(parents_, weights_, costs_, limits_);
    for (size_t k = 0; k < units.size(); ++k) limits[static_cast<size_t>(units[k])] = limits_[k];
  } else {
    solve_by_flow(units, limits);
  }
  for (int32_t unit : units) place_[static_cast<size_t>(unit)] = -1;
}

void GroupLimits::find_joined(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs,
                              std::span<const double> worths, std::span<double> limits) {
  if (units.empty()) return;
  const auto group = static_cast<size_t>(problem_.group_of(static_cast<size_t>(units.front())));
  if (!problem_.is_joined(group)) return find(units, weights, costs, limits);
  place(units, weights, costs);
  for (int32_t k : problem_.group_occurrences(group)) {
    const auto occurrence = static_cast<size_t>(k);
    if (problem_.needs(occurrence).size() < 2 || worths[occurrence] <= 0) continue;
    const auto item = static_cast<int32_t>(weights_.size());
    const size_t first = arcs_.size();
    for (int32_t unit : problem_.needs(occurrence)) arcs_.push_back({item, place_[static_cast<size_t>(unit)]});
    bool whole = true;
    for (size_t a = first; a < arcs_.size(); ++a) whole = whole && arcs_[a].required >= 0;
    if (whole) weights_.push_back(worths[occurrence]), costs_.push_back(0);
    else arcs_.resize(first);  // a unit that it needs cannot be had
  }
  solve_by_flow(units, limits);
  for (int32_t unit : units) place_[static_cast<size_t>(unit)] = -1;
}

}  // namespace accord::graph
