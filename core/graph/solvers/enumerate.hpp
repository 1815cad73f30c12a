// SPDX-License-Identifier: Apache-2.0
// Everything about a small graph, by looking at every assignment.
//
// Set:        assignments of the free variables, depth first; a branch ends as soon as a factor whose variables are all set
//             forbids it.
// Finds:      the best assignment, the log of the sum of exp(value), and P(x_r = 1) under p(x) ~ exp(value(x)).
// Complexity: O(2^free) nodes at most, each with the factors that it completes.
//
// Variables are set in the order in which factors mention them, so that factors are complete, and prune, early. Sums stay in
// the log domain: no range of scores overflows. Variables that no factor touches are added at the end, by themselves. Ties go to the
// assignment met first (0 before 1).
#pragma once
#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

// Throws std::invalid_argument when more than `limit` variables are free.
// `stop` becoming true ends the search with status `budget`: the best assignment so far, a bound that holds without any search, and
// no sums.
Solution enumerate(const FactorGraph& graph, int limit = 25, const Stop& stop = {}, const Progress& progress = {});

}  // namespace accord::graph
