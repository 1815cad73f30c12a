// SPDX-License-Identifier: Apache-2.0
// Labels of one sentence's trees: what they add to the scores of arcs, which a tree gets, and how probable these are.
//
//   joint mode     the score of an arc holds its best label's; in sums T log sum exp(score / T), so that with one temperature T for
//                  both there is one distribution over labelled trees
//   separate mode  the tree comes first; each arc then takes its best label, p(label | arc) ~ exp(score / T) over all labels
//   tree labels    (on top of either) labels of the tree found are chosen together, p(labels | tree) ~ exp(score / T) over the
//                  candidates of each word (tree_labeller.hpp); in sums the score of an arc holds its best label's, as in decoding
//   given labels   stand in the answer. Joint mode: the given label's score is in the place of the best one's. Separate mode: the
//                  model is P(tree) * product of P(label | arc), and a given label of a word whose head is searched weighs its arcs.
// One object per thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/scorer.hpp"
#include "core/tasks/parser/settings.hpp"
#include "core/tasks/parser/tree_search.hpp"

namespace accord::tasks {

class TreeLabels {
 public:
  // Settings and scorer must stay.
  TreeLabels(const ParserSettings& settings, TreeScorer& scorer);

  // What is given of the scorer's selected sentence; it must stay until the next call.
  void begin(const GivenWords& given) { given_ = given; }

  // Separate mode: the evidence of given labels, to the scores of the search.
  void add_evidence(TreeSearch& search);
  // Joint mode: each arc's label to its score, and the sum over its labels to `sums` (by slot), unless that is empty.
  void add_labels(TreeSearch& search, std::span<double> sums);

  // The labels of a tree, by word (size n+1, -1 at the root and in models without labels). In joint mode after add_labels(). Words
  // whose given label the model does not know get one that it knows: see hide_foreign().
  void choose(const TreeSearch& search, std::span<const int32_t> heads, std::span<int32_t> labels);
  // The same by the tree labeller, which needs no search.
  void choose_together(std::span<const int32_t> heads, std::span<int32_t> labels);
  // -1 in place of labels that stand in for given ones that the model does not know.
  void hide_foreign(std::span<int32_t> labels) const;

  // Log-probabilities of these labels (size n+1), given the tree. Labels that were given are certain. Penalties, [position][label],
  // are for the tree labeller alone: they are added to what labels score over the temperature.
  const LabelLogs& logs(std::span<const int32_t> heads, std::span<const int32_t> labels, std::span<const double> penalties = {});

 private:
  int best(int head, int dependent);     // label of an arc, given or best; all scores stay in scores_
  double summed(int dependent);          // what the labels in scores_ add to their arc when they are summed out
  double evidence(int dependent) const;  // temperature * log P(given label | arc), of the labels in scores_
  void add_logs_by_arc(std::span<const int32_t> heads, std::span<const int32_t> labels);
  void add_logs_together(std::span<const int32_t> heads, std::span<const int32_t> labels, std::span<const double> penalties);

  const ParserSettings& settings_;
  TreeScorer& scorer_;
  GivenWords given_;
  std::vector<float> scores_;    // of the labels of one arc
  std::vector<uint16_t> best_;   // joint mode: by slot
  std::vector<int32_t> choice_;  // tree labeller: candidate of each word
  std::vector<double> marginals_;
  LabelLogs logs_;
};

}  // namespace accord::tasks
