// SPDX-License-Identifier: Apache-2.0
// Settings of little cost by a walk that never stands still: of all changes of one variable the best one is made, also where the cost
// rises by it. The value that a variable had is tabu for some steps, so that the walk leaves what it has seen; a change to a setting
// better than all before is made all the same (Glover 1989). After many steps without a better setting the walk goes on from the best
// setting, disturbed.
//
// Costs of all changes are kept up to date: a step costs a look at each variable and at the values of the neighbours of the one that
// changed.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/random.hpp"

namespace accord::graph {

class TabuWalk {
 public:
  TabuWalk(const CostNetwork& network, uint64_t seed);

  // Improves a setting in place, looking at about so many costs; a later call goes on with other random numbers.
  // Returns the cost of the setting, which may be infinite.
  double improve(std::vector<int32_t>& setting, double work, const Stop& stop);

 private:
  struct Move {
    double rise = forbidden;  // of the cost
    size_t variable = 0;
    int32_t value = 0;
  };

  void begin(const std::vector<int32_t>& setting);
  double weight() const;                // the cost of the setting, each forbidden value or tuple being heavy
  Move best_move(double enough) const;  // enough: a rise below which no value is tabu
  void make(const Move& move);
  void update(const CostTable& table, size_t changed, int32_t old_value);
  void find_least(size_t variable);
  void disturb();
  size_t draw(size_t count);
  double weighed(size_t variable, int32_t value) const { return weighed_[network_.first[variable] + static_cast<size_t>(value)]; }

  const CostNetwork& network_;
  std::vector<std::vector<int32_t>> tables_of_;
  RandomStream random_;
  double heavy_;  // the cost of a forbidden value or tuple here: more than all finite costs together
  std::vector<int32_t> setting_;
  std::vector<double> weighed_;  // the cost of each value with its variable's neighbours as they are
  std::vector<double> least_;    // the least rise by a change of each variable, tabu or not
  std::vector<int64_t> rests_;   // until which step each value is tabu
  int64_t step_ = 0;
  double work_ = 0;
};

}  // namespace accord::graph
