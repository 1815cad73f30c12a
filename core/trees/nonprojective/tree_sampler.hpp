// SPDX-License-Identifier: Apache-2.0
// Exact samples of non-projective trees.
//
// Method:     heads are drawn one word after the other, each from its exact distribution given the heads drawn before:
//             P(h -> m) proportional to weight[h, m] escape[h, m], as in escape_table.hpp, in the graph in which a word
//             already decided has its drawn head only. The same halving makes a whole tree cost O(n^3): with one half
//             of the words removed from the graph the other half is sampled by recursion, its columns are replaced by
//             the heads drawn (seen through the removed words), and the halves change roles. Nothing is subtracted, so
//             peaked weights, on which random-walk samplers (Wilson 1996) hardly ever end, cost nothing extra.
//             Sequential sampling through the matrix-tree theorem: Colbourn, Myrvold & Neufeld 1996; Zmigrod et al.
//             2021.
// Single root: the root's child is drawn first, from its marginal; then the tree below it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "core/trees/nonprojective/matrix_tree.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

// Draws multi-root trees over words 1..n; node 0 is the root.
template <class Number>
class SequentialSampler {
 public:
  void prepare(ArcScores scores);

  // One tree into heads; false when Number cannot hold the weights.
  bool draw(RandomStream& random, std::span<int32_t> heads);

 private:
  struct Removed {
    int word;
    int from;  // its redirection shares cover words [from, to) and the root
    int to;
  };
  struct Level {
    std::vector<Number> graph;  // over a range of words, all others removed: size x size weights, then the root's
    std::vector<Number> work;   // the same, one half being removed
  };

  bool draw_range(int first, int size, std::size_t depth);
  bool draw_half(int first, int size, std::size_t depth, bool upper);
  bool remove(std::vector<Number>& work, int first, int size, int from, int to, bool backwards);
  bool draw_head(int word);
  void replace_columns(std::vector<Number>& graph, int first, int size, int from, int to);
  Number* shares_of(int word) { return shares_.data() + static_cast<std::ptrdiff_t>(word) * (words_ + 1); }

  NormalisedWeights<Number> weights_;
  std::vector<Level> levels_;     // by depth of the recursion
  std::vector<Removed> removed_;  // in order of removal
  std::vector<Number> shares_;    // (n+1) x (n+1): row = removed word
  std::vector<Number> vector_;    // n+1 numbers, by node
  std::vector<double> probability_;
  std::span<int32_t> heads_;
  RandomStream* random_ = nullptr;
  int words_ = 0;
  int drawn_ = 0;
  double log_tree_ = 0.0;  // log-probability of a tree, gathered along the removals before the first head is drawn
};

extern template class SequentialSampler<double>;
extern template class SequentialSampler<WideReal>;

class TreeSampler {
 public:
  // count trees, row after row of n+1 heads. Throws std::invalid_argument when there is no tree.
  void sample(ArcScores scores, bool single_root, int count, uint64_t seed, std::span<int32_t> heads);

 private:
  void hang_from(ArcScores scores, int child);
  int draw_child(double uniform, int words) const;

  MatrixTree sums_;
  SequentialSampler<double> narrow_;
  SequentialSampler<WideReal> wide_;
  std::vector<double> marginals_;
  std::vector<double> rooted_;  // the scores once the root's only child is known
};

}  // namespace accord::trees
