// SPDX-License-Identifier: Apache-2.0
// What the tests of higher-order trees share: enumeration, random layouts and scores, and the parts of a tree defined
// once more, from words alone.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"

namespace parts {

using namespace accord::parses;
using namespace accord::trees;
using Heads = std::vector<int32_t>;

// Every choice of a head in 0..n for each word, cycles included.
inline std::vector<Heads> all_heads(int words) {
  std::vector<Heads> found;
  Heads heads(static_cast<size_t>(words) + 1, 0);
  heads[0] = -1;
  for (;;) {
    found.push_back(heads);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > words) heads[word++] = 0;
    if (word == heads.size()) return found;
  }
}

inline std::vector<Heads> projective_trees(int words, bool single_root) {
  std::vector<Heads> trees = all_heads(words);
  std::erase_if(trees, [&](const Heads& heads) { return !is_tree(heads, single_root) || !is_projective(heads); });
  return trees;
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

// A part as numbers: its family, then words; START and END stand for the ends of a side.
using Key = std::vector<int32_t>;
constexpr int32_t kStart = -1, kEnd = -2;

inline Key key(Part family, std::initializer_list<int32_t> words) {
  Key made{static_cast<int32_t>(family)};
  made.insert(made.end(), words.begin(), words.end());
  return made;
}

// The slot of every entry of every table, counted one by one in the order that part_layout.hpp promises.
inline std::map<Key, size_t> numbered(int32_t words, const std::vector<CandidateArc>& arcs, const PartFamilies& families) {
  std::map<Key, size_t> slots;
  const auto number = [&](Part family, std::initializer_list<int32_t> of) { slots.emplace(key(family, of), slots.size()); };
  const auto heads_of = [&](int32_t m) {
    std::vector<int32_t> found;
    for (const CandidateArc& arc : arcs)
      if (arc.dependent == m) found.push_back(arc.head);
    return found;
  };
  const auto modifiers_of = [&](int32_t h, auto&& wanted) {
    std::vector<int32_t> found;
    for (const CandidateArc& arc : arcs)
      if (arc.head == h && wanted(arc.dependent)) found.push_back(arc.dependent);
    return found;
  };
  const auto on_sides = [&](bool chosen, auto&& fill) {
    for (int32_t h = 0; chosen && h <= words; ++h) {
      for (const bool right : {false, true}) {
        std::vector<int32_t> positions = modifiers_of(h, [&](int32_t m) { return (m > h) == right; });
        if (positions.empty()) continue;
        if (!right) std::reverse(positions.begin(), positions.end());
        positions.insert(positions.begin(), kStart);
        const std::vector<int32_t> but_end = positions;
        positions.push_back(kEnd);
        fill(h, static_cast<int32_t>(right), but_end, positions);
      }
    }
  };
  using Words = const std::vector<int32_t>&;
  for (const CandidateArc& arc : arcs) number(Part::arc, {arc.head, arc.dependent});
  on_sides(families.sibling, [&](int32_t h, int32_t right, Words but_end, Words all) {
    for (const int32_t i : but_end)
      for (const int32_t j : all) number(Part::sibling, {h, right, i, j});
  });
  on_sides(families.grandparent, [&](int32_t h, int32_t right, Words, Words all) {
    for (const int32_t g : heads_of(h))
      for (const int32_t j : all) number(Part::grandparent, {g, h, right, j});
  });
  on_sides(families.grand_sibling, [&](int32_t h, int32_t right, Words but_end, Words all) {
    for (const int32_t g : heads_of(h))
      for (const int32_t i : but_end)
        for (const int32_t j : all) number(Part::grand_sibling, {g, h, right, i, j});
  });
  on_sides(families.tri_sibling, [&](int32_t h, int32_t right, Words but_end, Words all) {
    for (const int32_t t : but_end)
      for (const int32_t i : but_end)
        for (const int32_t j : all) number(Part::tri_sibling, {h, right, t, i, j});
  });
  for (int32_t m = 2; families.head_bigram && m <= words; ++m)
    for (const int32_t here : heads_of(m))
      for (const int32_t before : heads_of(m - 1)) number(Part::head_bigram, {m, here, before});
  const auto any = [](int32_t) { return true; };
  for (int32_t h = 0; families.any_sibling && h <= words; ++h) {
    const std::vector<int32_t> all = modifiers_of(h, any);
    for (size_t j = 1; j < all.size(); ++j)
      for (size_t i = 0; i < j; ++i) number(Part::any_sibling, {h, all[i], all[j]});
  }
  for (int32_t h = 1; families.valency && h <= words; ++h) {
    const auto most = static_cast<int32_t>(modifiers_of(h, any).size());
    for (int32_t count = 0; most > 0 && count <= most; ++count) number(Part::valency, {h, count});
  }
  for (const CandidateArc& arc : arcs)
    for (const int32_t g : families.great_grandparent ? heads_of(arc.head) : std::vector<int32_t>{})
      for (const int32_t a : heads_of(g)) number(Part::great_grandparent, {a, g, arc.head, arc.dependent});
  for (int32_t h = 0; families.any_tri_sibling && h <= words; ++h) {
    const std::vector<int32_t> all = modifiers_of(h, any);
    for (size_t k = 2; k < all.size(); ++k)
      for (size_t j = 1; j < k; ++j)
        for (size_t i = 0; i < j; ++i) number(Part::any_tri_sibling, {h, all[i], all[j], all[k]});
  }
  for (const CandidateArc& arc : arcs) {
    const std::vector<int32_t> all = modifiers_of(arc.head, any);
    const int32_t inwards = arc.dependent > arc.head ? -1 : 1;
    int32_t word = arc.dependent;
    for (int32_t length = 1; families.comb && length <= 8 && std::count(all.begin(), all.end(), word) == 1; ++length, word += inwards)
      if (length >= 4) number(Part::comb, {arc.head, arc.dependent, length});
  }
  on_sides(families.outer_grandparent, [&](int32_t h, int32_t right, Words, Words all) {
    for (const int32_t g : heads_of(h))
      for (const int32_t j : all) number(Part::outer_grandparent, {g, h, right, j});
  });
  for (int32_t i = 1; families.path && i <= words; ++i) {
    std::vector<bool> reached(static_cast<size_t>(words) + 1, false);
    for (int32_t round = 0; round < words; ++round)
      for (const CandidateArc& arc : arcs)
        if (arc.head == i || (arc.head > 0 && reached[static_cast<size_t>(arc.head)])) reached[static_cast<size_t>(arc.dependent)] = true;
    for (int32_t j = 1; j <= words; ++j)
      if (j != i && reached[static_cast<size_t>(j)]) number(Part::path, {i, j});
  }
  for (const CandidateArc& arc : arcs)
    if (families.nonprojective && arc.head > 0 && std::abs(arc.head - arc.dependent) > 1)
      number(Part::nonprojective, {arc.head, arc.dependent});
  return slots;
}

// Whether j hangs below i: i is met on the way up from j, which ends at the root, at j or where the way goes round in a circle.
inline bool descends(const Heads& heads, int32_t i, int32_t j) {
  int32_t word = heads[static_cast<size_t>(j)];
  for (size_t steps = 0; steps < heads.size() && word > 0 && word != j; ++steps, word = heads[static_cast<size_t>(word)])
    if (word == i) return true;
  return false;
}

// A part's tuple of words in part_words.hpp; empty for the part of an empty side.
inline std::vector<int32_t> words_of(const Key& part) {
  const auto family = static_cast<Part>(part[0]);
  if (family == Part::arc) return {part[1], part[2]};
  const bool grand = family == Part::grandparent || family == Part::grand_sibling;
  const int32_t head = part[grand ? 2 : 1];
  std::vector<int32_t> words = grand ? std::vector{part[1], head} : std::vector{head};
  for (size_t i = grand ? 4 : 3; i < part.size(); ++i) words.push_back(part[i] < 0 ? head : part[i]);
  if (part[part.size() - 2] == kStart && part.back() == kEnd) words.clear();
  return words;
}

// START, the words that head h takes on one side, nearest first, and END.
inline std::vector<int32_t> taken(const Heads& heads, int32_t h, bool right) {
  std::vector<int32_t> words{kStart};
  const auto n = static_cast<int32_t>(heads.size()) - 1;
  for (int32_t m = right ? h + 1 : h - 1; m >= 1 && m <= n; m += right ? 1 : -1)
    if (heads[static_cast<size_t>(m)] == h) words.push_back(m);
  words.push_back(kEnd);
  return words;
}

// Every part of a tree, of all families, whether scored or not.
inline std::vector<Key> parts_of_tree(const Heads& heads) {
  std::vector<Key> found;
  const auto n = static_cast<int32_t>(heads.size()) - 1;
  for (int32_t m = 1; m <= n; ++m) found.push_back(key(Part::arc, {heads[static_cast<size_t>(m)], m}));
  for (int32_t h = 0; h <= n; ++h) {
    const int32_t g = heads[static_cast<size_t>(h)];
    std::vector<int32_t> all;
    for (const bool right : {false, true}) {
      const std::vector<int32_t> row = taken(heads, h, right);
      const int32_t side = right;
      for (size_t j = 1; j < row.size(); ++j) {
        const bool empty = row.size() == 2;
        found.push_back(key(Part::sibling, {h, side, row[j - 1], row[j]}));
        if (h > 0 && row[j] != kEnd) found.push_back(key(Part::grandparent, {g, h, side, row[j]}));
        if (h > 0 && row[j] == kEnd && !empty) found.push_back(key(Part::outer_grandparent, {g, h, side, row[j - 1]}));
        if (h > 0 && !empty) found.push_back(key(Part::grand_sibling, {g, h, side, row[j - 1], row[j]}));
        if (j >= 2 && row.size() > 3) found.push_back(key(Part::tri_sibling, {h, side, row[j - 2], row[j - 1], row[j]}));
      }
      all.insert(all.end(), row.begin() + 1, row.end() - 1);
    }
    std::sort(all.begin(), all.end());
    for (size_t j = 1; j < all.size(); ++j)
      for (size_t i = 0; i < j; ++i) found.push_back(key(Part::any_sibling, {h, all[i], all[j]}));
    if (h > 0) found.push_back(key(Part::valency, {h, static_cast<int32_t>(all.size())}));
    for (size_t k = 2; k < all.size(); ++k)
      for (size_t j = 1; j < k; ++j)
        for (size_t i = 0; i < j; ++i) found.push_back(key(Part::any_tri_sibling, {h, all[i], all[j], all[k]}));
    for (const int32_t outer : all) {
      const int32_t inwards = outer > h ? -1 : 1;
      int32_t length = 1;
      for (int32_t word = outer + inwards; word != h && word > 0 && heads[static_cast<size_t>(word)] == h; word += inwards) {
        if (++length > 8) break;
        if (length >= 4) found.push_back(key(Part::comb, {h, outer, length}));
      }
    }
    for (int32_t m = 1; m <= n && h > 0 && g > 0; ++m) {
      const int32_t a = heads[static_cast<size_t>(g)];
      const bool apart = m != g && m != a && h != a;
      if (heads[static_cast<size_t>(m)] == h && apart) found.push_back(key(Part::great_grandparent, {a, g, h, m}));
    }
  }
  for (int32_t m = 2; m <= n; ++m)
    found.push_back(key(Part::head_bigram, {m, heads[static_cast<size_t>(m)], heads[static_cast<size_t>(m) - 1]}));
  for (int32_t i = 1; i <= n; ++i)
    for (int32_t j = 1; j <= n; ++j)
      if (i != j && descends(heads, i, j)) found.push_back(key(Part::path, {i, j}));
  for (int32_t m = 1; m <= n; ++m) {
    const int32_t h = heads[static_cast<size_t>(m)];
    bool crossed = false;
    for (int32_t k = std::min(h, m) + 1; k < std::max(h, m); ++k) crossed |= !descends(heads, h, k);
    if (h > 0 && crossed) found.push_back(key(Part::nonprojective, {h, m}));
  }
  return found;
}

}  // namespace parts
