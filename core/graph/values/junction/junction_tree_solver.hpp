// SPDX-License-Identifier: Apache-2.0
// Exact marginals, log Z and entropy, or the best assignment, of a factor graph by a junction tree over its values.
//
// The graph is seen as variables with several values (value_view.hpp), which are eliminated (elimination_order.hpp, junction_tree.hpp).
// A graph whose tables would get too large, or which has a factor that is no table, is refused.
#pragma once
#include <limits>
#include <stdexcept>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"
#include "core/graph/values/junction/elimination_order.hpp"

namespace accord::graph {

struct JunctionTreeSettings {
  bool maximum = false;  // the best assignment instead of marginals
  EliminationLimits limits;
  Stop stop;
};

// The graph needs larger tables than the limits allow.
class TooWide : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Status: `optimal`, `infeasible`, or `budget` where the work was stopped. Throws TooWide, or std::invalid_argument where a factor is no
// table over values.
Solution solve_by_junction_tree(const FactorGraph& graph, const JunctionTreeSettings& settings);

}  // namespace accord::graph
