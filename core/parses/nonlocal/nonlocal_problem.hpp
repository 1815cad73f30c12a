// SPDX-License-Identifier: Apache-2.0
// Trees whose score has non-local factors: the problem, and its subspaces.
//
// Set:           trees over words 1..n and a root 0, projective or not, one child of the root or more.
// Factorisation: score(tree) = own(tree) of a backbone + sum of arc scores + sum over factors c of score(c) [c within tree], a
//                factor being any set of arcs.
// Normal form:   factors that no tree contains are dropped, equal sets are added up, one arc is an arc score, none a constant.
// Subspace:      the trees that contain some arcs and avoid others. What follows from a decision is decided with it: rivals of a
//                required arc (same dependent, reversed, second root, crossing) are out, and a word's last possible head is in.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/space.hpp"

namespace accord::parses {

struct Arc {
  int32_t head = 0;
  int32_t dependent = 0;
  friend bool operator==(const Arc&, const Arc&) = default;
  friend auto operator<=>(const Arc&, const Arc&) = default;
};

inline bool contains(std::span<const int32_t> heads, Arc arc) { return heads[static_cast<size_t>(arc.dependent)] == arc.head; }

struct NonlocalFactor {
  std::vector<Arc> arcs;
  double score = 0;
};

class NonlocalProblem {
 public:
  // Throws std::invalid_argument for arcs that do not exist and scores that are not finite (an arc's may be -infinity).
  NonlocalProblem(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root);

  int words() const { return words_; }
  size_t width() const { return static_cast<size_t>(words_) + 1; }
  size_t index(Arc arc) const { return static_cast<size_t>(arc.head) * width() + static_cast<size_t>(arc.dependent); }
  bool projective() const { return projective_; }
  bool single_root() const { return single_root_; }

  std::span<const double> arc_scores() const { return arc_scores_; }
  double constant() const { return constant_; }
  size_t factors() const { return scores_.size(); }
  double factor_score(size_t factor) const { return scores_[factor]; }
  size_t first_arc(size_t factor) const { return starts_[factor]; }  // arcs are numbered factor after factor
  std::span<const Arc> arcs_of(size_t factor) const {
    return std::span(arcs_).subspan(starts_[factor], starts_[factor + 1] - starts_[factor]);
  }
  size_t factor_arcs() const { return arcs_.size(); }

  // Score of a tree without the backbone's own part.
  double score(std::span<const int32_t> heads) const;

  // Whether no tree has both arcs, as far as the two alone can tell.
  bool exclude(Arc one, Arc other) const;

 private:
  void add_factors(std::span<const NonlocalFactor> factors);
  bool possible(std::span<const Arc> arcs) const;

  int words_;
  bool projective_, single_root_;
  std::vector<double> arc_scores_;
  double constant_ = 0;
  std::vector<double> scores_;
  std::vector<size_t> starts_ = {0};
  std::vector<Arc> arcs_;
};

class Subspace {
 public:
  enum class State : uint8_t { free, in, out };

  // All trees over the arcs that are not forbidden.
  explicit Subspace(const NonlocalProblem& problem);

  State state(Arc arc) const { return states_[problem_->index(arc)]; }
  std::span<const State> states() const { return states_; }
  // False when a word has lost all its heads; the subspace is empty then and of no further use. True promises nothing: only
  // a parser knows whether a tree is left.
  bool require(Arc arc);
  bool forbid(Arc arc);
  bool possible() const { return possible_; }

 private:
  void decide(Arc arc, State state);
  bool propagate();
  void require_last_head(int32_t dependent);

  const NonlocalProblem* problem_;
  bool possible_ = true;
  std::vector<State> states_;
  std::vector<int32_t> heads_left_;  // per word
  std::vector<Arc> pending_;         // decided, consequences not yet drawn
};

}  // namespace accord::parses
