// SPDX-License-Identifier: Apache-2.0
// What the factors and variables of a part graph stand for in its layout.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

struct PartRoles {
  static constexpr size_t none = PartLayout::none;

  // Slots of the own scores of factor f (Factor::parts), from starts[f] to starts[f + 1]; none: of no part of a tree.
  std::vector<size_t> starts = {0}, slots;
  // How many variables of factor f, the first ones, are complete sets of the arcs that enter a word, of which the factor allows
  // exactly one. The others are single arcs that it takes as on or off, and indicators.
  std::vector<size_t> complete;
  // Parts that variables stand for (path_indicators.hpp): the value of a slot is that of `indicator` or, with an arc, what is left of
  // the arc's value without it.
  struct Indicated {
    size_t slot, arc = none, indicator = none;
  };
  std::vector<Indicated> indicated;

  // One more factor, whose slots have been noted.
  void add(size_t complete_variables) {
    starts.push_back(slots.size());
    complete.push_back(complete_variables);
  }

  // Slots of indicated parts, from the values of all variables.
  void fill_indicated(std::span<const double> variables, std::span<double> values) const {
    for (const Indicated& part : indicated) {
      const double indicator = part.indicator == none ? 0.0 : variables[part.indicator];
      values[part.slot] = part.arc == none ? indicator : std::max(0.0, variables[part.arc] - indicator);
    }
  }
};

}  // namespace accord::parses
