// SPDX-License-Identifier: Apache-2.0
// Best closed sets of a forest at all prices: every item requires at most one other.
//
// The price up to which an item stays in the best set is the weighted isotonic regression of weight / cost along the forest: limits fall
// from the roots to the leaves. Items are pooled from the leaves upwards (Pardalos & Xue 1999): a block takes in the densest block below
// it as long as that one is denser than itself. Blocks below a block wait in a leftist heap, so that n items take O(n log n).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::graph {

class ForestLimits {
 public:
  // parents[i] < i is the item that i requires, or -1. Costs are not negative. limits[i]: as in parametric_closure.
  void find(std::span<const int32_t> parents, std::span<const double> weights, std::span<const double> costs, std::span<double> limits);

 private:
  int32_t merge(int32_t a, int32_t b);

  std::vector<double> weight_, cost_, density_;             // of the block that an item leads
  std::vector<int32_t> heap_, left_, right_, rank_, into_;  // waiting blocks; their heaps; the block that took an item in
};

}  // namespace accord::graph
