// SPDX-License-Identifier: Apache-2.0
// Exact parsing with non-local factors by branch and bound.
//
// Set, score:  nonlocal_problem.hpp. The answer is the best tree (or the k best) with a certificate, or, when the budget ends
//              first, the best trees met and a bound on every other one.
// Method:      each subspace is bounded by descent (nonlocal_bound.hpp); every tree met on the way is a candidate answer. A
//              subspace is closed when no tree in it, except those already met, can be better than the k-th best one met: its k
//              best trees under the linear bound are met, and every other tree scores at most what the last of them has there
//              (proposition 2). Otherwise it is split on the arc where the bound is loosest.
// Complexity:  exponential at worst; each call of the backbone is O(n^3) at first order (O(n^2) non-projective).
// (Qian & Liu 2013, "Branch and Bound Algorithm for Dependency Parsing with Non-local Features".)
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/graph/solution.hpp"
#include "core/parses/nonlocal/nonlocal_bound.hpp"

namespace accord::parses {

enum class Search {
  best_first,     // the subspace with the highest bound, split on its own arc
  breadth_first,  // Qian & Liu: all open subspaces level by level, split on one arc, chosen where the best tree was met
};

struct NonlocalOptions {
  Search search = Search::best_first;
  DescentOptions root = {.iterations = 60};  // of the whole space: worth more steps, all others inherit its weights
  DescentOptions below = {.iterations = 8};  // of every other subspace
  bool warm_start = true;                    // subspaces start from the weights of the one they were cut from
  bool lower_start = true;                   // first look for a good tree by maximising the lower bound
  double score_unit = 0;                     // > 0: every tree's score is a multiple of it, and bounds are rounded down to one
  int64_t max_nodes = std::numeric_limits<int64_t>::max();      // subspaces bounded
  int64_t max_calls = std::numeric_limits<int64_t>::max();      // of the backbone
  double time_limit = std::numeric_limits<double>::infinity();  // seconds
};

struct NonlocalResult {
  graph::Status status = graph::Status::budget;            // optimal, budget or infeasible
  std::vector<trees::ScoredTree> trees;                    // best first, at most k
  double bound = std::numeric_limits<double>::infinity();  // on every tree; at k > 1, on every tree that is not in the list
  int64_t calls = 0;                                       // of the backbone
  int64_t nodes = 0;                                       // subspaces bounded
  double seconds = 0;
};

class NonlocalParser {
 public:
  // Throws as NonlocalProblem does. The backbone must search the same set of trees.
  NonlocalParser(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root,
                 std::unique_ptr<Backbone> backbone);
  NonlocalParser(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root);

  const NonlocalProblem& problem() const { return problem_; }
  double score(std::span<const int32_t> heads) const { return problem_.score(heads) + backbone_->own(heads); }

  // The k best trees. Not for two threads at once: the backbone has buffers.
  NonlocalResult solve(int k, const NonlocalOptions& options);

 private:
  NonlocalProblem problem_;
  std::unique_ptr<Backbone> backbone_;
};

}  // namespace accord::parses
