// SPDX-License-Identifier: Apache-2.0
// Exact samples of non-projective trees over candidate arcs, by walks.
//
// Method: from each word a walk goes up, from head to head by their weights, until it meets the tree, and joins it without its
//         loops. With a single root, the root's child is drawn first, from its marginal, and the walks end there.
// Cost:   the steps of the walks. Few for most weights; nearly without end where words want each other for heads. How many they are
//         says nothing of the tree, so that giving up after some of them leaves the samples what they are. (tree_sampler.hpp takes
//         n^3 steps a tree, whatever the weights.)
// Paper:  Wilson (1996), "Generating Random Spanning Trees More Quickly than the Cover Time".
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/random.hpp"

namespace accord::parses {

class LoopErasedWalks {
 public:
  // Logarithms of weights by arc, and with a single root the arcs' marginals under them.
  void prepare(const PartLayout& layout, std::span<const double> weights, bool single_root, std::span<const double> marginals);

  // One tree into heads (size n + 1). False when that takes more than `steps`; they are counted off.
  bool draw(RandomStream& random, int64_t& steps, std::span<int32_t> heads);

 private:
  int choose(std::span<const double> sums, RandomStream& random) const;  // by sums of shares up to each

  const PartLayout* layout_ = nullptr;
  bool single_root_ = false;
  std::vector<double> sums_;   // by arc: of the weights of its word's arcs up to it
  std::vector<double> roots_;  // by word: of the probabilities of words up to it to be the root's child
  std::vector<uint8_t> joined_;
};

}  // namespace accord::parses
