// SPDX-License-Identifier: Apache-2.0
// The integer program of dependency parsing (flow_rows.hpp) as arrays for an LP or ILP solver.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "core/graph/flow_parts.hpp"
#include "core/graph/linear_program.hpp"

namespace accord::graph {

// Columns 0 .. arcs-1 are the arcs, with their scores. Throws std::invalid_argument when a part does not fit the arcs.
LinearProgram parser_program(int words, std::vector<std::pair<int, int>> arcs, std::span<const double> scores, FlowParts parts);

}  // namespace accord::graph
