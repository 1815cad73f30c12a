// SPDX-License-Identifier: Apache-2.0
// A cost network without values that are out, and without variables that have one value left.
//
// arc_consistent finds values that no setting of finite cost can have, as far as single tables tell: a value is out when some table forbids
// all tuples with it (generalised arc consistency: Mackworth 1977). Compaction writes the smaller network: the costs of variables with
// one value move into what is left of their tables, and tables over the same variables become one.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/values/costs/cost_network.hpp"

namespace accord::graph {

using Alive = std::vector<uint8_t>;  // for each value of a network

// Takes values out until every value is in an allowed tuple of every table; false where a variable has none left. Values with infinite
// cost go at once.
bool arc_consistent(const CostNetwork& network, Alive& alive);

class Compaction {
 public:
  Compaction(const CostNetwork& network, const Alive& alive);

  const CostNetwork& reduced() const { return reduced_; }
  std::vector<int32_t> extended(std::span<const int32_t> setting) const;
  // What a setting of the whole network leaves to the reduced one; values that are out become the first ones that are left.
  std::vector<int32_t> restricted(std::span<const int32_t> setting) const;

 private:
  void add_table(const CostNetwork& network, const CostTable& table);

  std::vector<std::vector<int32_t>> left_;  // the values of each variable
  std::vector<int32_t> number_;             // of each variable in the reduced network; -1: it has one value
  CostNetwork reduced_;
};

}  // namespace accord::graph
