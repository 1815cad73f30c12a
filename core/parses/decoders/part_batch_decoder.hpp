// SPDX-License-Identifier: Apache-2.0
// The best trees under part scores for many sentences at once (part_decoder.hpp), on several threads.
//
// Layout: the slots of all sentences one after another, as in trees/part_batch.hpp. Each sentence is decoded by one thread alone,
// from nothing but its own scores: thread counts change nothing.
#pragma once
#include <span>
#include <vector>

#include "core/parses/decoders/part_decoder.hpp"

namespace accord::parses {

struct DecodedBatch {
  size_t width = 1;              // words of the longest sentence, and one
  std::vector<int32_t> heads;    // sentences x width; -1 for the root, beyond the end, and where no tree exists
  std::vector<double> slots;     // 1 where a part is in the tree
  std::vector<Decoded> answers;  // by sentence; `infeasible` where the candidate arcs contain no tree
};

DecodedBatch decode_batch(std::span<const PartLayout* const> layouts, std::span<const double> scores, bool projective, bool single_root,
                          const DecoderSettings& settings, int threads);

}  // namespace accord::parses
