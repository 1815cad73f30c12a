// SPDX-License-Identifier: Apache-2.0
// Logic over binary variables: how many may be on, and outputs that are functions of inputs.
//
//   ExactlyOne   one variable is on                     hull: sum z = 1
//   AtMostOne    none or one is on                      hull: sum z <= 1
//   AtLeastOne   not all are off                        hull: sum z >= 1, z <= 1
//   OrOutput     the last is the or of the others       hull: z_i <= z_last <= sum of the others, z_last <= 1
//
// Own scores are zero. With negated variables (negated.hpp) these four give every other kind, see make_logic.
//
// maximize, marginals and max_marginals take O(n) and sum positive terms only, in the log domain, so that nothing is lost
// whatever the scores; project takes O(n log n): clip to the box, and if that breaks a row, project on the face where it
// holds with equality. Messages and hulls: Martins et al. (2010), "Turbo Parsers"; projections: Martins et al. (2011), "Dual
// Decomposition with Many Overlapping Components".
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

#include "core/graph/factor.hpp"

namespace accord::graph {

// By name; throws std::invalid_argument for an unknown kind or a size that it cannot have. Beside the four above:
//   and_output  the last is the and of the others            or_output, all negated
//   xor_output  on: exactly one other is; off: no other is   exactly_one, the last negated
//   implies     all but the last on imply the last           at_least_one, all but the last negated
//   nand        not all are on                               at_least_one, all negated
std::unique_ptr<Factor> make_logic(std::string_view kind, size_t size);

}  // namespace accord::graph
