// SPDX-License-Identifier: Apache-2.0
// Exact MAP by best-first branch and bound: each node fixes some variables (evidence) and is bounded by the dual of AD3 or of
// subgradient dual decomposition; a node whose bound does not exceed the best assignment is closed, and so is one that a
// factor, taken alone, refuses. Branching takes the variable nearest to one half. Worst case exponential; with a tight
// relaxation one node is enough. The bound of the answer is the largest of its value and of the bounds of all closed and open nodes.
//
// With `thorough`, nodes do more before they branch. What follows from fixed variables by any one factor is fixed too (propagation.hpp),
// and so are variables that cannot have the other value in a better assignment, by the bounds that `forced` gives. A variable with several
// values is branched on as a whole, one child a value. The search follows the most promising child of each node until it is closed, which
// is a dive for assignments, and begins again at the root when much was fixed there.
#pragma once
#include <functional>
#include <limits>
#include <span>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

struct BranchSettings {
  int nodes = 10000;  // budget of nodes
  double seconds = std::numeric_limits<double>::infinity();
  double gap = 1e-7;  // in units of the spread (scale.hpp): what need not be searched for; 0: nothing but rounding
  bool trace = false;
  Stop stop;          // asked at every node
  Progress progress;  // told after every node
  // Bounds the graph under its current evidence, and with the scores that it has during the search: a Solution with bound, posteriors, and
  // an assignment if it has one. It may end as soon as its bound is not above the level, that of the best assignment so far.
  std::function<Solution(double seconds, double level)> bound;
  Better better;  // told of better assignments
  bool thorough = false;
  // After a bound: for each variable, bounds with it off and with it on. Empty: not known. Asked for by `thorough` alone.
  std::function<void(std::span<double> off, std::span<double> on)> forced;
  std::span<const uint8_t> start = {};  // an assignment to beat, where one is known
  // Only the first so many variables are branched on. The others must follow from them, and an assignment come with the bound
  // where all of these are fixed.
  size_t decisive = std::numeric_limits<size_t>::max();
};

// The graph's evidence is changed during the search, and so are the scores of variables that are decided alone; both are restored at
// the end. Solution::iterations counts nodes.
Solution branch_and_bound(FactorGraph& graph, const BranchSettings& settings);

}  // namespace accord::graph
