// SPDX-License-Identifier: Apache-2.0
// Settings of little cost by annealing: every variable in turn draws its value with probabilities exp(-cost / temperature), its
// neighbours being as they are, while the temperature falls (Kirkpatrick, Gelatt and Vecchi 1983; Geman and Geman 1984).
//
// A draw takes the value whose cost less some noise is least. The noise comes from a table of whole multiples of 2^-10, so that walks are
// the same on every machine. Forbidden values and tuples cost a penalty that the walk can pay at high temperatures; a descent mends
// what is left of them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/descent.hpp"
#include "core/graph/values/costs/local_costs.hpp"
#include "core/random.hpp"

namespace accord::graph {

class Annealing {
 public:
  Annealing(const CostNetwork& network, uint64_t seed);

  // Improves a setting in place, looking at about so many costs; a later call goes on with other random numbers. Returns the cost of the
  // setting, which may be infinite.
  double improve(std::vector<int32_t>& setting, double work, const Stop& stop);

 private:
  static constexpr size_t noise_levels = 1024;

  // One way down from a temperature to the lowest, from a setting on.
  void cool(std::vector<int32_t>& setting, double temperature, size_t sweeps, const Stop& stop);
  void draw(size_t variable, std::vector<int32_t>& setting, double temperature);
  size_t random(size_t count);

  const CostNetwork& network_;
  LocalCosts costs_;
  Descent descent_;
  RandomStream random_;
  int64_t runs_ = 0;
  double heavy_;                            // more than all finite costs together
  double sweep_work_;                       // costs that one sweep looks at
  double penalty_ = 1, least_penalty_ = 1;  // of what is forbidden: higher after runs that end with something forbidden
  double hot_ = 1;                          // how far the values of a variable lie apart, in the mean
  std::array<double, noise_levels> noise_;
};

}  // namespace accord::graph
