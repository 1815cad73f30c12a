// SPDX-License-Identifier: Apache-2.0
// Compressions that are paths: a decision about some words is a step, and its score depends on the step alone.
//
// Set:        paths from the first vertex to the last. A step keeps one word or none and deletes a run of words.
// Score:      the sum of the steps.
// Two models are of this kind:
//     bigrams    a vertex is a kept word or the boundary of the sentence, a step goes to the next kept word and earns the score of the
//                two being neighbours (McDonald 2006, with any score of the pair and of what is deleted between). O(n^2) steps.
//     subtrees   the words of a given tree, each before its dependents: keeping a word leads to its first dependent, deleting it leads
//                past everything below it. So a path deletes whole subtrees, each in one step. O(n) steps.
// Complexity: one addition a step; for all totals of costs at once, one a step and total.
// Sums, ranked compressions and samples come from the same steps as a lattice (path_lattice.hpp).
#pragma once
#include <span>
#include <vector>

#include "core/compressions/programme.hpp"

namespace accord::compressions {

// Bigram scores: (n+1) x (n+1), row = the earlier word. Word 0 is the boundary: row 0 is for first words, column 0 for last ones, and
// entry (0, 0) for the compression without words. Empty: all zero. -infinity forbids.
class PathProgramme final : public Programme {
 public:
  struct Step {
    int from, to;              // vertices
    int word;                  // that is kept, or 0
    int dropped, dropped_end;  // what is deleted: places in order()
    int bigram;                // its entry in the table of bigrams, or -1
    double score;
  };

  // `empty` is the score of keeping nothing; -infinity where that is not allowed. Throws std::invalid_argument beyond 5,792 words.
  static PathProgramme bigrams(std::span<const double> word_scores, std::span<const double> bigrams, double empty);
  // heads: n + 1 entries, those of words in 0..n, a forest under 0. tied[m]: word m is deleted only together with its head; a tied word
  // whose head is 0 always stays. Throws std::invalid_argument when the heads are no forest.
  static PathProgramme subtrees(std::span<const double> word_scores, std::span<const int32_t> heads, std::span<const uint8_t> tied,
                                double empty);

  int words() const override { return words_; }
  double best(const Terms& terms, Compression& out) override;
  bool lengths_are_cheap() const override { return true; }
  std::span<const double> best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) override;
  void trace_cost(int cost, Compression& out) override;

  int vertices() const { return vertices_; }
  std::span<const Step> steps() const { return steps_; }  // by the vertex they lead to
  // The score of each step under these terms; -infinity where the fates forbid it.
  std::span<const double> step_scores(const Terms& terms);
  void keep_words(std::span<const int> steps, Compression& out) const;
  // The given tree over the kept words, for subtrees.
  bool has_tree() const { return !heads_.empty(); }

 private:
  PathProgramme(int words, int vertices);
  void sort_steps();
  void write(const Step& step, Compression& out) const;
  void start(Compression& out) const;

  int words_, vertices_;
  std::vector<Step> steps_;
  std::vector<size_t> first_;   // by vertex: its steps
  std::vector<int32_t> order_;  // the word at each place
  std::vector<int32_t> heads_;  // of the given tree
  std::vector<int> bound_;      // how many words that must stay are at earlier places
  std::vector<double> scores_;  // by step
  std::vector<double> values_;  // by vertex, or by vertex and cost
  std::vector<int> costs_;
  int levels_ = 1;
};

}  // namespace accord::compressions
