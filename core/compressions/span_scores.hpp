// SPDX-License-Identifier: Apache-2.0
// What the charts of joint compression read: scores of arcs with those of their dependents, and of neighbours, under the terms of one
// question. Every kept word has one head, so that the score of a word and its addition move into the arc that leads to it.
#pragma once
#include <span>
#include <vector>

#include "core/compressions/programme.hpp"

namespace accord::compressions {

class SpanScores {
 public:
  // word_scores: n + 1; arcs and bigrams: (n+1) x (n+1), row = head, row = the earlier word (path_programme.hpp says what stands in the
  // row and column of word 0); bigrams may be empty.
  SpanScores(std::span<const double> word_scores, std::span<const double> arcs, std::span<const double> bigrams, double empty);

  void set(const Terms& terms);

  int words() const { return words_; }
  double empty() const { return empty_; }
  // Whether the fates allow that no word is kept.
  bool may_be_empty() const { return reach_[0] == words_; }
  double arc(int head, int dependent) const { return down_[cell(head, dependent)]; }
  const double* arcs_from(int head) const { return down_.data() + cell(head, 0); }
  const double* arcs_to(int dependent) const { return up_.data() + cell(dependent, 0); }
  // The score of word i, or the boundary, being followed by word r + 1, or by the boundary where r = n; and the largest r up to which
  // the words after i may all be deleted.
  double next(int i, int r) const { return next_[cell(i, r)]; }
  int reach(int i) const { return reach_[static_cast<size_t>(i)]; }
  // The score of a compression without additions.
  double score(const Compression& compression) const;

 private:
  size_t cell(int row, int column) const { return static_cast<size_t>(row) * width_ + static_cast<size_t>(column); }

  int words_;
  size_t width_;
  double empty_;
  std::vector<double> plain_;      // arcs with the scores of their dependents
  std::vector<double> down_, up_;  // the same with additions, by head and by dependent
  std::vector<double> next_;
  std::vector<int> reach_;
};

}  // namespace accord::compressions
