// SPDX-License-Identifier: Apache-2.0
// The best assignment of a graph whose factors can write rows, by search over its linear program (program_search.hpp).
//
// The program is written with the rows that are needed (needed_rows.hpp), reduced (reduced_program.hpp), searched, and reduced again when
// much could be fixed. Values are those of the graph itself: a point that the graph refuses counts for nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

struct ProgramSettings {
  int64_t nodes = std::numeric_limits<int64_t>::max();
  double gap = 1e-7;     // in units of the spread (scale.hpp)
  size_t kernel = 1000;  // rows that may hold with equality: beyond, the simplex method is too slow and the search gives up
  Stop stop;
  Progress progress;
  Better better;
  std::span<const uint8_t> start = {};  // an assignment to beat, where one is known
};

// Throws std::invalid_argument where a factor cannot write rows, or asks for a column without an upper bound. Solution::iterations counts
// nodes.
Solution solve_by_program(const FactorGraph& graph, const ProgramSettings& settings);

}  // namespace accord::graph
