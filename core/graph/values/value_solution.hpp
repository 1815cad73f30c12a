// SPDX-License-Identifier: Apache-2.0
// The solvers on values, for a factor graph of binary variables.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

struct ValueSolverSettings {
  bool search = true;  // false: passes of reparametrisation alone
  int64_t nodes = std::numeric_limits<int64_t>::max();
  int passes = 400;
  double gap = 1e-7;  // in units of the spread (scale.hpp)
  Stop stop;
  Progress progress;
  Better better;
  std::span<const uint8_t> start = {};  // an assignment to beat, where one is known
};

// Nothing where the graph has no view as values (value_view.hpp). Solution::iterations counts nodes, or passes without search.
std::optional<Solution> solve_by_values(const FactorGraph& graph, const ValueSolverSettings& settings);

}  // namespace accord::graph
