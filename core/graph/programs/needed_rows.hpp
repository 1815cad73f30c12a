// SPDX-License-Identifier: Apache-2.0
// A factor graph as a linear program with as few rows as its best point needs.
//
// collect (linear_program.hpp) writes the hull of every factor. Where the objective pushes a column one way, the rows on the other side
// hold at the best point by themselves, and leaving them out makes the program several times smaller:
//
//   pairs, tables of two variables   as a score on each variable and one column for "both", which needs rows from above where its score is
//                                    positive and one from below where it is negative; a forbidden corner is one row
//   outputs of or, and               that stand in no other factor and have no evidence: one row where the output is worth something, a
//                                    row for each input where it costs something. Such outputs follow from their inputs.
//
// The integral points with all followers put right are the assignments of the graph; the relaxation has the same value.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/programs/linear_program.hpp"

namespace accord::graph {

struct NeededProgram : LinearProgram {
  std::vector<size_t> followed;  // factors whose output follows from the inputs, and is not integral as a column
  bool counted = true;           // at integral points every column with a score is 0 or 1, so that values are sums of scores
};

// Throws as collect does.
NeededProgram collect_needed(const FactorGraph& graph);

// Sets the outputs that follow.
void follow(const FactorGraph& graph, const NeededProgram& program, std::vector<uint8_t>& assignment);

}  // namespace accord::graph
