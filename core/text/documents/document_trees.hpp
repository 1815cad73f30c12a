// SPDX-License-Identifier: Apache-2.0
// Is a list of heads a tree? The set: functions from words 1..n to heads 0..n with no cycle, so that every word hangs
// from the root 0; with exactly one word on the root where a single root is asked for. O(n) time and memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/documents/document.hpp"

namespace accord::text {

struct TreeRules {
  bool single_root = true;  // exactly one word hangs from the root
  bool complete = true;     // every head is known; otherwise unknown heads (-1) may still be filled in
};

struct TreeProblem {
  size_t word;  // 1..n
  std::string reason;
};

// Heads of words 1..n; each 0..n or -1. Throws std::invalid_argument outside of that.
std::optional<TreeProblem> tree_problem(std::span<const int32_t> heads, const TreeRules& rules = {});

// The sentences of a document that are not trees, with the lines that say so. Broken sentences stand in problems()
// instead.
std::vector<FormatProblem> check_trees(const Document& document, const TreeRules& rules = {});

}  // namespace accord::text
