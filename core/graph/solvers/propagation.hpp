// SPDX-License-Identifier: Apache-2.0
// What follows from evidence, by asking one factor at a time.
//
// Rule:    a value that no configuration of some factor has, given what is fixed, is out: the variable has the other value. A variable
//          that can have neither proves that nothing satisfies the graph. Fixed values are passed on until nothing more follows
//          (generalised arc consistency: Mackworth 1977, "Consistency in Networks of Relations").
// Probing: a value from which a contradiction follows is out too. What both values of a variable contradict is a proof as well.
// Cost:    factors are asked for configurations as witnesses, each of which shows one value of every variable to be possible: a few
//          maximisations a factor, two a variable at worst. All work stops at a budget that is worth some dozens of rounds of a
//          message-passing solver.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor_graph.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

class Propagation {
 public:
  explicit Propagation(const FactorGraph& graph);

  // Adds what follows from values (-1: free) where these variables were fixed last; all factors are asked where none is named. False: a
  // contradiction. Ends early where it takes much longer than asking each factor once.
  bool infer(std::vector<int8_t>& values, std::span<const int32_t> fixed_last);
  // Whether propagation and probing, from the graph's evidence, prove that nothing satisfies all factors. False: they do not tell.
  bool contradicts(const Stop& stop);

 private:
  bool propagate(std::vector<int8_t>& values);  // false: a contradiction
  bool filter(size_t factor, std::vector<int8_t>& values);
  bool ask(size_t factor);  // for a configuration that agrees with fixed_; its values are marked as witnessed
  bool probe(std::vector<int8_t>& values, const Stop& stop, bool& changed);
  void queue(size_t factor);
  void queue_neighbours(size_t variable);

  const FactorGraph& graph_;
  std::vector<size_t> starts_, neighbours_;  // the factors of each variable
  size_t work_left_;                         // in variables of factors that are asked
  std::vector<size_t> waiting_;              // factors
  std::vector<uint8_t> queued_;
  std::vector<size_t> trail_;  // variables that were fixed since a value was supposed
  Conditioned conditioned_;
  std::vector<double> leaning_;
  std::vector<int8_t> fixed_;
  std::vector<uint8_t> configuration_;
  std::vector<uint8_t> witnessed_;  // by place: 1 for off, 2 for on
};

}  // namespace accord::graph
