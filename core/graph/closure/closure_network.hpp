// SPDX-License-Identifier: Apache-2.0
// The flow network of a closure problem: items, arcs of infinite capacity between them, and the two terminals kept as two numbers an
// item. Arcs are stored item after item, forwards and backwards; the flow of an arc is the residual of its way back.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/closure/closure.hpp"

namespace accord::graph {

class ClosureNetwork {
 public:
  ClosureNetwork(size_t items, std::span<const Requirement> arcs);

  // The smallest closed set of largest weight. `sizes` are those of the numbers that the weights were made of: they say what is rounding.
  std::vector<uint8_t> best(std::span<const double> weights, std::span<const double> sizes);

 private:
  struct Step {
    int32_t item;  // where the step leads
    int32_t arc;   // whose flow it changes; -1 - arc for a step back
  };

  // An item on the way from a source: what may still flow through it, and what has.
  struct Visit {
    int32_t item;
    Step step;  // that led to it
    double limit, room, pushed = 0;
  };

  bool find_levels();                // whether the sink can still be reached
  void augment_from(int32_t start);  // until the start is empty or cut off
  bool advance();                    // one step along the levels, put on the path; false: a dead end
  void retreat();                    // from the last visit, whose flow is settled
  bool open(const Step& step) const { return step.arc >= 0 || flow_[static_cast<size_t>(-1 - step.arc)] > 0; }
  bool fed(size_t item) const { return source_[item] > empty_[item]; }

  size_t items_;
  std::vector<int32_t> starts_;  // of the steps of each item
  std::vector<Step> steps_;
  std::vector<double> flow_;                   // of each arc
  std::vector<double> source_, sink_, empty_;  // residuals of the terminals, and the residual that counts as none
  std::vector<int32_t> level_, next_, queue_;  // of the search
  std::vector<Visit> path_;
};

}  // namespace accord::graph
