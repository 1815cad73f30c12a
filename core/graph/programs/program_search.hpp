// SPDX-License-Identifier: Apache-2.0
// Branch and bound over the integral columns of a program, with bounds of its linear relaxation.
//
// Nodes:    each fixes some columns. Rows say what follows (row_propagation.hpp), the dual simplex method goes on from the node before and
//           gives a bound, and columns whose reduced cost is larger than what is left to win are fixed too. A node that cannot beat the
//           best point by more than the slack is closed.
// Order:    the search follows one child of each node until it is closed, then takes the open node with the largest bound.
// Branches: on the column whose two sides lower the bound most, by what earlier branches gained, or by some steps of the simplex method
//           where little is known (branching_gains.hpp).
// Points:   the relaxation's own where it is integral; rounded and filled up greedily; by dives at the root.
// Restart:  where many columns could be fixed at the root, the caller is asked to reduce the program and to begin again.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/programs/row_matrix.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

struct ProgramSearchSettings {
  int64_t nodes = std::numeric_limits<int64_t>::max();
  double slack = 0;      // by how much a point must be better than the best one so far to be of interest
  size_t kernel = 1000;  // rows that may hold with equality; beyond, the search gives up
  bool restarts = true;  // whether the root may ask for one
  Stop stop;
  // Tries a point, one value for each column, of which only integral columns count. Returns the best value so far, in the scale of the
  // matrix.
  std::function<double(std::span<const double> point)> propose;
  std::function<void(int64_t nodes, double bound)> told;
};

struct ProgramSearchResult {
  enum class End { complete, restart, stopped };
  End end = End::stopped;
  double bound = std::numeric_limits<double>::infinity();  // no point is better than this and than the best one that was found
  double margin = 0;                                       // of the bound, for rounding
  int64_t nodes = 0;
  std::vector<double> low, high;  // of columns: bounds outside of which no better point lies
};

// `best`: the value of the best point so far; -infinity where there is none.
ProgramSearchResult search_program(const RowMatrix& matrix, double best, const ProgramSearchSettings& settings);

}  // namespace accord::graph
