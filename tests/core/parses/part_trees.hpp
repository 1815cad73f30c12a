// SPDX-License-Identifier: Apache-2.0
// Small random layouts with scores, and all their trees one by one.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"

namespace part_trees {

using accord::parses::CandidateArc;
using accord::parses::PartFamilies;
using accord::parses::PartLayout;

inline PartFamilies families_of(unsigned bits) {
  const auto on = [&](unsigned i) { return (bits >> i & 1) != 0; };
  // Outer grandparents are among the grand-siblings: factor graphs take one of the two.
  return {on(0), on(1), on(2), on(3), on(4), on(5), on(6), on(7), on(8), on(9), on(10) && !on(2), on(11), on(12)};
}

inline std::vector<CandidateArc> random_arcs(int words, bool all, std::mt19937& random) {
  std::vector<CandidateArc> arcs;
  for (int m = 1; m <= words; ++m)
    for (int h = 0; h <= words; ++h)
      if (h != m && (all || h == m - 1 || random() % 2 == 0)) arcs.push_back({h, m});  // the chain 0 -> 1 -> 2 ... is always a tree
  return arcs;
}

// Up to three sets of two to four arcs, as patterns match them: each word has one head at most, and no circles.
inline void add_random_patterns(PartLayout& layout, std::mt19937& random) {
  for (unsigned set = random() % 4; set > 0 && layout.arcs() > 0; --set) {
    std::vector<int32_t> heads(static_cast<size_t>(layout.words()) + 1, 0), arcs;
    for (unsigned tries = 4 + random() % 8; tries > 0 && arcs.size() < 4; --tries) {
      const auto arc = static_cast<int32_t>(random() % static_cast<unsigned>(layout.arcs()));
      const int dependent = layout.dependent(arc);
      bool free = heads[static_cast<size_t>(dependent)] == 0 && std::find(arcs.begin(), arcs.end(), arc) == arcs.end();
      for (const int32_t other : arcs) free = free && layout.dependent(other) != dependent;
      for (int above = layout.head(arc); above > 0; above = heads[static_cast<size_t>(above)]) free = free && above != dependent;
      if (!free) continue;
      heads[static_cast<size_t>(dependent)] = layout.head(arc);
      arcs.push_back(arc);
    }
    if (arcs.size() >= 2) layout.add_pattern(static_cast<int>(random() % 5), arcs);
  }
}

// Scores as a scorer leaves them: entries that belong to no tree are zero.
inline std::vector<double> random_scores(const PartLayout& layout, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> scores(layout.size(), 0.0);
  const int n = layout.words();
  std::vector<int32_t> heads(static_cast<size_t>(n) + 1, 0);
  std::vector<size_t> slots;
  std::vector<uint8_t> seen(layout.size(), 0);
  // Every choice of one candidate head per word, trees or not, meets every slot that some tree can have.
  std::vector<int> choice(static_cast<size_t>(n) + 1, 0);
  while (true) {
    for (int m = 1; m <= n; ++m) heads[static_cast<size_t>(m)] = layout.head(layout.first_entering(m) + choice[static_cast<size_t>(m)]);
    CHECK(layout.parts_of(heads, slots));
    for (const size_t slot : slots)
      if (!seen[slot]) seen[slot] = 1, scores[slot] = normal(random);
    int m = 1;
    while (m <= n && ++choice[static_cast<size_t>(m)] == layout.entering(m)) choice[static_cast<size_t>(m++)] = 0;
    if (m > n) return scores;
  }
}

template <typename Visit>
void for_each_tree(const PartLayout& layout, bool projective, bool single_root, Visit&& visit) {
  const int n = layout.words();
  std::vector<int> choice(static_cast<size_t>(n) + 1, 0);
  std::vector<int32_t> heads(static_cast<size_t>(n) + 1, -1);
  while (true) {
    for (int m = 1; m <= n; ++m) heads[static_cast<size_t>(m)] = layout.head(layout.first_entering(m) + choice[static_cast<size_t>(m)]);
    if (accord::trees::is_tree(heads, single_root) && (!projective || accord::trees::is_projective(heads))) visit(heads);
    int m = 1;
    while (m <= n && ++choice[static_cast<size_t>(m)] == layout.entering(m)) choice[static_cast<size_t>(m++)] = 0;
    if (m > n) return;
  }
}

// log Z and the probabilities of all slots, tree by tree.
struct Sums {
  double log_partition = 0;
  std::vector<double> posteriors;
};

inline Sums sum_trees(const PartLayout& layout, std::span<const double> scores, bool projective, bool single_root) {
  Sums sums{0, std::vector<double>(layout.size(), 0.0)};
  double total = 0;
  std::vector<size_t> slots;
  for_each_tree(layout, projective, single_root, [&](std::span<const int32_t> heads) {
    const double weight = std::exp(layout.score(scores, heads));
    total += weight;
    layout.parts_of(heads, slots);
    for (const size_t slot : slots) sums.posteriors[slot] += weight;
  });
  for (double& posterior : sums.posteriors) posterior /= total;
  sums.log_partition = std::log(total);
  return sums;
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace part_trees
