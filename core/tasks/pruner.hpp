// The pruner: which heads of each word are worth a closer look.
//
// Model:      each word chooses its head on its own, P(h | m) ~ exp(w . f(h, m)), trained by log loss (head selection).
// Candidates: the `heads` most probable heads of a word with P(h | m) >= threshold * max P(. | m), and the arcs of the best tree
//             under these scores, so that there always is a tree. Where heads are given, words keep these alone and the best tree
//             is the best that has them, so that there always is a tree with them.
// Complexity: O(n^2) features, O(n^2) search for the best tree (O(n^3) projective).
// Paper:      Koo & Collins (2010), section 6; Martins, Almeida & Smith (2013), section 4, with a cheaper model.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/learn/rules.hpp"
#include "core/tasks/arc_scorer.hpp"
#include "core/tasks/deadline.hpp"
#include "core/trees/part_layout.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

struct PrunerSettings {
  int heads = 10;
  double threshold = 1e-3;
};

// Working space of one thread.
class Pruner {
 public:
  static constexpr int neighbourhood = 50;  // words to either side

  Pruner(const ParserTemplates& templates, PrunerSettings settings, bool projective, bool single_root);

  void prepare(const text::AtomTable& atoms);
  int words() const { return words_; }

  // In place of prepare() and score(): scores that another model gave, (n+1)^2 by [head][dependent]; column 0 and the diagonal
  // are not read. There are no features then, hence no gradient.
  void take(int words, std::span<const double> scores);

  // Once half of the time is over, the words that are left look for heads among the root and their neighbours only, unless heads
  // are given (size n+1, or none at all), which may lie anywhere.
  template <typename Table>
  void score(const Table& table, const Deadline& deadline = Deadline(std::numeric_limits<double>::infinity()),
             std::span<const int32_t> given = {}) {
    tree_found_ = false;
    for (int m = 1; m <= words_; ++m) {
      const int reach = given.empty() && deadline.below(0.5) ? neighbourhood : words_;
      for (int h = 0; h <= words_; ++h) {
        const bool looked_at = h != m && (h == 0 || std::abs(h - m) <= reach);
        scores_[at(h, m)] = looked_at ? arc_sum(table, keys(h, m)) : trees::kForbidden;
      }
    }
  }

  // After score(): words with a given head (size n+1, or none at all; negative: not given) have no other candidate. There must be
  // a tree with all of them.
  void require(std::span<const int32_t> given);

  // After score(): no other arcs than these, (n+1)^2 by [head][dependent]. False when they contain no tree.
  bool restrict(std::span<const uint8_t> allowed);

  // After score(): the best tree. Size n+1.
  const std::vector<int32_t>& best_tree();

  // After score(): the arcs of the best tree that has as many of these as can be, sorted by dependent.
  std::vector<trees::CandidateArc> tree_with(std::span<const trees::CandidateArc> wanted);

  // After score(): sorted by dependent, then head; by other settings than the pruner's own, where they are given.
  const std::vector<trees::CandidateArc>& candidates() { return candidates(settings_); }
  const std::vector<trees::CandidateArc>& candidates(const PrunerSettings& settings);

  // After score(): gradient of the log-likelihood of these heads (size n+1; negative ones are unknown and skipped); returns
  // the log loss.
  double add_gradient(learn::ParameterTable& table, std::span<const int32_t> heads);

 private:
  void find_tree();
  size_t at(int head, int dependent) const {
    return static_cast<size_t>(head) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(dependent);
  }
  std::span<const uint64_t> keys(int head, int dependent) {
    const int positions[] = {head, dependent};
    return features_.keys(positions);
  }

  const ParserTemplates& templates_;
  PrunerSettings settings_;
  std::unique_ptr<trees::TreeSpace> space_;
  int words_ = 0;
  text::PartFeatures features_;
  std::vector<double> scores_;  // (n+1)^2
  std::vector<trees::CandidateArc> arcs_;
  std::vector<int32_t> heads_;  // of the best tree under the scores, once it was found
  bool tree_found_ = false;
  double tree_score_ = trees::kForbidden;
  std::vector<int> order_;
};

}  // namespace accord::tasks
