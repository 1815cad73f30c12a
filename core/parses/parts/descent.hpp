// SPDX-License-Identifier: Apache-2.0
// Which words descend from which: in a tree, and in any tree that candidate arcs can make.
//
// Set:        pairs (ancestor i, descendant j) of two different words, as bytes [i * (n + 1) + j]. The root is no ancestor: all
//             words descend from it.
// Complexity: n searches over the candidate arcs; one climb a word in a tree.
// Paper:      Martins, Smith & Xing (2009), "Concise Integer Linear Programming Formulations for Dependency Parsing", section 3.5.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// Pairs that a path of candidate arcs joins.
std::vector<uint8_t> reachable_words(const PartLayout& layout);

// Pairs of a tree. Of heads with cycles: i is met on the climb from j before j itself or any word twice.
std::vector<uint8_t> descendants(std::span<const int32_t> heads);

// Whether all words strictly between a head, which is a word, and its dependent descend from the head: the arc is projective.
bool covers(std::span<const uint8_t> below, int words, int head, int dependent);

}  // namespace accord::parses
