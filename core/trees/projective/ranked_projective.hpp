// SPDX-License-Identifier: Apache-2.0
// The k best projective trees.
//
// Set:        as in projective_chart.hpp, single- or multi-root. Derivations and trees correspond one to one, so the
//             k best derivations are the k best distinct trees.
// Method:     lazy k-best (Huang & Chiang 2005, algorithm 3) over a filled max chart. An item keeps the derivations
//             found so far and a heap of candidates; asking for its next derivation advances one candidate and asks
//             that candidate's two sub-items for one more each. Only items that matter to the k best trees are opened.
// Complexity: O(n^3) for the chart, then O(n) to open an item and O(log n) a further derivation.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/trees/projective/projective_chart.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

class RankedProjective {
 public:
  // The chart must have been filled with the scores.
  std::vector<ScoredTree> solve(const ProjectiveChart<MaxPlus>& chart, ArcScores scores, int k);

 private:
  enum class Kind : uint32_t { kSplit, kRight, kLeft, kGoal };
  struct Item {
    Kind kind;
    int i;
    int j;
  };
  // Alternative `choice` of an item, with the left_rank-th and right_rank-th best derivation of its two sub-items.
  struct Derivation {
    double score;
    int choice;
    int left_rank;
    int right_rank;
  };
  struct State {
    std::vector<Derivation> best;
    std::vector<Derivation> candidates;  // a heap
  };
  struct Step {  // an alternative: two sub-items and the score of the arc it adds
    Item left;
    Item right;
    double arc;
  };

  Step step(Item item, int choice) const;
  State& open(Item item);
  bool reach(Item item, int rank);
  void propose(State& state, Item item, Derivation derivation);
  double score(Item item, int rank);
  void collect(Item item, int rank, std::vector<int32_t>& heads);
  static bool is_empty(Item item) { return item.i == item.j && item.kind != Kind::kGoal; }

  const ProjectiveChart<MaxPlus>* chart_ = nullptr;
  std::unordered_map<uint64_t, State> states_;
};

}  // namespace accord::trees
