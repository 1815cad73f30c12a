// SPDX-License-Identifier: Apache-2.0
// The k best non-projective trees.
//
// Set:        as in arborescence.hpp, single- or multi-root.
// Method:     partition of the space (core/hypergraph/partition.hpp). The best tree of a set splits the rest of the set in
//             disjoint parts: part m holds the trees that agree with it on the heads of words before m and differ at m.
//             Each is again a set of trees cut out by a mask, whose best tree is one arborescence problem.
// Complexity: n arborescences for each tree returned: O(k n^3), with memory for at most k open parts.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trees/nonprojective/arborescence.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

class RankedArborescences {
 public:
  std::vector<ScoredTree> solve(ArcScores scores, bool single_root, int k);

 private:
  class Oracle;

  MaximumArborescence arborescence_;
  std::vector<double> masked_;
};

}  // namespace accord::trees
