// SPDX-License-Identifier: Apache-2.0
// An order in which variables with several values are eliminated, and the tables that this makes.
//
// Problem:  eliminating a variable joins all tables that mention it into one over the variable and its neighbours, which become
//           neighbours of each other. The order decides how large the tables get; the best order is NP-hard to find.
// Method:   the cheapest of four orders: greedily the variable with the smallest table next; the one that makes the fewest new
//           neighbours (min-fill), where the graph is small enough; by their numbers; and from one end of the graph to the other (Cuthill &
//           McKee 1969). The last two are good on grids, where greedy orders are poor. Kjaerulff (1990), "Triangulation of Graphs".
// Cost:     O(sum of the squared sizes of the separators), times log variables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct EliminationOrder {
  std::vector<int32_t> order;                    // variables; the first is eliminated first
  std::vector<std::vector<int32_t>> separators;  // by place in the order: the neighbours at that time, those eliminated first in front
  std::vector<int32_t> places;                   // by variable: its place in the order
  double entries = 0;                            // of all tables together
};

struct EliminationLimits {
  double width = 22;    // log2 of the entries of the largest table; for binary variables the width of a tree decomposition plus one
  double entries = 28;  // log2 of the entries of all tables together
};

// Nothing where all orders need larger tables, or where the work was stopped.
std::optional<EliminationOrder> elimination_order(const ValueGraph& graph, const EliminationLimits& limits, const Stop& stop = {});

}  // namespace accord::graph
