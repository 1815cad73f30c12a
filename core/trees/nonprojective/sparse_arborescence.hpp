// SPDX-License-Identifier: Apache-2.0
// Maximum spanning arborescence over few arcs: the best non-projective tree of a long sentence whose words have few candidate heads.
//
// Set:        trees over words 1..n rooted at 0 that use given arcs only, or those in which 0 has exactly one child.
// Method:     as in arborescence.hpp, but the arcs that enter a node wait in a heap; contracting a cycle melds the heaps of its
//             nodes, and lowers all arcs of one of them at once by the weight that they would replace.
// Complexity: O(E log n) time and O(E) memory for E arcs.
// Single root: weights are pairs (-[h = 0], score), compared lexicographically; arborescence.hpp says why that is exact.
// Papers:     Tarjan (1977); Gabow, Galil, Spencer & Tarjan (1986); leftist heaps after Crane (1972).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::trees {

// Longer sentences have their trees found over candidate arcs alone; at this length a dense matrix takes 2 MB.
inline constexpr int dense_words = 500;

class SparseArborescence {
 public:
  // Arcs starts[m] .. starts[m + 1] - 1 enter word m (starts has n + 2 entries, none enter 0) from arc_heads; a score of -infinity
  // forbids. Best tree into heads (size n+1); returns its score, or -infinity (heads untouched) when no tree exists.
  double solve(int words, std::span<const int32_t> starts, std::span<const int32_t> arc_heads, std::span<const double> scores,
               bool single_root, std::span<int32_t> heads);

 private:
  struct Weight {
    double root, score;

    bool operator<(const Weight& other) const { return root != other.root ? root < other.root : score < other.score; }
    Weight& operator-=(const Weight& other) {
      root -= other.root;
      score -= other.score;
      return *this;
    }
  };
  struct Entry {  // an arc in a heap; its weight lacks what its ancestors are to be lowered by
    Weight weight, lowered;
    int32_t left, right, rank;
  };
  struct Node {  // a word or a contracted cycle
    int32_t parent, heap, arc;
    uint8_t state;
  };

  bool run(int words, std::span<const int32_t> starts, std::span<const int32_t> arc_heads, std::span<const double> scores, bool root_last);
  int32_t meld(int32_t a, int32_t b);
  void lower(int32_t heap, const Weight& by);
  void push_down(int32_t entry);
  int32_t top(int32_t node);
  int32_t contract(int32_t last_on_cycle);
  void expand(int words);

  std::vector<Entry> entries_;        // by arc
  std::vector<Node> nodes_;           // words 0..n, then cycles
  std::vector<int32_t> dependents_;   // by arc
  std::vector<int32_t> tops_, path_;  // tops_: union-find over nodes
};

}  // namespace accord::trees
