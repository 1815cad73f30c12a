// SPDX-License-Identifier: Apache-2.0
// Head automata: what a head thinks of its modifiers on one side, taken outwards one after the other.
//
// Set:    any subset of N candidate modifiers (given in the order outwards from the head); with G candidate heads of the
//         head itself ("grandparents"), exactly one of them as well.
// Score:  read the chosen modifiers m_1 .. m_p outwards, m_0 = START, m_{p+1} = END:
//           sibling        sum over k = 1..p+1 of  sibling[m_{k-1}][m_k]
//           grand-sibling  the same, plus  grandparent[g][m_k] + grandsibling[g][m_{k-1}][m_k]
//           tri-sibling    sum over k = 2..p+1 of  trisibling[m_{k-2}][m_{k-1}][m_k];  no modifier scores 0
// Tables: row-major, and one numbering of positions everywhere: 0 = START, 1..N the modifiers, N+1 = END. A row is indexed
//         by earlier positions (0..N), the last index by the next position (0..N+1); entries out of order are ignored.
// Cost:   sibling O(N^2), grand-sibling O(G N^2), tri-sibling O(N^3) per maximisation.
// Paper:  Koo, Rush, Collins, Jaakkola & Sontag (2010); Martins, Almeida & Smith (2013), section 2.
#pragma once
#include <span>
#include <string_view>

#include "core/graph/factors/path_factor.hpp"
#include "core/parses/graphs/grandparent_automaton.hpp"

namespace accord::parses {

// Variables: the N outgoing arcs.
class SiblingAutomaton final : public graph::PathFactor {
 public:
  // sibling: (N+1) x (N+2).
  SiblingAutomaton(int modifiers, std::span<const double> sibling);

  std::string_view kind() const override { return "sibling_automaton"; }
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override;
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  void set_scores(std::span<const double> sibling);

 private:
  int modifiers_;
};

// Variables: the G incoming arcs, then the N outgoing ones. G = 0 is the artificial root: no incoming arc, no choice.
class GrandSiblingAutomaton final : public graph::PathFactor {
 public:
  // sibling: (N+1) x (N+2); grandparent: G x (N+2); grandsibling: G x (N+1) x (N+2), or empty for zeros.
  GrandSiblingAutomaton(int heads, int modifiers, std::span<const double> sibling, std::span<const double> grandparent,
                        std::span<const double> grandsibling);

  std::string_view kind() const override { return "grand_sibling_automaton"; }
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override;
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  void set_scores(std::span<const double> sibling, std::span<const double> grandparent, std::span<const double> grandsibling);

 private:
  int copies() const { return heads_ == 0 ? 1 : heads_; }
  int start(int head) const { return heads_ == 0 ? 0 : 1 + head * (modifiers_ + 1); }
  int end(int head) const { return heads_ == 0 ? modifiers_ + 1 : 1 + heads_ * (modifiers_ + 1) + head; }

  int heads_, modifiers_;
};

// Variables: the N outgoing arcs.
class TriSiblingAutomaton final : public graph::PathFactor {
 public:
  // trisibling: (N+1) x (N+1) x (N+2).
  TriSiblingAutomaton(int modifiers, std::span<const double> trisibling);

  std::string_view kind() const override { return "tri_sibling_automaton"; }
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override;
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  void set_scores(std::span<const double> trisibling);

 private:
  // The node "the last two positions are previous and last"; nodes with the same last position are neighbours.
  static int node(int previous, int last) { return last * (last - 1) / 2 + previous + 1; }
  int end() const { return node(0, modifiers_ + 1); }

  int modifiers_;
};

}  // namespace accord::parses
