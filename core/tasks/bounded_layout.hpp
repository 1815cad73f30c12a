// A layout of parts that fits into memory, however long the sentence.
//
// The tables of third-order parts grow with the cube of the modifiers that a side of a head may have, and a popular head of a long
// sentence may have them all. While a layout has more than `most_slots` parts, each word keeps half as many heads; where even one
// head a word makes too many, parts of three modifiers, of two under a grandparent and of chains of three arcs are left out. Ordinary
// sentences are far below the limit and keep everything.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/tasks/pruner.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::tasks {

inline constexpr size_t most_slots = size_t{1} << 24;

// Arcs of both, each sorted by dependent, then head.
std::vector<trees::CandidateArc> united(std::span<const trees::CandidateArc> first, std::span<const trees::CandidateArc> second);

// `extra`: arcs that stay whatever the pruner says, sorted by dependent, then head. False when something was left out.
bool build_bounded_layout(Pruner& pruner, PrunerSettings settings, trees::PartFamilies families,
                          std::span<const trees::CandidateArc> extra, trees::PartLayout& layout, size_t limit = most_slots);

}  // namespace accord::tasks
