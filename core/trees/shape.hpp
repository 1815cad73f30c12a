// SPDX-License-Identifier: Apache-2.0
// What a vector of heads looks like: is it a tree, is it projective, and which projective tree is nearest to it.
// heads has size n+1, heads[0] = -1 and heads[m] in 0..n is the head of word m.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::trees {

// True when every word reaches the root (and the root has exactly one child, if asked). No words: an empty tree.
bool is_tree(std::span<const int32_t> heads, bool single_root = false);

// True when no two arcs cross, arcs from the artificial root (standing left of word 1) included. O(n) for a tree
// whose arcs are short, O(n^2) at worst. The heads need not form a tree, but must lie in 0..n.
bool is_projective(std::span<const int32_t> heads);

// The projective tree that shares most arcs with the given one: Eisner's parser on scores +1 for a given arc and -1
// for any other (Koo, Globerson, Carreras & Collins 2007, section 5). A projective tree is returned unchanged.
// Throws std::invalid_argument unless heads is a tree.
std::vector<int32_t> closest_projective(std::span<const int32_t> heads, bool single_root = false);

}  // namespace accord::trees
