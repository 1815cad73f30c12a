// SPDX-License-Identifier: Apache-2.0
// Every head's best modifiers by themselves, whether or not they make a tree.
//
// Set:    for each head a subset of its candidate modifiers on both sides, and one of its own candidate heads, which need not agree
//         with what that head has chosen. A word may end up with no head or with several.
// Score:  the arcs to the modifiers, and the sibling, grandparent, grand-sibling and tri-sibling parts of each side.
// Time:   O(G N^2) a side of N candidates whose head has G, O(G N^3) with tri-siblings.
// Paper:  Koo et al. (2010), section 5: the set that their perceptron is trained over. It contains all trees, so its best answer
//         scores no less than theirs.
// One object per thread; buffers are reused.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// Whether all these parts belong to one head: head bigrams, pairs and counts of modifiers on both sides do not.
inline bool has_head_search(const PartFamilies& families) {
  PartFamilies own = families;
  own.sibling = own.grandparent = own.grand_sibling = own.tri_sibling = false;
  return !own.any();
}

class HeadSearch {
 public:
  // The slots of the best answer, arcs among them, in no particular order; returns its score. Scores by slot; -infinity forbids an
  // arc.
  double maximize(const PartLayout& layout, std::span<const double> scores, std::vector<size_t>& slots);

 private:
  static constexpr size_t none = PartLayout::none;

  // What position `next` after `last` is worth on a side whose head depends on its candidate head `grandparent` (or none).
  double step(size_t last, size_t next) const;
  double trio(size_t inner, size_t last, size_t next) const;
  double search(int side, size_t grandparent);  // fills path_
  void add_slots(int side, size_t grandparent, std::vector<size_t>& slots) const;

  const PartLayout* layout_ = nullptr;
  std::span<const double> scores_;
  size_t side_ = 0, end_ = 0, row_ = 0, grandparent_ = none;
  std::span<const int32_t> modifiers_;
  std::vector<double> best_;
  std::vector<size_t> back_, path_;  // path: positions from START to END
  std::vector<size_t> kept_;         // slots of the best choice of a grandparent
};

}  // namespace accord::parses
