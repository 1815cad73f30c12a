// SPDX-License-Identifier: Apache-2.0
// Coverage by closed sets and prices (Qian & Liu 2013).
//
// A concept is given to its occurrences in shares that sum to its cap. With shares fixed, the problem is a closed set of largest weight:
// an occurrence requires the units that it needs, a unit requires other units and pays a price for its cost. All prices are solved at
// once. The sets on either side of the budgets give new shares, which go to the occurrences that a set holds, and the steps are repeated.
// Shares can only lose value, so each set is worth at least what the closed set says. Sets that break a budget are repaired.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/coverage/improving.hpp"

namespace accord::graph {

// What each occurrence is worth with shares in the ratio of the fractions of its units; evenly where all of those are 0.
std::vector<double> shared_worths(const Coverage& problem, std::span<const double> fractions);

// The choices on the two sides of the budgets, by the groups given: the last that is feasible, and the first that is not.
std::vector<std::vector<uint8_t>> closed_choices(const Coverage& problem, std::span<const int32_t> groups, std::span<const double> worths);

struct CutSettings {
  int rounds = 10;
  bool repair = true;  // make sets feasible and fill them up; without, only sets that are feasible as they come count
  Stop stop;
};

struct CutFound {
  std::vector<uint8_t> chosen;
  int rounds = 0;
};

CutFound cut(const Coverage& problem, std::span<const int32_t> groups, std::span<const double> start, const CutSettings& settings);

}  // namespace accord::graph
