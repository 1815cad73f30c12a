// SPDX-License-Identifier: Apache-2.0
// The best derivations of the items of a higher-order chart, one after the other.
//
// Set:        derivations of part_items.hpp, which correspond one to one to projective trees.
// Method:     lazy k-best (Huang & Chiang 2005, algorithm 3) over items whose best values are known. An item keeps the
//             derivations found so far and a heap of candidates; asking for its next derivation advances one candidate
//             and asks that candidate's two sub-items for one more each. Only items that matter are opened.
// Complexity: the edges of an item to open it, O(log edges) a further derivation.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/parses/charts/part_items.hpp"

namespace accord::parses {

// The rank-th best derivation of an item, 0 the best.
struct RankedItem {
  size_t item = PartItems::nothing;
  int rank = 0;
};

class RankedParts {
 public:
  // best: the value of each item's best derivation.
  RankedParts(const PartItems& items, std::span<const double> best, std::span<const double> scores)
      : items_(items),
        best_(best),
        scores_(scores) {}

  // Finds an item's derivations up to rank; false when it has no more than rank of them.
  bool reach(size_t item, int rank);
  // What a derivation that exists is made of.
  std::array<RankedItem, 2> children(RankedItem derivation);

 private:
  struct Derivation {
    double score;
    size_t left, right;
    double weight;
    int left_rank, right_rank;
  };
  struct State {
    std::vector<Derivation> best;
    std::vector<Derivation> candidates;  // a heap
  };

  State& open(size_t item);
  void propose(State& state, Derivation derivation);
  double score(size_t item, int rank);

  const PartItems& items_;
  std::span<const double> best_, scores_;
  std::unordered_map<size_t, State> states_;
};

}  // namespace accord::parses
