// SPDX-License-Identifier: Apache-2.0
// Layouts of parts for many sentences whose arcs another model scored, and where their parts stand: what a network needs to score
// parts of several arcs and to learn them.
//
// Set:        the candidates of the pruner (model.hpp) under the given arc scores, which contain a tree, and the gold arcs.
// Layout:     the slots of all sentences one after another, as in trees/part_batch.hpp.
// Complexity: O(n^2) a sentence (O(n^3) projective), and the number of its parts. Sentences are independent and each is answered by
//             one thread alone, so results do not depend on the number of threads.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/trees/padded.hpp"

namespace accord::tasks {

struct CandidateOptions {
  PrunerSettings pruner;
  parses::PartFamilies families;
  bool projective, single_root;  // of the tree that is always there
  int threads;                   // 0: one a processor
};

// `gold`: sentences x width heads; negative ones are unknown, the others are candidates whatever their scores.
std::vector<parses::PartLayout> candidate_layouts(const trees::PaddedScores& scores, std::span<const int32_t> gold,
                                                  const CandidateOptions& options);

// Rows of parts: slot among those of all sentences, number of the sentence, and the words that the part is scored from.
struct PlacedParts {
  std::vector<int64_t> slots, sentences;
  std::vector<int64_t> positions;  // `anchors` a part
  size_t anchors = 0;
};

// Arcs are (head, dependent); the anchors of siblings and grandparents are those of part_positions.hpp, and `nowhere` stands for
// START and END. Other families throw.
PlacedParts place_parts(std::span<const parses::PartLayout* const> layouts, parses::Part family, int64_t nowhere, int threads);

// The slots of the parts of one tree a sentence, without positions. `heads`: sentences x width. Throws where an arc is no candidate.
PlacedParts place_trees(std::span<const parses::PartLayout* const> layouts, std::span<const int32_t> heads, size_t width);

}  // namespace accord::tasks
