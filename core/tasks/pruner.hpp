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
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/learn/rules.hpp"
#include "core/tasks/arc_scorer.hpp"
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
  Pruner(const ParserTemplates& templates, PrunerSettings settings, bool projective, bool single_root);

  void prepare(const text::AtomTable& atoms);

  template <typename Table>
  void score(const Table& table) {
    for (int m = 1; m <= words_; ++m)
      for (int h = 0; h <= words_; ++h) scores_[at(h, m)] = h == m ? trees::kForbidden : arc_sum(table, keys(h, m));
  }

  // After score(): words with a given head (size n+1, or none at all; negative: not given) have no other candidate. There must be
  // a tree with all of them.
  void require(std::span<const int32_t> given);

  // After score(): the best tree. Size n+1.
  const std::vector<int32_t>& best_tree();

  // After score(): sorted by dependent, then head.
  const std::vector<trees::CandidateArc>& candidates();

  // After score(): gradient of the log-likelihood of these heads (size n+1; negative ones are unknown and skipped); returns
  // the log loss.
  double add_gradient(learn::ParameterTable& table, std::span<const int32_t> heads);

 private:
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
  std::vector<int32_t> heads_;
  std::vector<int> order_;
};

}  // namespace accord::tasks
