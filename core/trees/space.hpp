// SPDX-License-Identifier: Apache-2.0
// First-order distributions over dependency trees.
//
// Set:           directed trees over words 1..n and an artificial root 0 in which every word has exactly one head.
//                Two independent switches: projective (no crossing arcs) and single_root (0 has exactly one child).
// Factorisation: score(tree) = sum over its arcs of scores(head, dependent); P(tree) = exp(score - log Z).
// Complexity:    argmax O(n^2) non-projective, O(n^3) projective; sums O(n^3) in both.
//
// Every space answers the same seven questions. An object owns the buffers it works in: use one per thread and reuse it.
// A forbidden arc has score -infinity; a required arc is one whose rivals are forbidden. Scores must not be NaN or
// +infinity: callers check once at the boundary (see find_invalid), the loops here do not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace accord::trees {

inline constexpr double kForbidden = -std::numeric_limits<double>::infinity();

inline std::size_t index(int value) { return static_cast<std::size_t>(value); }

// A view of (n+1) x (n+1) row-major scores: row = head, column = dependent, row 0 = artificial root.
// Column 0 and the diagonal are never read as arcs.
struct ArcScores {
  const double* data;
  int words;

  std::size_t width() const { return static_cast<std::size_t>(words) + 1; }
  const double* row(int head) const { return data + static_cast<std::size_t>(head) * width(); }
  double operator()(int head, int dependent) const { return row(head)[dependent]; }
};

// Whether an arc between two words (the root apart) is forbidden.
bool any_forbidden_between_words(ArcScores scores);

struct ScoredTree {
  double score;
  std::vector<int32_t> heads;  // size n+1, heads[0] = -1
};

class TreeSpace {
 public:
  virtual ~TreeSpace() = default;

  // Best tree into heads (size n+1); returns its score, or -infinity (heads untouched) when no tree exists.
  virtual double argmax(ArcScores scores, std::span<int32_t> heads) = 0;

  // log of the sum of exp(score) over all trees; -infinity when there is none.
  virtual double log_partition(ArcScores scores) = 0;

  // Arc probabilities into out, (n+1)^2, zero on ignored entries and everywhere when no tree exists; returns log Z.
  virtual double marginals(ArcScores scores, std::span<double> out) = 0;

  // How the marginals move when the scores move along a direction, both (n+1)^2: the covariance of the arcs, which is the Hessian
  // of log Z, times the direction. Entries of the direction that are no allowed arcs are ignored. False, with zeros in out,
  // when no tree exists.
  virtual bool tangents(ArcScores scores, std::span<const double> direction, std::span<double> out) = 0;

  // The k best distinct trees, best first; fewer only if fewer exist.
  virtual std::vector<ScoredTree> kbest(ArcScores scores, int k) = 0;

  // Exact independent samples, row after row of n+1 heads. The i-th sample depends on (scores, seed, i) alone.
  // Throws std::invalid_argument when no tree exists.
  virtual void sample(ArcScores scores, int count, uint64_t seed, std::span<int32_t> heads) = 0;

  // Shannon entropy in nats: log Z - sum of marginal * score; -infinity when no tree exists.
  double entropy(ArcScores scores);

 private:
  std::vector<double> entropy_marginals_;
};

std::unique_ptr<TreeSpace> make_tree_space(bool projective, bool single_root);

// Sum of the tree's arc scores, always added in the order of the words so that equal trees have equal scores.
double tree_score(ArcScores scores, std::span<const int32_t> heads);

// Index into scores.data of the first arc whose score is NaN or +infinity, or -1.
std::ptrdiff_t find_invalid(ArcScores scores);

// Best first; trees whose scores tie keep their order.
void sort_best_first(std::vector<ScoredTree>& trees);

}  // namespace accord::trees
