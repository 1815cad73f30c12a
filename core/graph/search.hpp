// SPDX-License-Identifier: Apache-2.0
// One exact search for all graphs that can be written down: over values where every factor is a table, over rows otherwise.
//
// Both searches have the same parts: what is fixed is passed on, values and columns that cannot be in a better assignment go, dives and
// local search find assignments, the open node with the largest bound comes next, and a graph of which much was fixed is reduced and
// begun again. Over values (values/value_solver.hpp) bounds come from reparametrised tables; over rows (programs/program_solution.hpp)
// they come from the linear relaxation.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

enum class SearchBy { any, values, rows };

// "auto", "values" or "rows"; throws std::invalid_argument otherwise.
SearchBy parse_search_by(std::string_view name);

struct SearchSettings {
  SearchBy by = SearchBy::any;
  int64_t nodes = std::numeric_limits<int64_t>::max();
  double gap = 1e-7;                                  // in units of the spread (scale.hpp)
  size_t rows = std::numeric_limits<int32_t>::max();  // that may hold with equality: beyond, a search over rows gives up
  Stop stop;
  Progress progress;
  Better better;
  std::span<const uint8_t> start = {};  // an assignment to beat, where one is known
};

// Throws std::invalid_argument where a factor is neither a table of values nor able to write rows.
Solution search(const FactorGraph& graph, const SearchSettings& settings);

}  // namespace accord::graph
