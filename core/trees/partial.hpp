// SPDX-License-Identifier: Apache-2.0
// Trees of which some heads are given.
//
// Set:        the trees of a space in which every given word has its given head. Given heads may contradict each other (a cycle,
//             two roots where one is allowed, crossing arcs where none are), and then the set is empty.
// Complexity: one search for the best tree: O(n^2) non-projective, O(n^3) projective.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/space.hpp"

namespace accord::trees {

// As many of the given heads (size n+1; negative: not given) as one tree of the space can have together; the others become -1.
// They are the given heads of the tree that has most of them, so that set is never empty.
std::vector<int32_t> agreeing_heads(std::span<const int32_t> given, TreeSpace& space);

// Forbids, in (n+1)^2 scores by [head][dependent], every arc that competes with a given one.
void require_heads(std::span<const int32_t> given, std::span<double> scores);

}  // namespace accord::trees
