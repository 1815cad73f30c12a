// SPDX-License-Identifier: Apache-2.0
// Why a graph is infeasible: a set of factors that contradict each other (with the evidence) and of which none can be left
// out. Deletion filter: leave out one factor after the other and keep it out if the rest is still infeasible; every test is a
// branch and bound with all scores zero. For graphs of at most `limit` factors.
#pragma once
#include <vector>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

// Numbers of the factors; empty when the graph is too large, is feasible after all, or the search ran out of its budget.
std::vector<size_t> conflicting_factors(const FactorGraph& graph, size_t limit = 60);

}  // namespace accord::graph
