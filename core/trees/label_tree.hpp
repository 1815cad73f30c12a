// SPDX-License-Identifier: Apache-2.0
// Labels of a given tree: every word chooses one of its candidate labels.
//
// Set:        one candidate label per word.
// Score:      sum over words of own[m][l_m] + parent[m][l_h][l_m] (h the head of m, unless it is the root)
//             + sibling[m][l_s][l_m] (s the nearest sibling of m to its left, if any).
// Complexity: O(sum over words of K(h) K(s) K(m)), K = candidates of a word: a chain over siblings for each label of the head.
// Method:     one walk from the leaves to the root for maxima and for sums (core/hypergraph/semirings.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::trees {

class LabelTree {
 public:
  // heads: size n+1, a tree; counts: candidates per word, size n+1, entry 0 ignored, all others at least 1.
  void build(std::span<const int32_t> heads, std::span<const int32_t> counts);

  int words() const { return static_cast<int>(heads_.size()) - 1; }
  int head(int word) const { return heads_[static_cast<size_t>(word)]; }
  int left_sibling(int word) const { return left_sibling_[static_cast<size_t>(word)]; }  // 0: none
  std::span<const int32_t> children(int node) const {
    const auto h = static_cast<size_t>(node);
    return std::span(children_).subspan(static_cast<size_t>(starts_[h]), static_cast<size_t>(starts_[h + 1] - starts_[h]));
  }
  int count(int word) const { return counts_[static_cast<size_t>(word)]; }

  // Scores, zero after build(): by candidate; by candidate of the head, then own; by candidate of the sibling, then own.
  std::span<double> own(int word) { return slice(own_, own_starts_, word); }
  std::span<double> parent(int word) { return slice(parent_, parent_starts_, word); }
  std::span<double> sibling(int word) { return slice(sibling_, sibling_starts_, word); }

  // The best choice: a candidate's number for each word (size n+1, entry 0 untouched); returns its score.
  double maximize(std::span<int32_t> choice);
  // Score of a choice.
  double score(std::span<const int32_t> choice) const;
  // P(candidate) by word, in the layout of own(); returns the log of the sum over all choices.
  double marginals(std::vector<double>& out);
  size_t candidates() const { return own_.size(); }
  size_t first_candidate(int word) const { return own_starts_[static_cast<size_t>(word)]; }

 private:
  template <class Semiring>
  double inwards();
  int best_label(int word, int head_label, int right, int right_label) const;
  static std::span<double> slice(std::vector<double>& values, const std::vector<size_t>& starts, int word) {
    const auto m = static_cast<size_t>(word);
    return std::span(values).subspan(starts[m], starts[m + 1] - starts[m]);
  }
  int labels_of(int node) const { return node == 0 ? 1 : counts_[static_cast<size_t>(node)]; }
  double parent_score(int word, int head_label, int label) const {
    if (head(word) == 0) return 0;
    return parent_[parent_starts_[static_cast<size_t>(word)] + static_cast<size_t>(head_label * count(word) + label)];
  }
  double sibling_score(int word, int sibling_label, int label) const {
    return sibling_[sibling_starts_[static_cast<size_t>(word)] + static_cast<size_t>(sibling_label * count(word) + label)];
  }
  // Chain value of a word: [label of the head][own label], its subtree and all siblings to the left included.
  size_t chain_at(int word, int head_label, int label) const {
    return chain_starts_[static_cast<size_t>(word)] + static_cast<size_t>(head_label * count(word) + label);
  }

  std::vector<int32_t> heads_, counts_, left_sibling_, starts_, children_, order_;  // order_: children before heads
  std::vector<size_t> own_starts_, parent_starts_, sibling_starts_, chain_starts_;
  std::vector<double> own_, parent_, sibling_;
  std::vector<double> inside_, chain_, outside_, chain_outside_;
};

}  // namespace accord::trees
