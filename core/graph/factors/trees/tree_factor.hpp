// SPDX-License-Identifier: Apache-2.0
// The arcs of a sentence form a tree.
//
// Set:        incidence vectors of trees over words 1..n rooted at 0 that use given arcs only; optionally projective,
//             optionally with one child of the root. Variables: the arcs in the order given.
// Score:      none of its own: arc scores come from the variables.
// Complexity: maximize O(n^2), projective O(n^3), over the arcs alone where sentences are long (core/trees); marginals O(n^3);
//             max-marginals one maximisation per arc.
// Rows:       tree_rows.hpp. Tight for non-projective trees with multi-commodity flow, single root included: every tree has at
//             least one arc leaving the root, so asking for one only is a face of the hull.
#pragma once
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/factors/trees/tree_rows.hpp"
#include "core/trees/nonprojective/candidate_arcs.hpp"
#include "core/trees/nonprojective/sparse_arborescence.hpp"
#include "core/trees/space.hpp"

namespace accord::graph {

class TreeFactor final : public Factor {
 public:
  // arcs: (head, dependent); those missing are forbidden. `flow` is what rows() writes; projective trees need none.
  TreeFactor(int words, std::vector<std::pair<int, int>> arcs, bool projective, bool single_root, Flow flow = Flow::multi_commodity);

  std::string_view kind() const override { return "tree"; }
  size_t size() const override { return cells_.size(); }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return {0, 0}; }
  bool tight() const override { return !projective_ && flow_ == Flow::multi_commodity; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  size_t searches_for_max_marginals() const override { return size(); }
  void rows(RowSink& sink) override;

 private:
  trees::ArcScores spread(std::span<const double> scores);  // into dense_
  double find_tree(std::span<const double> scores);         // into heads_
  double find_long_tree(std::span<const double> scores);
  double best_without(size_t arc);
  double best_with(std::span<const double> scores, size_t arc);

  trees::CandidateArcs arcs_;
  bool projective_, single_root_;
  Flow flow_;
  std::unique_ptr<trees::TreeSpace> space_;
  std::vector<size_t> cells_;                        // arc -> where its score stands in dense_
  std::vector<double> dense_;                        // (n+1)^2; -infinity wherever no arc writes; made when first needed
  std::vector<double> sums_;                         // (n+1)^2, for marginals
  std::vector<int32_t> heads_;                       // n+1
  trees::SparseArborescence sparse_;                 // of long sentences
  std::vector<int32_t> starts_, order_, arc_heads_;  // arcs by dependent
  std::vector<double> ordered_;
};

}  // namespace accord::graph
