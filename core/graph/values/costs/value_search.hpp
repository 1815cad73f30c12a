// SPDX-License-Identifier: Apache-2.0
// The setting of least cost, by depth-first dives from the best open node.
//
// Nodes:  a node is a list of decisions (x = a, or x != a) and a lower bound (soft_consistency.hpp). The best open node is taken, and
// searched
//         depth first for a number of dead ends that adapts; what is open then goes back into the list. The least bound of all open nodes
//         is a bound for the whole, which rises from the start (HBFS: Allouche, de Givry, Katsirelos, Schiex and Zytnicki 2015).
// Choice: the variable with the fewest values for the dead ends that its tables caused (dom/wdeg: Boussemart et al. 2004), the one of the
//         last dead end first (Lecoutre et al. 2009), and its value of least cost.
// Twins:  where values are interchangeable (interchangeable.hpp) and no decision names them yet, the branch without one of them is also
//         without the others.
// Help:   a local search may work between dives (`improved`); what it finds lowers the limit.
#pragma once
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/costs/soft_consistency.hpp"

namespace accord::graph {

struct ValueSearchSettings {
  double upper = forbidden;      // only settings of less cost are looked for
  double slack = 0;              // by how much a setting may miss the least cost
  size_t count = 1;              // how many of the best settings are wanted; slack must be 0 where it is more than one
  std::vector<int32_t> classes;  // of interchangeable values, where there are any; neither with a larger count nor with `refuse`
  std::function<bool(const SoftConsistency& state)> refuse;  // whether no setting that is left is wanted
  int64_t nodes = std::numeric_limits<int64_t>::max();
  Stop stop;
  std::function<void(const std::vector<int32_t>& setting, double cost)> found;  // a better setting
  std::function<void(int64_t nodes, double lower)> told;                        // now and then
  std::function<double(int64_t nodes)>
      improved;  // the least cost known elsewhere, asked for now and then, so many nodes after the last time
};

struct ValueSearchResult {
  struct Kept {
    double cost;
    std::vector<int32_t> setting;
  };
  std::vector<Kept> best;  // by rising cost; empty where none of less cost than `upper` was found
  double lower = 0;        // no setting costs less, or less than `upper` where none was found
  int64_t nodes = 0;
  bool complete = false;
};

// The state must be propagated under its limit.
ValueSearchResult search_values(SoftConsistency& state, const ValueSearchSettings& settings);

}  // namespace accord::graph
