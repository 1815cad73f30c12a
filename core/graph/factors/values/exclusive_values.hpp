// SPDX-License-Identifier: Apache-2.0
// What factors over variables with several values share: runs of binary variables of which exactly one is on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "core/graph/factor.hpp"

namespace accord::graph {

inline constexpr size_t no_value = static_cast<size_t>(-1);

// The value that is on; no_value where none or several are.
inline size_t only_value(std::span<const uint8_t> run) {
  size_t found = no_value;
  for (size_t i = 0; i < run.size(); ++i) {
    if (!run[i]) continue;
    if (found != no_value) return no_value;
    found = i;
  }
  return found;
}

// Best values with each value of one variable, to best values without it: the best of the others.
inline void best_of_others(std::span<const double> with, std::span<double> without) {
  double top = impossible, second = impossible;
  for (const double value : with) {
    second = std::max(second, std::min(top, value));
    top = std::max(top, value);
  }
  bool top_seen = false;
  for (size_t i = 0; i < with.size(); ++i) {
    const bool is_top = !top_seen && with[i] == top;
    top_seen |= is_top;
    without[i] = is_top ? second : top;
  }
}

}  // namespace accord::graph
