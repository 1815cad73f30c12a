// What the tests of higher-order trees share: enumeration, random layouts and scores, and the parts of a tree defined
// once more, from words alone.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/trees/part_layout.hpp"
#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"

namespace parts {

using namespace accord::trees;
using Heads = std::vector<int32_t>;

inline std::vector<Heads> projective_trees(int words, bool single_root) {
  std::vector<Heads> found;
  Heads heads(static_cast<size_t>(words) + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (is_tree(heads, single_root) && is_projective(heads)) found.push_back(heads);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > words) heads[word++] = 0;
    if (word == heads.size()) return found;
  }
}

// Each arc is a candidate with this probability.
inline std::vector<CandidateArc> random_arcs(int words, double density, std::mt19937_64& random) {
  std::bernoulli_distribution kept(density);
  std::vector<CandidateArc> arcs;
  for (int32_t m = 1; m <= words; ++m)
    for (int32_t h = 0; h <= words; ++h)
      if (h != m && kept(random)) arcs.push_back({h, m});
  return arcs;
}

// Families by the bits of a number below 16.
inline PartFamilies families(int bits) {
  PartFamilies chosen;
  chosen.sibling = bits & 1;
  chosen.grandparent = bits & 2;
  chosen.grand_sibling = bits & 4;
  chosen.tri_sibling = bits & 8;
  return chosen;
}

inline std::vector<double> random_scores(size_t size, double scale, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0.0, scale);
  std::vector<double> scores(size);
  for (double& score : scores) score = normal(random);
  return scores;
}

// The words that head h takes on one side in a tree, nearest first.
inline std::vector<int32_t> taken(const Heads& heads, int32_t h, bool right) {
  std::vector<int32_t> words;
  const auto n = static_cast<int32_t>(heads.size()) - 1;
  for (int32_t m = right ? h + 1 : h - 1; m >= 1 && m <= n; m += right ? 1 : -1)
    if (heads[static_cast<size_t>(m)] == h) words.push_back(m);
  return words;
}

}  // namespace parts
