// SPDX-License-Identifier: Apache-2.0
// The k best distinct labellings of a chain, best first.
// Method:     Viterbi values, then lazy enumeration over states (core/hypergraph/ranked.hpp). A labelling is one path of states.
// Complexity: O(n S T) for the values, then O(S) to open a state and O(n log S) a labelling at most.
#pragma once
#include <vector>

#include "core/chains/viterbi.hpp"

namespace accord::chains {

struct Labelling {
  double score;
  std::vector<int> labels;
};

// Fewer than k only if fewer are allowed. `viterbi` is working space.
std::vector<Labelling> k_best(const Chain& chain, int k, Viterbi& viterbi);

}  // namespace accord::chains
