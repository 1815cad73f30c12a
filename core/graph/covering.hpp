// SPDX-License-Identifier: Apache-2.0
// The same problem with fewer and larger factors: tables over two variables with several values, joined into chains or trees.
//
// Why:     dual solvers make the answers of factors agree. A chain of tables agrees with itself, so that there is less to agree on. The
//          relaxation is the same, for forests of tables add no constraint that the tables do not have.
// Chains:  tables in the order of their variables' numbers. A table goes on with a chain that ends where the table begins, preferably
//          one whose last step had the same length, which on a grid makes rows and columns.
// Trees:   as many tables as close no cycle make a forest, those that are left the next one, and so on.
// A group that a forest touches needs no factor that says "exactly one", so that this factor is left out.
#pragma once
#include <cstddef>
#include <string_view>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

enum class Cover { none, chains, trees };

// Throws std::invalid_argument for an unknown name.
Cover parse_cover(std::string_view name);

class CoveredGraph {
 public:
  // The graph must live as long, and get no further variables or factors.
  CoveredGraph(const FactorGraph& graph, Cover cover);

  const FactorGraph& graph() const { return covered_; }
  // Scores and evidence as they are now.
  void refresh();
  // Whether the graph has grown since.
  bool outdated() const { return graph_.variables() != covered_.variables() || graph_.factors() != factors_; }

 private:
  const FactorGraph& graph_;
  size_t factors_;
  FactorGraph covered_;
};

}  // namespace accord::graph
