// Sums over trees under part scores: probabilities of all parts and log Z.
//
//   chart               projective trees whose parts a chart can score (core/trees/part_chart.hpp): exact
//   belief propagation  all others (core/graph/part_beliefs.hpp): an estimate, always finite; if scores are so extreme that messages
//                       lose themselves, what the factors say without messages stands in
// One object per thread; buffers are reused.
#pragma once
#include <span>

#include "core/graph/part_beliefs.hpp"
#include "core/trees/part_chart.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::tasks {

// Whether a chart scores all parts of these families.
inline bool has_chart(const trees::PartFamilies& families, bool projective) {
  return projective && !families.head_bigram && !families.any_sibling && !families.valency && !families.path;
}

class PartSums {
 public:
  PartSums(bool projective, bool single_root) : projective_(projective), single_root_(single_root) {}

  // Probability of every slot into `posteriors` (size of the layout); returns log Z. Scores by slot, finite. The candidates
  // must contain a tree.
  double run(const trees::PartLayout& layout, std::span<const double> scores, std::span<double> posteriors);

  // Of the last run: whether it was exact or belief propagation settled.
  bool settled() const { return charted_ || beliefs_.settled(); }

 private:
  bool projective_, single_root_, charted_ = false;
  trees::PartChart chart_;
  graph::PartRoles roles_;
  graph::PartBeliefs beliefs_;
};

}  // namespace accord::tasks
