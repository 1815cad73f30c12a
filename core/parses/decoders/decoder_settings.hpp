// SPDX-License-Identifier: Apache-2.0
// How to search for the best tree under part scores, and what such a search answers (part_decoder.hpp).
#pragma once
#include <limits>
#include <string_view>

#include "core/graph/solution.hpp"

namespace accord::graph {
enum class SubgradientRule;
}

namespace accord::parses {

enum class Solver { automatic, chart, ad3, subgradient, belief_propagation, branch_and_bound, nonlocal };

// Throws std::invalid_argument for an unknown name.
Solver parse_solver(std::string_view name);

// No value has a default here: accord.tasks.parser declares them, with bounds and text.
struct DecoderSettings {
  static constexpr double graph_gap = 1e-7;  // of the solvers of factor graphs, in units of the spread (core/graph/scale.hpp)
  static constexpr double gap = 1e-6;        // a tree whose score is so near the bound, relative to its size, is proved the best

  Solver solver;
  int iterations;                    // rounds of ad3, subgradient and belief propagation
  double seconds;                    // for each sentence; may be infinite
  int nodes;                         // branch and bound, nonlocal
  int search_nodes;                  // automatic: what ad3 leaves open goes on to a search of so many nodes
  graph::SubgradientRule step_rule;  // subgradient
  bool chart_grandparents;           // nonlocal: the chart scores grandparents; else they are factors over it
};

struct Decoded {
  graph::Status status = graph::Status::budget;
  double score = 0;                                        // of the tree
  double bound = std::numeric_limits<double>::infinity();  // no tree scores more
  int iterations = 0;
};

}  // namespace accord::parses
