// SPDX-License-Identifier: Apache-2.0
// Sums over trees under part scores: probabilities of all parts and log Z.
//
//   chart               projective trees whose parts a chart can score (core/parses/charts/part_chart.hpp): exact
//   belief propagation  all others (core/parses/graphs/part_beliefs.hpp): an estimate, always finite; if scores are so extreme that
//   messages
//                       lose themselves, what the factors say without messages stands in
//   weighted trees      those with parts that depend on paths (core/parses/decoders/weighted_trees.hpp): exact where candidates leave few
//   trees,
//                       else an estimate, from trees drawn by the weights that belief propagation over all other parts gives arcs
// One object per thread; buffers are reused.
#pragma once
#include <span>

#include "core/parses/charts/part_chart.hpp"
#include "core/parses/decoders/weighted_trees.hpp"
#include "core/parses/graphs/part_beliefs.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// Whether a chart scores all parts of these families.
inline bool has_chart(const PartFamilies& families, bool projective) { return projective && !families.beyond_charts(); }

class PartSums {
 public:
  PartSums(bool projective, bool single_root, WeightedTreeSettings settings = {})
      : projective_(projective),
        single_root_(single_root),
        trees_(projective, single_root, settings) {}

  // Probability of every slot into `posteriors` (size of the layout); returns log Z. Scores by slot, finite. The candidates
  // must contain a tree.
  double run(const PartLayout& layout, std::span<const double> scores, std::span<double> posteriors);

  // The same by belief propagation whatever the parts are, but for those that depend on paths, which have no slots then.
  double run_beliefs(const PartLayout& layout, std::span<const double> scores, PartBeliefSettings settings, std::span<double> posteriors);
  int sweeps() const { return beliefs_.sweeps(); }  // of belief propagation, of the last run

  // Of the last run: whether it was exact, belief propagation settled, or drawn trees counted by the model's own scores.
  bool settled() const { return settled_; }

 private:
  bool projective_, single_root_, settled_ = false;
  PartChart chart_;
  PartRoles roles_;
  PartBeliefs beliefs_;
  WeightedTrees trees_;
};

}  // namespace accord::parses
