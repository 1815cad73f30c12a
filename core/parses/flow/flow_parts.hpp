// SPDX-License-Identifier: Apache-2.0
// The parts of the integer program of dependency parsing (flow_rows.hpp), as data. Every list is a switch: empty means
// off.
#pragma once
#include <vector>

#include "core/graph/factors/trees/tree_rows.hpp"
#include "core/trees/nonprojective/candidate_arcs.hpp"

namespace accord::parses {

struct ArcPart {
  int arc;
  double score;
};

struct ArcPair {
  int first, second;  // arcs
  double score;
};

struct ArcConjunction {
  std::vector<int> arcs;
  double score;
};

struct PathPart {
  int ancestor, descendant;  // two different words
  double score;
};

struct FlowParts {
  graph::Flow flow = graph::Flow::multi_commodity;  // paths and non-projective arcs need multi-commodity flow
  bool projective = false;                          // only projective trees; then flow is written only where paths are asked for
  bool aggregated = false;                          // with projective: O(arcs) looser rows instead of O(n arcs)
  bool single_root = false;                         // the root has exactly one child

  std::vector<ArcPair> siblings;             // two arcs with one head
  std::vector<ArcPair> grandparents;         // second leaves the word that first enters
  std::vector<ArcPair> next_siblings;        // one head, one side, first is nearer, no dependent of that head between them
  std::vector<ArcPart> first_children;       // the nearest dependent of its head on its side
  std::vector<ArcPart> last_children;        // the farthest
  std::vector<ArcConjunction> conjunctions;  // any arcs, all on
  std::vector<std::vector<double>> valency;  // [node 0..n][k]: k dependents, k = 0 .. arcs leaving; a row may be empty
  std::vector<ArcPart> nonprojective;        // a word between the ends does not descend from the head
  std::vector<PathPart> paths;               // the one descends from the other
};

// Throws std::invalid_argument when a part does not fit the arcs or a score is not finite.
void check_parts(const trees::CandidateArcs& arcs, const FlowParts& parts);

}  // namespace accord::parses
