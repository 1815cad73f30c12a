// SPDX-License-Identifier: Apache-2.0
// A chain: one state at each position, and a score for each pair of neighbouring states.
//
// Set:        exactly one state per position. Variables: one per (position, state), position after position.
// Score:      sum over positions p >= 1 of transition[p-1][state at p-1][state at p]. What a state alone is worth comes from
//             its variable.
// Complexity: O(sum over p of states[p-1] states[p]) per maximisation.
// Uses:       taggers; the head-bigram sequence of third-order parsing, where the states of a word are its candidate heads
//             (Martins, Almeida & Smith 2013, SEQ). -infinity forbids a transition.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/factors/path_factor.hpp"

namespace accord::graph {

class ChainFactor final : public PathFactor {
 public:
  // transitions: for p = 1, 2, ... the states[p-1] x states[p] tables one after the other, row-major.
  ChainFactor(std::vector<int> states, std::span<const double> transitions);

  std::string_view kind() const override { return "chain"; }
  double score(std::span<const uint8_t> configuration) override;
  std::vector<size_t> choices() const override { return {states_.begin(), states_.end()}; }
  size_t parts() const override;
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  void set_scores(std::span<const double> transitions);

 private:
  std::vector<int> states_;
};

}  // namespace accord::graph
