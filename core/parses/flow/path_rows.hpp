// SPDX-License-Identifier: Apache-2.0
// Indicators of paths and of non-projective arcs in a tree, as columns with rows that force them (core/graph/indicator_rows.hpp).
//
// Paths need not be integral in an ILP: the arcs alone determine them.
// Paper: Martins, Smith & Xing (2009), section 3.5 (non-projective arcs).
#pragma once
#include <span>

#include "core/graph/factors/trees/tree_rows.hpp"
#include "core/graph/indicator_rows.hpp"
#include "core/trees/nonprojective/candidate_arcs.hpp"

namespace accord::parses {

// `descendant` hangs below `ancestor`, two different words: the flow meant for the one passes the other.
int emit_path(graph::RowSink& sink, const trees::CandidateArcs& arcs, const graph::CommodityColumns& flows, int ancestor, int descendant);

// The arc is on and some word between its ends does not descend from its head. `paths`: for each word strictly between,
// the column "it descends from the head".
int emit_nonprojective(graph::RowSink& sink, int arc, std::span<const int> paths, double score);

}  // namespace accord::parses
