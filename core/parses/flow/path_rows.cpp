// SPDX-License-Identifier: Apache-2.0
#include "core/parses/flow/path_rows.hpp"

#include "core/graph/row_builder.hpp"

namespace accord::parses {

int emit_path(graph::RowSink& sink, const trees::CandidateArcs& arcs, const graph::CommodityColumns& flows, int ancestor, int descendant) {
  const int path = sink.column(0.0, false);
  graph::RowBuilder row(sink);
  for (const int arc : arcs.entering(ancestor))
    if (arcs.head(arc) != descendant) row.add(flows(arc, descendant), 1);
  row.add(path, -1).equals(0);
  return path;
}

int emit_nonprojective(graph::RowSink& sink, int arc, std::span<const int> paths, double score) {
  const int nonprojective = sink.column(score, true);
  graph::RowBuilder row(sink);
  row.add(nonprojective, 1).add(arc, -1).at_most(0);
  for (const int path : paths) row.add(nonprojective, 1).add(arc, -1).add(path, 1).at_least(0);
  row.add(nonprojective, 1).add(paths, 1).at_most(static_cast<double>(paths.size()));
  return nonprojective;
}

}  // namespace accord::parses
