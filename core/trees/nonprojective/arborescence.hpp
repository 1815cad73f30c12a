// SPDX-License-Identifier: Apache-2.0
// Maximum spanning arborescence: the best non-projective tree.
//
// Set:        all trees over words 1..n rooted at 0, or those in which 0 has exactly one child.
// Method:     every word takes its best head; if that is a tree, it is the answer. Otherwise paths are grown along best
//             heads and each cycle met is contracted to one node whose incoming arcs are re-weighed by what they would
//             replace (Chu & Liu 1965, Edmonds 1967; dense O(n^2) form after Tarjan 1977 and Camerini et al. 1979;
//             path growing after Gabow et al. 1986). A contraction of c nodes merges c rows of length n and at most
//             2n nodes ever exist, hence O(n^2) time. Memory: one (n+1)^2 array, of which only the rows of contracted
//             words are ever touched.
//
// Single root, exactly. Give arc (h, m) the weight (-[h = 0], score) and compare weights lexicographically. The
// algorithm above uses nothing of its weights but that they form a totally ordered group, so it finds the best tree
// among those with fewest root arcs, without any large constant and its loss of digits. The first component needs no
// arithmetic: a node takes a root arc only when no other (finite) arc enters it, and such a node never lies on a cycle,
// so all contracted arcs have first component zero. In words: contract without the root as long as possible. Every node
// left without an entering arc needs one from the root; two such nodes mean that no single-root tree exists. This
// remains true with forbidden arcs, which are simply absent. The unrestricted optimum is tried first: when it has one
// root arc it is the optimum of the smaller set as well.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/space.hpp"

namespace accord::trees {

class MaximumArborescence {
 public:
  // Best tree into heads; returns its score, or -infinity (heads untouched) when no tree exists.
  double solve(ArcScores scores, bool single_root, std::span<int32_t> heads);

 private:
  // A node is a word (1..n) or a contracted cycle (n+1, ...).
  struct Node {
    int32_t parent;      // the cycle it was contracted into, or 0
    int32_t row;         // its row of entering weights, or -1 while not loaded
    int32_t head;        // chosen entering arc: a word or the root ...
    int32_t dependent;   // ... to a word inside this node
    double weight;       // weight of that arc less what its dependent's inner nodes already paid
    int32_t first_word;  // words inside, linked through next_word_
    int32_t last_word;
    uint8_t state;  // unvisited, on the current path, connected to the root
  };

  bool take_best_heads(ArcScores scores, int first_head);
  bool contract_cycles(ArcScores scores, bool root_last);
  bool grow_path(ArcScores scores, int start, bool root_last, int& sources);
  bool choose_entering_arc(ArcScores scores, int node, bool root_last, int& sources);
  void load_row(ArcScores scores, int word, bool root_last);
  int contract(ArcScores scores, int last_on_cycle, bool root_last);
  int best_dependent(ArcScores scores, int node, int head) const;
  int top(int node);
  void expand(std::span<int32_t> heads);

  std::vector<Node> nodes_;
  std::vector<int32_t> top_;  // union-find over nodes
  std::vector<int32_t> next_word_;
  std::vector<double> paid_;  // by word: sum of the chosen weights of the contracted nodes that contain it
  std::vector<int32_t> path_;
  std::vector<int32_t> cycle_;
  std::vector<double> rows_;  // row r, entry h: best weight of an arc from h into the node owning row r
  std::vector<double> best_score_;
  std::vector<double> best_head_;  // as doubles: same width as the scores, so the search for both vectorises
  std::vector<int32_t> greedy_;
  std::vector<uint8_t> settled_;
  std::size_t width_ = 0;
};

}  // namespace accord::trees
