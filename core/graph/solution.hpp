// SPDX-License-Identifier: Apache-2.0
// What every solver returns.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace accord::graph {

enum class Status {
  optimal,     // the assignment is provably best: its value meets the bound
  fractional,  // the relaxation is solved (to tolerance) but its solution is not integral; the assignment is a rounding
  budget,      // iterations or time ran out first
  infeasible,  // no assignment satisfies all factors and the evidence
  estimate,    // belief propagation: beliefs and an estimate, no bound
};

struct TracePoint {
  int iteration = 0;
  double seconds = 0, primal = 0, dual = 0, primal_residual = 0, dual_residual = 0;
};

struct Solution {
  Status status = Status::budget;
  std::vector<uint8_t> assignment;                                  // empty when no feasible assignment was found
  double value = -std::numeric_limits<double>::infinity();          // of the assignment
  double bound = std::numeric_limits<double>::infinity();           // no assignment has a larger value
  double rounding = 0;                                              // by which the bound was raised, since sums of doubles are rounded
  std::vector<double> posteriors;                                   // per variable: relaxed solution, or beliefs
  double log_partition = std::numeric_limits<double>::quiet_NaN();  // sum-product only
  double entropy = std::numeric_limits<double>::quiet_NaN();        // sum-product only: Bethe's, exact on forests
  int iterations = 0;
  double seconds = 0;
  std::vector<TracePoint> trace;
};

// Turns a value and a bound without a constant into those of the whole graph. Where they differ by no more than rounding, the bound
// is the value.
class FactorGraph;
void settle_bound(const FactorGraph& graph, double constant, Solution& solution);

}  // namespace accord::graph
