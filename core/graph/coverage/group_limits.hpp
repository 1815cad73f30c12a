// SPDX-License-Identifier: Apache-2.0
// The best closed set of a group of units at all prices: by pooling where the group is a forest, by maximum flow otherwise.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/closure/forest_limits.hpp"
#include "core/graph/coverage/coverage.hpp"

namespace accord::graph {

class GroupLimits {
 public:
  explicit GroupLimits(const Coverage& problem) : problem_(problem), place_(problem.units(), -1) {}

  // For each of `units` the price up to which it stays in the best closed set under weights - price * costs. `units` are of one group,
  // required ones first; what they require beyond themselves counts as there. Weights, costs and limits are by unit of the problem.
  void find(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs, std::span<double> limits);

  // The same, where occurrences that need several units are worth something of their own, and nothing without all of those.
  void find_joined(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs,
                   std::span<const double> worths, std::span<double> limits);

 private:
  void place(std::span<const int32_t> units, std::span<const double> weights, std::span<const double> costs);
  void solve_by_flow(std::span<const int32_t> units, std::span<double> limits);

  const Coverage& problem_;
  std::vector<int32_t> place_, parents_;
  std::vector<double> weights_, costs_, limits_;
  std::vector<Requirement> arcs_;
  ForestLimits forest_;
};

}  // namespace accord::graph
