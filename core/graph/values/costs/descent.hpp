// SPDX-License-Identifier: Apache-2.0
// Settings of little cost by local search: every variable in turn takes the value that is best for its neighbours, until none wants to
// change (iterated conditional modes); then some variables near each other are disturbed and the descent starts again, from the best
// setting so far.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/local_costs.hpp"
#include "core/random.hpp"

namespace accord::graph {

class Descent {
 public:
  explicit Descent(const CostNetwork& network);

  // Improves a setting in place; returns its cost, which may be infinite.
  double improve(std::vector<int32_t>& setting);
  // Disturbances and descents from the best setting, so many visits of variables at most. A later call goes on with other random numbers.
  double wander(std::vector<int32_t>& setting, size_t visits, const Stop& stop);

 private:
  double descend(std::vector<int32_t>& setting);
  void change(size_t variable, int32_t value, std::vector<int32_t>& setting);  // and its neighbours are looked at again

  const CostNetwork& network_;
  LocalCosts costs_;
  std::vector<size_t> queue_;
  std::vector<uint8_t> queued_;
  std::vector<std::pair<size_t, int32_t>> log_;  // variables that changed, with their old values
  size_t visits_ = 0;
  RandomStream random_{1, 0};
  double heavy_;  // what is forbidden counts more than all finite costs together
};

}  // namespace accord::graph
