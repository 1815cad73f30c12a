// SPDX-License-Identifier: Apache-2.0
// Variables taken out of a cost network by minimising over them (bucket elimination: Dechter 1999).
//
// Step:   the tables of a variable become one table over its neighbours: for each of their tuples the least cost that any value of the
//         variable leaves. No optimum changes. Afterwards the variable takes the value that is best for its neighbours.
// Order:  the variable whose step makes the fewest entries comes next; or variables go in the order of their numbers, where that is
// cheaper. Limits: where the steps for all variables are cheap, all are taken, and what is left is the optimum itself. Otherwise only
// variables with
//         two neighbours at most go, which leaves an equivalent network that is smaller.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/cost_network.hpp"

namespace accord::graph {

class Elimination {
 public:
  // all: entries that may be computed in all to eliminate every variable.
  Elimination(const CostNetwork& network, double all, const Stop& stop = {});

  // The network of the variables that are left, renumbered in their order.
  const CostNetwork& reduced() const { return reduced_; }
  bool complete() const { return reduced_.variables() == 0 && !stopped_; }
  // A setting of the whole network from one of what is left: the best one that agrees with it.
  std::vector<int32_t> extended(std::span<const int32_t> setting) const;
  // What a setting of the whole network leaves to the reduced one.
  std::vector<int32_t> restricted(std::span<const int32_t> setting) const;

 private:
  // A variable that went: its best value for each tuple of its neighbours, in one byte or two, or in one bit where it has two values.
  struct Bucket {
    int32_t variable;
    std::vector<int32_t> around;
    std::vector<size_t> strides;
    bool bits;
    std::vector<uint8_t> low, high;
  };
  struct Work;

  void eliminate(Work& work, int32_t variable);
  void collect(const Work& work);

  size_t variables_ = 0;
  std::vector<Bucket> buckets_;  // in the order of elimination
  std::vector<int32_t> kept_;    // the variables that are left
  CostNetwork reduced_;
  bool stopped_ = false;
};

// The number of entries that eliminating all variables would compute, by the greedy order or by that of the variables' numbers;
// infinity beyond the limit.
double elimination_work(const CostNetwork& network, double limit, bool by_number);

}  // namespace accord::graph
