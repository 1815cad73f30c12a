// SPDX-License-Identifier: Apache-2.0
// Three local searches in turn, from the best setting so far: descents after small disturbances (descent.hpp), annealing (annealing.hpp)
// and a walk that also climbs (tabu_walk.hpp). Which of them finds most depends on the network: random grids, spin glasses and large
// colourings gain from annealing, small colourings from the walk, and descents are the first to find something.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/costs/annealing.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/descent.hpp"
#include "core/graph/values/costs/tabu_walk.hpp"

namespace accord::graph {

class LocalSearch {
 public:
  // The network must outlive the search and stay as it is.
  LocalSearch(const CostNetwork& network, uint64_t seed) : descent_(network), annealing_(network, seed), walk_(network, seed) {
    double costs = 0;  // of one visit to every variable
    for (const CostTable& table : network.tables)
      for (const int32_t i : table.scope) costs += static_cast<double>(network.domain(static_cast<size_t>(i)));
    costs_of_a_visit_ = (costs + 1) / static_cast<double>(network.variables() + 1);
  }

  // Improves a setting in place, looking at about so many costs; a later call goes on elsewhere.
  void improve(std::vector<int32_t>& setting, double work, const Stop& stop) {
    descent_.wander(setting, static_cast<size_t>(work / 3 / costs_of_a_visit_), stop);
    annealing_.improve(setting, work / 3, stop);
    walk_.improve(setting, work / 3, stop);
  }

 private:
  Descent descent_;
  Annealing annealing_;
  TabuWalk walk_;
  double costs_of_a_visit_;
};

}  // namespace accord::graph
