// SPDX-License-Identifier: Apache-2.0
// Where hand-written patterns (core/text/patterns/patterns.hpp) match a sentence: the pattern parts of its layout.
//
// Matches: all ways to choose a word for each word of a pattern such that its conditions hold and its arcs are candidates, one
//          pattern after the other.
// Search:  from a word with few choices, a listed form where there is one, along candidate arcs: sentences without that form cost a
//          comparison a word. However wild a pattern, a sentence has no more than `most_matches`, found in `most_steps` along arcs.
#pragma once
#include <cstddef>
#include <span>

#include "core/parses/parts/part_layout.hpp"
#include "core/text/patterns/patterns.hpp"

namespace accord::tasks {

inline constexpr size_t most_matches = 1000, most_steps = 100'000;

// Atoms are those of the layout's sentence, with the attributes of the patterns.
void add_patterns(std::span<const text::Pattern> patterns, const text::AtomTable& atoms, parses::PartLayout& layout);

}  // namespace accord::tasks
