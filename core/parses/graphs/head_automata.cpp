// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/head_automata.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/graph/score_table.hpp"

namespace accord::parses {

namespace {

size_t checked_count(int count, const char* what) {
  if (count < 0) throw std::invalid_argument(std::string("the number of ") + what + " is negative");
  return static_cast<size_t>(count);
}

// Nodes start+1 .. start+N, each entered from any node between start and itself.
void add_modifiers(graph::PathLattice& lattice, int start, int modifiers, int first_variable) {
  for (int j = 1; j <= modifiers; ++j) lattice.add_node(first_variable + j - 1, start, j);
}

// Own score of a subset of modifiers, as the weights of its path through start, start+1, ..., start+N, end.
double walk(const graph::PathLattice& lattice, int start, int end, std::span<const uint8_t> chosen) {
  double total = 0;
  int last = start;
  for (size_t j = 0; j < chosen.size(); ++j) {
    if (!chosen[j]) continue;
    const int next = start + static_cast<int>(j) + 1;
    total += lattice.weight(last, next);
    last = next;
  }
  return total + lattice.weight(last, end);
}

}  // namespace

// Lattice: START, the modifiers, END.
SiblingAutomaton::SiblingAutomaton(int modifiers, std::span<const double> sibling)
    : graph::PathFactor(checked_count(modifiers, "modifiers")),
      modifiers_(modifiers) {
  lattice_.add_node(graph::PathLattice::no_variable, 0, 0);
  add_modifiers(lattice_, 0, modifiers, 0);
  lattice_.add_node(graph::PathLattice::no_variable, 0, modifiers + 1);
  set_scores(sibling);
}

void SiblingAutomaton::set_scores(std::span<const double> sibling) {
  const size_t width = static_cast<size_t>(modifiers_) + 2;
  graph::check_score_table(sibling, (width - 1) * width, "sibling");
  for (int i = 0; i <= modifiers_; ++i)
    for (int j = i + 1; j <= modifiers_ + 1; ++j) lattice_.weight(i, j) = sibling[static_cast<size_t>(i) * width + static_cast<size_t>(j)];
}

double SiblingAutomaton::score(std::span<const uint8_t> configuration) { return walk(lattice_, 0, modifiers_ + 1, configuration); }

size_t SiblingAutomaton::parts() const { return (size() + 1) * (size() + 2); }

void SiblingAutomaton::part_marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  lattice_.flows(scores);
  const size_t width = size() + 2;
  for (int i = 0; i <= modifiers_; ++i)
    for (int j = i + 1; j <= modifiers_ + 1; ++j) out[static_cast<size_t>(i) * width + static_cast<size_t>(j)] = lattice_.flow(i, j);
}

// Lattice: a source, then for each head a copy of the sibling lattice whose START carries the head, then the copies' ENDs
// and a sink. For the root a single copy is the lattice.
GrandSiblingAutomaton::GrandSiblingAutomaton(int heads, int modifiers, std::span<const double> sibling, std::span<const double> grandparent,
                                             std::span<const double> grandsibling)
    : graph::PathFactor(checked_count(heads, "heads") + checked_count(modifiers, "modifiers")),
      heads_(heads),
      modifiers_(modifiers) {
  lattice_.add_node(graph::PathLattice::no_variable, 0, 0);
  for (int g = 0; g < copies(); ++g) {
    if (heads > 0) lattice_.add_node(g, 0, 1);
    add_modifiers(lattice_, start(g), modifiers, heads);
  }
  for (int g = 0; g < copies(); ++g) lattice_.add_node(graph::PathLattice::no_variable, start(g), modifiers + 1);
  if (heads > 0) lattice_.add_node(graph::PathLattice::no_variable, end(0), heads);
  set_scores(sibling, grandparent, grandsibling);
}

void GrandSiblingAutomaton::set_scores(std::span<const double> sibling, std::span<const double> grandparent,
                                       std::span<const double> grandsibling) {
  const size_t rows = static_cast<size_t>(modifiers_) + 1;
  const size_t width = rows + 1;
  const size_t heads = static_cast<size_t>(heads_);
  graph::check_score_table(sibling, rows * width, "sibling");
  graph::check_score_table(grandparent, heads * width, "grandparent");
  graph::check_score_table(grandsibling, grandsibling.empty() ? 0 : heads * rows * width, "grandsibling");
  for (size_t g = 0; g < static_cast<size_t>(copies()); ++g) {
    const int first = start(static_cast<int>(g));
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = i + 1; j < width; ++j) {
        double weight = sibling[i * width + j];
        if (heads > 0) weight += grandparent[g * width + j];
        if (!grandsibling.empty()) weight += grandsibling[(g * rows + i) * width + j];
        const int to = j == rows ? end(static_cast<int>(g)) : first + static_cast<int>(j);
        lattice_.weight(first + static_cast<int>(i), to) = weight;
      }
    }
  }
}

double GrandSiblingAutomaton::score(std::span<const uint8_t> configuration) {
  const size_t heads = static_cast<size_t>(heads_);
  int chosen = heads_ == 0 ? 0 : -1;
  for (size_t g = 0; g < heads; ++g) {
    if (!configuration[g]) continue;
    if (chosen >= 0) return graph::impossible;
    chosen = static_cast<int>(g);
  }
  if (chosen < 0) return graph::impossible;
  return walk(lattice_, start(chosen), end(chosen), configuration.subspan(heads));
}

size_t GrandSiblingAutomaton::parts() const {
  const size_t rows = static_cast<size_t>(modifiers_) + 1, width = rows + 1, heads = static_cast<size_t>(heads_);
  return rows * width + heads * width + heads * rows * width;
}

// The three tables one after the other; a step counts in all of them.
void GrandSiblingAutomaton::part_marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  lattice_.flows(scores);
  const size_t rows = static_cast<size_t>(modifiers_) + 1, width = rows + 1, heads = static_cast<size_t>(heads_);
  const std::span<double> sibling = out.first(rows * width), grandparent = out.subspan(rows * width, heads * width),
                          grandsibling = out.subspan((rows + heads) * width);
  for (size_t g = 0; g < static_cast<size_t>(copies()); ++g) {
    const int first = start(static_cast<int>(g));
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = i + 1; j < width; ++j) {
        const int to = j == rows ? end(static_cast<int>(g)) : first + static_cast<int>(j);
        const double flow = lattice_.flow(first + static_cast<int>(i), to);
        sibling[i * width + j] += flow;
        if (heads == 0) continue;
        grandparent[g * width + j] += flow;
        grandsibling[(g * rows + i) * width + j] += flow;
      }
    }
  }
}

// Lattice: START, then the pairs (previous, last) by last position, then END, which follows any of them.
TriSiblingAutomaton::TriSiblingAutomaton(int modifiers, std::span<const double> trisibling)
    : graph::PathFactor(checked_count(modifiers, "modifiers")),
      modifiers_(modifiers) {
  lattice_.add_node(graph::PathLattice::no_variable, 0, 0);
  for (int last = 1; last <= modifiers; ++last) {
    lattice_.add_node(last - 1, 0, 1);  // (START, last)
    for (int previous = 1; previous < last; ++previous) lattice_.add_node(last - 1, node(0, previous), previous);
  }
  lattice_.add_node(graph::PathLattice::no_variable, 0, end());
  set_scores(trisibling);
}

void TriSiblingAutomaton::set_scores(std::span<const double> trisibling) {
  const size_t rows = static_cast<size_t>(modifiers_) + 1;
  const size_t width = rows + 1;
  graph::check_score_table(trisibling, rows * rows * width, "trisibling");
  for (int i = 0; i <= modifiers_; ++i) {
    for (int j = i + 1; j <= modifiers_; ++j) {
      const auto next = trisibling.subspan((static_cast<size_t>(i) * rows + static_cast<size_t>(j)) * width, width);
      for (int k = j + 1; k <= modifiers_; ++k) lattice_.weight(node(i, j), node(j, k)) = next[static_cast<size_t>(k)];
      lattice_.weight(node(i, j), end()) = next.back();
    }
  }
}

size_t TriSiblingAutomaton::parts() const { return (size() + 1) * (size() + 1) * (size() + 2); }

void TriSiblingAutomaton::part_marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  lattice_.flows(scores);
  const size_t rows = size() + 1, width = rows + 1;
  for (int i = 0; i <= modifiers_; ++i) {
    for (int j = i + 1; j <= modifiers_; ++j) {
      const auto next = out.subspan((static_cast<size_t>(i) * rows + static_cast<size_t>(j)) * width, width);
      for (int k = j + 1; k <= modifiers_; ++k) next[static_cast<size_t>(k)] = lattice_.flow(node(i, j), node(j, k));
      next.back() = lattice_.flow(node(i, j), end());
    }
  }
}

double TriSiblingAutomaton::score(std::span<const uint8_t> configuration) {
  double total = 0;
  int at = 0, last = 0;
  for (int j = 1; j <= modifiers_; ++j) {
    if (!configuration[static_cast<size_t>(j - 1)]) continue;
    total += lattice_.weight(at, node(last, j));
    at = node(last, j);
    last = j;
  }
  return total + lattice_.weight(at, end());
}

}  // namespace accord::parses
