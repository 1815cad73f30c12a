// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/linear_program.hpp"

#include "core/graph/programs/row_collector.hpp"

namespace accord::graph {

LinearProgram collect(const FactorGraph& graph) {
  LinearProgram program;
  RowCollector collector(graph, program);
  for (size_t s = 0; s < graph.factors(); ++s) {
    collector.enter(s);
    graph.factor(s).rows(collector);
  }
  return program;
}

}  // namespace accord::graph
