// SPDX-License-Identifier: Apache-2.0
// A better tree by moving one word at a time: what rounding leaves to be won under scores that arcs alone do not show.
//
// Set:        trees that differ from the last one in one word's head, a candidate arc that evidence allows.
// Search:     words in turn, each to its best head, until a sweep changes nothing or the sweeps are over. The score never falls.
// Complexity: a sweep scores one tree for each candidate arc.
#pragma once
#include <cstdint>
#include <span>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

struct TreeRules {
  bool projective = false, single_root = false;
  std::span<const int8_t> evidence;  // by arc: 0 forbidden, 1 required, -1 free; empty: all free
};

// `heads` is a tree of the candidate arcs; returns its score at the end.
double climb(const PartLayout& layout, std::span<const double> scores, const TreeRules& rules, std::span<int32_t> heads, int sweeps = 4);

}  // namespace accord::parses
