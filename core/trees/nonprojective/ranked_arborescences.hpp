// SPDX-License-Identifier: Apache-2.0
// The k best non-projective trees.
//
// Set:        as in arborescence.hpp, single- or multi-root.
// Method:     Lawler (1972), after Murty (1968). The best tree of a set splits the rest of the set in disjoint parts:
//             part m holds the trees that agree with it on the heads of words before m and differ at m. Each is again a
//             set of trees cut out by a mask, whose best tree is one arborescence problem; a priority queue over parts
//             yields trees in order. Parts are disjoint, so trees are distinct; together with the trees already
//             returned they cover everything, so the list is complete.
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
  // Trees that share best.heads on words before first_free and avoid the heads in excluded for first_free.
  struct Part {
    ScoredTree best;
    int32_t first_free;
    std::vector<int32_t> excluded;
  };

  void split(ArcScores scores, bool single_root, const Part& part);
  void keep_best(std::size_t limit);
  void mask_column(ArcScores scores, int dependent, int32_t only_head);

  MaximumArborescence arborescence_;
  std::vector<double> masked_;
  std::vector<Part> open_;  // sorted, best last
};

}  // namespace accord::trees
