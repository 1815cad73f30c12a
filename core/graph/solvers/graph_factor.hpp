// SPDX-License-Identifier: Apache-2.0
// A whole factor graph as one factor: for methods that ask nothing but the best configuration.
//
// Set:    assignments of the graph's variables that all factors and the evidence allow.
// Score:  the sum of the factors' own scores; the variables' scores come from outside and replace the graph's.
// Method: small graphs are enumerated. Elsewhere AD3 runs from where it stopped last time, with the best assignment seen so far as
//         the value to meet; where that leaves a gap, branch and bound closes it.
// One object uses the graph alone while it lives, and leaves it with the scores it had.
#pragma once
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solvers/ad3.hpp"

namespace accord::graph {

struct GraphFactorSettings {
  int enumerate = 10;     // free variables up to which all assignments are looked at
  int iterations = 2000;  // of AD3, at most
  int nodes = 10000;      // of branch and bound, at most
  double gap = 1e-10;     // distance of value and bound, in units of the spread, at which an assignment counts as best
  Stop stop;
  Progress progress;  // told after every answer, and while a search for one goes on
};

class GraphFactor final : public Factor {
 public:
  GraphFactor(FactorGraph& graph, const GraphFactorSettings& settings);
  ~GraphFactor() override;
  GraphFactor(const GraphFactor&) = delete;
  GraphFactor& operator=(const GraphFactor&) = delete;

  std::string_view kind() const override { return "graph"; }
  size_t size() const override { return graph_.variables(); }
  bool can(Ability) const override { return false; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;

  // Whether every answer so far was proved to be best.
  bool proved() const { return proved_; }

 private:
  Solution solve();
  std::vector<uint8_t> best_known() const;

  FactorGraph& graph_;
  GraphFactorSettings settings_;
  Ad3 relaxation_;
  std::vector<double> scores_;                 // the graph's, to be restored
  std::vector<std::vector<uint8_t>> answers_;  // all that were given
  std::vector<uint8_t> local_;
  bool proved_ = true;
  int questions_ = 0;
};

}  // namespace accord::graph
