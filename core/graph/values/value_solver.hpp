// SPDX-License-Identifier: Apache-2.0
// The best setting of a value graph, with a bound: preparation, then search.
//
//   1. Costs become whole numbers (cost_network.hpp); values without support go (compaction.hpp).
//   2. Variables with at most two neighbours are eliminated, or all where that is cheap (elimination.hpp).
//   3. Passes of reparametrisation give a bound and settings (reparametrisation.hpp), and local search improves these (descent.hpp).
//   4. Values that cannot be in a better setting go, and steps 2 and 3 are repeated while many go.
//   5. What is left is searched (value_search.hpp): to the end, or about as long as eliminating all variables takes, where that is
//   possible. Local searches (local_search.hpp) look for better settings after a first short search, and between dives.
// Parts of the graph without common tables are solved one after the other.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct ValueSettings {
  double tolerance = 0;  // by how much the score of the answer may miss the best
  int64_t nodes = std::numeric_limits<int64_t>::max();
  int passes = 400;          // of reparametrisation, at most
  bool search = true;        // false: end after the passes
  double elimination = 1e9;  // entries that may be computed to solve the graph by elimination alone
  Stop stop;
  Progress progress;                                                             // nodes (or passes), score, bound
  std::function<void(const std::vector<int32_t>& setting, double score)> found;  // a better setting
  std::vector<int32_t> start;                                                    // a setting to begin with
};

struct ValueAnswer {
  Status status = Status::budget;
  bool feasible = false;  // whether there is a setting
  std::vector<int32_t> setting;
  double value = impossible;
  double bound = -impossible;
  double rounding = 0;  // by which the bound was raised, since costs are rounded
  int64_t nodes = 0;
  int passes = 0;
};

ValueAnswer solve_values(const ValueGraph& graph, const ValueSettings& settings);

}  // namespace accord::graph
