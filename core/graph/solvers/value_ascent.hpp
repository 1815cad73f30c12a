// SPDX-License-Identifier: Apache-2.0
// A better assignment, one variable with several values at a time.
//
// Set:     assignments of a graph that differ in the value of one group.
// Method:  each group in turn takes the value that is best given all others, the first of equals, until a round changes nothing
//          (Besag 1986, iterated conditional modes).
// Cost:    a round asks the factors of every group for the score of each of its values.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

// Improves the assignment of a solution that is not proved to be best. Its value rises, and where it comes within gap * spread of the bound
// it is optimal.
void ascend_values(const FactorGraph& graph, double gap, const Stop& stop, Solution& solution);

}  // namespace accord::graph
