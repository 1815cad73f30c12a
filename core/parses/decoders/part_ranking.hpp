// SPDX-License-Identifier: Apache-2.0
// The k best trees under part scores: by a chart where there is one for them (part_sums.hpp), else by partition of the space.
//
// Set:        trees of the candidate arcs. The best tree y of a subspace splits what remains of it by the first word, among those
//             with a choice, whose head differs: words before it keep their heads in y, its own arc in y is forbidden.
// Search:     each subspace is solved by the decoder with required and forbidden arcs as evidence; core/hypergraph/partition.hpp
//             keeps the order. With proved answers the list is exact.
// Complexity: at most k n searches, most of them small.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/decoders/part_decoder.hpp"

namespace accord::parses {

struct RankedParse {
  double score = 0;
  std::vector<int32_t> heads;  // size n+1, heads[0] = -1
  bool certified = false;      // it and those before it are proved the best, to the decoder's gap
};

// Best first and distinct; fewer than k only if fewer exist.
std::vector<RankedParse> rank_parses(PartDecoder& decoder, const PartLayout& layout, std::span<const double> scores,
                                     const DecoderSettings& settings, int k);

}  // namespace accord::parses
