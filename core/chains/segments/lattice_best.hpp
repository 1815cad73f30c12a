// SPDX-License-Identifier: Apache-2.0
// The best path of a lattice, the k best distinct ones (core/hypergraph/ranked.hpp), and the best path through each edge.
// Complexity: O(arcs); a further path O(length log arcs) at most. Ties go to the arc that comes first.
#pragma once
#include <span>
#include <vector>

#include "core/chains/segments/lattice.hpp"

namespace accord::chains {

struct LatticePath {
  double score;
  std::vector<int> edges;
};

// No path at all: none. Best first, at most k.
std::vector<LatticePath> k_best(const Lattice& lattice, int k);

// The score of the best path that uses each edge; -infinity where there is none.
void max_marginals(const Lattice& lattice, std::span<double> out);

}  // namespace accord::chains
