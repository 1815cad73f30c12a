// SPDX-License-Identifier: Apache-2.0
// A layout of parts that fits into memory, however long the sentence.
//
// The tables of third-order parts grow with the cube of the modifiers that a side of a head may have, and a popular head of a long
// sentence may have them all. While a layout has more than `most_slots` parts, each word keeps half as many heads; where even one
// head a word makes too many, parts of three modifiers, of two under a grandparent and of chains of three arcs are left out. Ordinary
// sentences are far below the limit and keep everything. Paths join any two words, and each of them has a factor in the graph:
// sentences of more than `most_path_words` have no parts that depend on paths.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/tasks/pruner/model.hpp"

namespace accord::tasks {

inline constexpr size_t most_slots = size_t{1} << 24;
inline constexpr int most_path_words = 250;

// Arcs of both, each sorted by dependent, then head.
std::vector<parses::CandidateArc> united(std::span<const parses::CandidateArc> first, std::span<const parses::CandidateArc> second);

// The families of a sentence of so many words.
parses::PartFamilies families_for(int words, parses::PartFamilies families);

// `extra`: arcs that stay whatever the pruner says, sorted by dependent, then head. False when something was left out.
bool build_bounded_layout(Pruner& pruner, PrunerSettings settings, parses::PartFamilies families,
                          std::span<const parses::CandidateArc> extra, parses::PartLayout& layout, size_t limit = most_slots);

}  // namespace accord::tasks
