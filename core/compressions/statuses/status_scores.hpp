// SPDX-License-Identifier: Apache-2.0
// What programmes of statuses read: a word is kept (1) or deleted (0), and its status is scored together with that of its head in a given
// tree. The root of the tree counts as kept. A word may stay although its head goes (Martins & Smith 2009).
#pragma once
#include <span>
#include <vector>

#include "core/compressions/programme.hpp"

namespace accord::compressions {

class StatusScores {
 public:
  // word_scores: n + 1; statuses: 4 (n + 1), entry 4 m + 2 a + b for word m with status a and a head with status b; heads: n + 1, a forest
  // under 0; empty is added where no word is kept, -infinity where that is not allowed.
  StatusScores(std::span<const double> word_scores, std::span<const double> statuses, std::span<const int32_t> heads, double empty);

  void set(const Terms& terms);

  int words() const { return static_cast<int>(heads_.size()) - 1; }
  std::span<const int32_t> heads() const { return heads_; }
  double empty() const { return empty_; }
  // The score of a word with status a whose head has status b, under the terms.
  double gain(int word, int a, int b) const { return gains_[static_cast<size_t>(4 * word + 2 * a + b)]; }
  // From now on, and until the next terms, the word is scored as if its head had this status.
  void settle_head(int word, int status);
  // The score of a compression without additions.
  double score(const Compression& compression) const;

 private:
  std::vector<int32_t> heads_;
  double empty_;
  std::vector<double> plain_;  // statuses with the scores of kept words
  std::vector<double> gains_;  // the same with additions
};

}  // namespace accord::compressions
