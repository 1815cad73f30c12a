// SPDX-License-Identifier: Apache-2.0
// The space of all trees: arborescence.hpp, ranked_arborescences.hpp, matrix_tree.hpp, matrix_tree_tangent.hpp and
// tree_sampler.hpp behind the interface of space.hpp.
#pragma once
#include "core/trees/nonprojective/arborescence.hpp"
#include "core/trees/nonprojective/matrix_tree.hpp"
#include "core/trees/nonprojective/matrix_tree_tangent.hpp"
#include "core/trees/nonprojective/ranked_arborescences.hpp"
#include "core/trees/nonprojective/tree_sampler.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

class NonProjectiveSpace final : public TreeSpace {
 public:
  explicit NonProjectiveSpace(bool single_root) : single_root_(single_root) {}

  double argmax(ArcScores scores, std::span<int32_t> heads) override { return arborescence_.solve(scores, single_root_, heads); }
  double log_partition(ArcScores scores) override { return sums_.log_partition(scores, single_root_); }
  double marginals(ArcScores scores, std::span<double> out) override { return sums_.marginals(scores, single_root_, out); }
  bool tangents(ArcScores scores, std::span<const double> direction, std::span<double> out) override {
    return tangent_.solve(scores, direction, single_root_, out);
  }
  std::vector<ScoredTree> kbest(ArcScores scores, int k) override { return ranked_.solve(scores, single_root_, k); }
  void sample(ArcScores scores, int count, uint64_t seed, std::span<int32_t> heads) override {
    sampler_.sample(scores, single_root_, count, seed, heads);
  }

 private:
  bool single_root_;
  MaximumArborescence arborescence_;
  RankedArborescences ranked_;
  MatrixTree sums_;
  MatrixTreeTangent tangent_;
  TreeSampler sampler_;
};

}  // namespace accord::trees
