// SPDX-License-Identifier: Apache-2.0
// Compressions scored by the statuses of words and heads and by neighbours among the kept words: Bigram of Martins & Smith (2009).
//
// Without crossing arcs one chart (status_chart.hpp) has the answer. With crossing arcs, words are lifted until none crosses, and each
// status of the heads that lifted words had is tried: given these, the score of a lifted word does not depend on where it hangs. This is
// exact, and takes 2^k charts for k such heads.
#pragma once
#include <utility>
#include <vector>

#include "core/compressions/statuses/status_chart.hpp"

namespace accord::compressions {

// Beyond so many heads of lifted words the programme is refused.
inline constexpr int most_crossing_heads = 10;

// The heads of words that must be lifted until no arc crosses another.
std::vector<int32_t> crossing_heads(std::span<const int32_t> heads);

class StatusBigramProgramme final : public Programme {
 public:
  // Throws std::invalid_argument when the heads are no forest, or too many of them have crossing arcs.
  StatusBigramProgramme(StatusScores scores, std::span<const double> bigrams);

  int words() const override { return scores_.words(); }
  double best(const Terms& terms, Compression& out) override;
  bool lengths_are_cheap() const override { return false; }
  std::span<const double> best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) override;
  void trace_cost(int cost, Compression& out) override;

 private:
  bool fill(unsigned choice);
  void find(std::span<const int> costs, int high);

  StatusScores scores_;
  std::vector<double> bigrams_;
  std::vector<int32_t> lifted_;   // words
  std::vector<int32_t> crossed_;  // their heads, each once
  StatusChart chart_;
  // of the question at hand
  std::vector<double> additions_;
  std::vector<Fate> fates_, tried_;
  std::vector<int> costs_;
  int high_ = 0;
  std::vector<double> by_cost_;
  std::vector<unsigned> choices_;  // by cost: the statuses of crossed heads
};

}  // namespace accord::compressions
