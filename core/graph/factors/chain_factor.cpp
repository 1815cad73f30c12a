// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/chain_factor.hpp"

#include <stdexcept>

#include "core/graph/score_table.hpp"

namespace accord::graph {

namespace {

size_t count_variables(std::span<const int> states) {
  if (states.empty()) throw std::invalid_argument("a chain needs a position");
  size_t total = 0;
  for (const int count : states) {
    if (count < 1) throw std::invalid_argument("every position of a chain needs a state");
    total += static_cast<size_t>(count);
  }
  return total;
}

}  // namespace

// Lattice: a source, one node per (position, state), so that variable v sits on node v + 1, and a sink.
ChainFactor::ChainFactor(std::vector<int> states, std::span<const double> transitions)
    : PathFactor(count_variables(states)),
      states_(std::move(states)) {
  lattice_.add_node(PathLattice::no_variable, 0, 0);
  int variable = 0, before = 0, choices_before = 1;
  for (const int choices : states_) {
    for (int state = 0; state < choices; ++state) lattice_.add_node(variable++, before, choices_before);
    before += choices_before;
    choices_before = choices;
  }
  lattice_.add_node(PathLattice::no_variable, before, choices_before);
  set_scores(transitions);
}

void ChainFactor::set_scores(std::span<const double> transitions) {
  check_score_table(transitions, parts(), "transitions");
  size_t next = 0;
  int before = 1;
  for (size_t p = 1; p < states_.size(); ++p) {
    const int here = before + states_[p - 1];
    for (int from = 0; from < states_[p - 1]; ++from)
      for (int to = 0; to < states_[p]; ++to) lattice_.weight(before + from, here + to) = transitions[next++];
    before = here;
  }
}

size_t ChainFactor::parts() const {
  size_t total = 0;
  for (size_t p = 1; p < states_.size(); ++p) total += static_cast<size_t>(states_[p - 1]) * static_cast<size_t>(states_[p]);
  return total;
}

void ChainFactor::part_marginals(std::span<const double> scores, std::span<double> out) {
  lattice_.flows(scores);
  size_t next = 0;
  int before = 1;
  for (size_t p = 1; p < states_.size(); ++p) {
    const int here = before + states_[p - 1];
    for (int from = 0; from < states_[p - 1]; ++from)
      for (int to = 0; to < states_[p]; ++to) out[next++] = lattice_.flow(before + from, here + to);
    before = here;
  }
}

double ChainFactor::score(std::span<const uint8_t> configuration) {
  double total = 0;
  int node = 0;
  size_t variable = 0;
  for (const int choices : states_) {
    int chosen = -1;
    for (int state = 0; state < choices; ++state, ++variable) {
      if (!configuration[variable]) continue;
      if (chosen >= 0) return impossible;
      chosen = static_cast<int>(variable) + 1;
    }
    if (chosen < 0) return impossible;
    total += lattice_.weight(node, chosen);
    node = chosen;
  }
  return total;
}

}  // namespace accord::graph
