// SPDX-License-Identifier: Apache-2.0
// Values that may change places in all variables at once: colours of a graph that has no preference among colours.
//
// Set:   values a and b are interchangeable when every variable has both, they cost the same in every variable, and no table changes when
//        a and b change places in all of its variables. Every setting then has a twin of the same cost. The relation is transitive, so
//        values fall into classes.
// Use:   a search that has tried x = a, while no decision yet names a value of the class, need not try x = b for any other value of the
//        class: all settings below have their twins below x = a (Van Hentenryck, Ågren, Flener and Pearson 2003).
// Cost:  for each value, its comparison with one value of each class: O(values * classes * entries of tables).
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/values/costs/cost_network.hpp"

namespace accord::graph {

// The class of each value, by its number in a domain; empty where no two values are interchangeable, or where comparing them would take
// longer than `entries` comparisons.
std::vector<int32_t> interchangeable_values(const CostNetwork& network, double entries);

}  // namespace accord::graph
