// SPDX-License-Identifier: Apache-2.0
// The integer program of dependency parsing (flow_rows.hpp) as arrays for an LP or ILP solver.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "core/graph/programs/linear_program.hpp"
#include "core/parses/flow/flow_parts.hpp"

namespace accord::parses {

// Columns 0 .. arcs-1 are the arcs, with their scores. Throws std::invalid_argument when a part does not fit the arcs.
graph::LinearProgram parser_program(int words, std::vector<std::pair<int, int>> arcs, std::span<const double> scores, FlowParts parts);

}  // namespace accord::parses
