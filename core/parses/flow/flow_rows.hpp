// SPDX-License-Identifier: Apache-2.0
// The concise integer program of dependency parsing: a tree with scores on arcs and on what arcs form together.
//
// Set:    trees over words 1..n that use given arcs (arc a is column a; its own score belongs to the variable), with one
//         indicator column for each scored part.
// Score:  sum of the scores of the parts that the tree contains. The parts are data (flow_parts.hpp), each list a switch.
// Size:   O(arcs) for single-commodity flow, O(n arcs) for multi-commodity flow, siblings, grandparents and non-projective
//         arcs, O(n^3) non-zeros for consecutive siblings, O(n^2) for valency.
// Exact with integral columns. As a relaxation it is an outer bound; head_automata.hpp has the tight form of consecutive
// siblings.
// Paper:  Martins, Smith & Xing (2009), complete.
#pragma once
#include <utility>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/parses/flow/flow_parts.hpp"

namespace accord::parses {

// The indicator columns, in the order of the parts. Two parts may share one.
struct FlowColumns {
  std::vector<int> siblings, grandparents, next_siblings, first_children, last_children, conjunctions, nonprojective, paths;
  std::vector<std::vector<int>> valency;
};

// Throws std::invalid_argument, before writing anything, when a part does not fit the arcs or a score is not finite.
FlowColumns emit_parser_rows(graph::RowSink& sink, int words, std::vector<std::pair<int, int>> arcs, const FlowParts& parts);

}  // namespace accord::parses
