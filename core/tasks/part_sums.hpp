// Sums over trees under part scores: probabilities of all parts and log Z.
//
// Belief propagation (core/graph/part_beliefs.hpp): exact where it says so, an estimate elsewhere, and always finite. If scores are
// so extreme that its messages lose themselves, what the factors say without messages stands in.
// One object per thread; buffers are reused.
#pragma once
#include <span>

#include "core/graph/part_beliefs.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::tasks {

class PartSums {
 public:
  PartSums(bool projective, bool single_root) : projective_(projective), single_root_(single_root) {}

  // Probability of every slot into `posteriors` (size of the layout); returns log Z. Scores by slot, finite. The candidates
  // must contain a tree.
  double run(const trees::PartLayout& layout, std::span<const double> scores, std::span<double> posteriors);

  bool settled() const { return beliefs_.settled(); }

 private:
  bool projective_, single_root_;
  graph::PartRoles roles_;
  graph::PartBeliefs beliefs_;
};

}  // namespace accord::tasks
