// SPDX-License-Identifier: Apache-2.0
// Exact joint probabilities of some variables of a factor graph, by a junction tree: the marginals of its tables, or of any other scopes.
//
// A scope is added to the graph as a table of zeros, so that one bucket of the tree holds all its variables.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/values/junction/junction_tree_solver.hpp"

namespace accord::graph {

// An axis of a scope: one binary variable, off and on; or the binary variables of the values of one variable.
using ScopeAxis = std::vector<int64_t>;

// For each scope the probabilities of all settings, its last axis fastest; empty where nothing is possible, or when stopped. Throws
// TooWide, and std::invalid_argument where an axis is none.
std::vector<std::vector<double>> joint_marginals(const FactorGraph& graph, const std::vector<std::vector<ScopeAxis>>& scopes,
                                                 const JunctionTreeSettings& settings);

}  // namespace accord::graph
