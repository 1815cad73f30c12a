// SPDX-License-Identifier: Apache-2.0
// A head with its own head and its modifiers, without looking at the order of the modifiers.
//
// Set:        exactly one of G incoming arcs and any subset of N outgoing ones. Variables: the G, then the N.
// Score:      grandparent[g][END] + sum over chosen modifiers j of grandparent[g][j], g being the chosen head.
// Complexity: O(G N) for everything: once g is known the modifiers are independent.
// Rows:       y[g][j] = "g and j": a union of G boxes, one of them chosen. y[g][j] <= z[g], sum over g of y[g][j] = z[j] and
//             sum over g of z[g] = 1 is the hull of such a union (Balas 1998).
// Paper:      the grandparent part of Martins, Almeida & Smith (2013), section 2, on its own.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::parses {

class GrandparentAutomaton final : public graph::Factor {
 public:
  // heads >= 1; grandparent: G x (N+2) row-major, positions numbered as in head_automata.hpp (entry 0 of a row is ignored).
  GrandparentAutomaton(int heads, int modifiers, std::span<const double> grandparent);

  std::string_view kind() const override { return "grandparent_automaton"; }
  size_t size() const override { return heads_ + modifiers_; }
  bool can(Ability ability) const override { return ability != Ability::project; }
  graph::OwnRange own_range() const override;
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override { return heads_ * (modifiers_ + 2); }
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(graph::RowSink& sink) override;

  void set_scores(std::span<const double> grandparent);

 private:
  double own(size_t head, size_t modifier) const { return table_[head * (modifiers_ + 1) + modifier]; }
  double own_end(size_t head) const { return own(head, modifiers_); }
  // What switching a modifier on is worth under a head.
  double gain(std::span<const double> scores, size_t head, size_t modifier) const {
    return own(head, modifier) + scores[heads_ + modifier];
  }
  void best_totals(std::span<const double> scores);  // fills totals_: the best value with each head

  size_t heads_, modifiers_;
  std::vector<double> table_;   // G x (N+1): the modifiers, then END
  std::vector<double> totals_;  // working space, by head
};

}  // namespace accord::parses
