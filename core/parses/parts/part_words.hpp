// SPDX-License-Identifier: Apache-2.0
// The parts of a layout as tuples of words, for callers that think in words rather than in sides and positions.
//
// Tuples:  arc (h, m); sibling (h, s, m); grandparent (g, h, m); grand_sibling (g, h, s, m); tri_sibling (h, t, s, m), where
//          t, s, m are modifiers of h on one side, outwards. The head itself stands for what is missing: h in the place of
//          t or s is START, in the place of m it is END. The part of an empty side (START, END) has no side that words
//          could tell, and is not listed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// Words in a family's tuples; 0 for families that have none.
size_t tuple_size(Part family);

struct WordParts {
  std::vector<int64_t> slots;
  std::vector<int32_t> words;  // a tuple a slot
};

// All parts of a family that some choice of modifiers could have, by ascending slot. Throws std::invalid_argument for
// families without tuples; a family that the layout does not have gives none.
WordParts list_parts(const PartLayout& layout, Part family);

}  // namespace accord::parses
