// SPDX-License-Identifier: Apache-2.0
// The pruner: which heads of each word are worth a closer look.
//
// Model:      each word chooses its head on its own, P(h | m) ~ exp(w . f(h, m)), trained by log loss (head selection).
// Stages:     few features for all heads; then, for models that have it, the features of arcs and of their surroundings, too, for the
//             likely ones. Heads that the second stage does not see keep their distance from the best, or a greater one, so that none
//             gets before one seen.
// Candidates: the `heads` most probable heads of a word with P(h | m) >= threshold * max P(. | m), and the arcs of the best tree
//             under these scores, so that there always is a tree. Where heads are given, words keep these alone and the best tree
//             is the best that has them, so that there always is a tree with them.
// Complexity: O(n^2) features of the first stage, O(n) of the second, O(n^2) search for the best tree (O(n^3) projective).
// Long ones:  with `streaming`, sentences of more than dense_words words keep the best heads of one word after the other, O(n) numbers,
//             and the tree is the best of the arcs kept; so that there always is one, the word before is kept, too, and the root.
//             Projective trees within a budget that a chart does not fit: the best trees of segments, each under the one before.
// Paper:      Koo & Collins (2010), section 6; Martins, Almeida & Smith (2013), section 4, with a cheaper model; stages: Charniak et
//             al. (2006), Weiss & Taskar (2010); surroundings: Nivre & McDonald (2008), Martins et al. (2008), of stacking.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/tasks/pruner/heads_in_training.hpp"
#include "core/tasks/pruner/settings.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/tasks/scores/deadline.hpp"
#include "core/trees/nonprojective/sparse_arborescence.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

// Working space of one thread.
class Pruner {
 public:
  static constexpr int neighbourhood = 50;  // words to either side

  static constexpr double chart_seconds = 3e-9;  // of a projective search, about, times the cube of the words

  Pruner(const ParserTemplates& templates, PrunerSettings settings, bool projective, bool single_root, bool streaming = false);

  void prepare(const text::AtomTable& atoms);
  int words() const { return words_; }

  // In place of prepare() and score(): scores that another model gave, (n+1)^2 by [head][dependent]; column 0 and the diagonal
  // are not read. There are no features then, hence no gradient.
  void take(int words, std::span<const double> scores);

  // After score(): the scores of another model, as in take(), with this share, and the own ones with the rest. Sentences that were
  // read word by word keep their own scores alone.
  void blend(std::span<const float> scores, double share);

  // Once half of the time is over, the words that are left look for heads among the root and their neighbours only, unless heads
  // are given (size n+1, or none at all), which may lie anywhere.
  template <typename Table>
  void score(const Table& table, const Deadline& deadline = Deadline(std::numeric_limits<double>::infinity()),
             std::span<const int32_t> given = {}) {
    tree_found_ = false;
    streamed_ = streams(deadline, given);
    if (streamed_) return stream(table, deadline);
    scores_.assign(static_cast<size_t>(words_ + 1) * static_cast<size_t>(words_ + 1), trees::kForbidden);
    for (int m = 1; m <= words_; ++m) {
      const int reach = given.empty() && deadline.below(0.5) ? neighbourhood : words_;
      for (int h = 0; h <= words_; ++h) {
        const bool looked_at = h != m && (h == 0 || std::abs(h - m) <= reach);
        scores_[at(h, m)] = looked_at ? arc_sum(table, keys(h, m)) : trees::kForbidden;
      }
    }
  }

  // After score(): each word's best head, whether or not they make a tree. Size n+1.
  const std::vector<int32_t>& best_heads();

  // After score(): the second stage, weigh(heads, dependent, scores) being the scores of a word's arcs there. Once most of the time is
  // over, the words that are left stay as they are.
  template <typename Weigh>
  void look_closer(const Deadline& deadline, Weigh&& weigh) {
    tree_found_ = tree_found_ && streamed_;
    for (int m = 1; m <= words_ && !deadline.below(0.4); ++m) {
      likely_heads(m, settings_.first_stage());
      near_heads_.assign(order_.begin(), order_.end());
      weighed_.resize(near_heads_.size());
      weigh(std::span<const int32_t>(near_heads_), m, std::span<double>(weighed_));
      take_weighed(m);
    }
  }

  // After score(): of an arc, by the stages that looked at it.
  double arc_score(int head, int dependent) { return score_of(head, dependent); }

  // After score(): what a second stage learns from, where these heads are gold (size n+1; negative: unknown). A first stage is sure of
  // what it was trained on; a second one must know what it will see elsewhere, and so the best heads count, sure as the first is.
  void list_near(std::span<const int32_t> gold, HeadsInTraining& near);

  std::span<const uint64_t> keys(int head, int dependent) {
    const int positions[] = {head, dependent};
    return features_.keys(positions);
  }

  // Whether the last sentence was read word by word. Then nothing is to be required or restricted.
  bool streamed() const { return streamed_; }

  // After score(): words with a given head (size n+1, or none at all; negative: not given) have no other candidate. There must be
  // a tree with all of them.
  void require(std::span<const int32_t> given);

  // After score(): no other arcs than these, (n+1)^2 by [head][dependent]. False when they contain no tree.
  bool restrict(std::span<const uint8_t> allowed);

  // After score(): the best tree. Size n+1.
  const std::vector<int32_t>& best_tree();

  // After score(): the arcs of the best tree that has as many of these as can be, sorted by dependent.
  std::vector<parses::CandidateArc> tree_with(std::span<const parses::CandidateArc> wanted);

  // After score(): sorted by dependent, then head; by other settings than the pruner's own, where they are given.
  const std::vector<parses::CandidateArc>& candidates() { return candidates(settings_); }
  const std::vector<parses::CandidateArc>& candidates(const PrunerSettings& settings);

 private:
  void find_tree();
  double& score_of(int head, int dependent);  // of all arcs, or of those kept from a stream
  // Into order_: the heads of a word that have scores; the likely ones of them.
  void list_heads(int dependent);
  void likely_heads(int dependent, const PrunerSettings& settings);
  // weighed_ in place of their scores; other heads stay behind.
  void take_weighed(int dependent);
  bool streams(const Deadline& deadline, std::span<const int32_t> given) const;
  void begin_stream();
  void keep(int dependent, int first, int last);  // of row_
  void end_segment(int first, int last);

  template <typename Table>
  void stream(const Table& table, const Deadline& deadline) {
    begin_stream();
    for (int m = 1; m <= words_; ++m) {
      const int reach = deadline.below(0.5) ? neighbourhood : words_;
      const int first = std::max(1, m - reach), last = std::min(words_, m + reach);
      row_[0] = arc_sum(table, keys(0, m));
      for (int h = first; h <= last; ++h) row_[static_cast<size_t>(h)] = h == m ? trees::kForbidden : arc_sum(table, keys(h, m));
      keep(m, first, last);
    }
  }

  size_t at(int head, int dependent) const {
    return static_cast<size_t>(head) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(dependent);
  }
  const ParserTemplates& templates_;
  PrunerSettings settings_;
  std::unique_ptr<trees::TreeSpace> space_;
  int words_ = 0;
  text::PartFeatures features_;
  std::vector<double> scores_;  // (n+1)^2
  bool projective_, single_root_, streaming_, streamed_ = false;
  // Of streams: the row of one word, arcs kept by word, the scores inside a segment and the root word of the last one.
  std::vector<double> row_, kept_scores_, segment_;
  std::vector<int32_t> kept_starts_, kept_heads_, segment_heads_;
  int segment_root_ = 0;
  trees::SparseArborescence sparse_;
  std::vector<parses::CandidateArc> arcs_;
  std::vector<int32_t> heads_;  // of the best tree under the scores, once it was found
  bool tree_found_ = false;
  double tree_score_ = trees::kForbidden;
  std::vector<int> order_;
  // Of the second stage: the heads of one word that it sees, and their scores there.
  std::vector<int32_t> near_heads_, best_heads_;
  std::vector<double> weighed_;
};

}  // namespace accord::tasks
