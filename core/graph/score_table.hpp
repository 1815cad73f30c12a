// SPDX-License-Identifier: Apache-2.0
// What the scores handed to a structured factor must be: as many as its table has entries, each finite or -infinity
// (forbidden). Entries that no configuration uses are held to the same rule.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "core/graph/factor.hpp"

namespace accord::graph {

inline void check_score_table(std::span<const double> table, size_t expected, const char* name) {
  if (table.size() != expected)
    throw std::invalid_argument(std::string(name) + ": " + std::to_string(expected) + " scores are needed, not " +
                                std::to_string(table.size()));
  for (size_t i = 0; i < table.size(); ++i)
    if (!(table[i] <= std::numeric_limits<double>::max()))  // NaN fails the comparison too
      throw std::invalid_argument(std::string(name) + ": score " + std::to_string(i) + " is NaN or +infinity");
}

// The smallest and the largest score that are not forbidden; zeros when all are.
inline OwnRange range_of(std::span<const double> table) {
  double lowest = -impossible, highest = impossible;
  for (double score : table) {
    if (score == impossible) continue;
    lowest = std::min(lowest, score);
    highest = std::max(highest, score);
  }
  return lowest <= highest ? OwnRange{lowest, highest} : OwnRange{0, 0};
}

}  // namespace accord::graph
