// SPDX-License-Identifier: Apache-2.0
// Gold answers of partial trees, where what is unknown is hidden: the best agreeing tree under the current weights stands for
// gold in rules of maxima (latent structure), the sum over all agreeing trees in rules of sums (marginal likelihood).
#include <algorithm>

#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/scores/softmax.hpp"
#include "core/trees/partial.hpp"

namespace accord::tasks {

void ArcStructure::infer_gold(bool sums) {
  augmented_ = arcs_;
  trees::require_heads(instance_->heads, augmented_);
  double label_score = 0;  // separate mode: of the classifier on known arcs
  for (size_t m = 1; m < size_; ++m) {
    const int32_t known = instance_->labels[m];
    if (mode_ == LabelMode::separate && instance_->labelled(m))
      label_score += labels_of(static_cast<size_t>(instance_->heads[m]), m)[static_cast<size_t>(known)];
    for (size_t h = 0; mode_ == LabelMode::joint && h < size_; ++h) {
      if (h == m || !instance_->allows(h, m)) continue;
      const std::span<const float> labels = labels_of(h, m);
      augmented_[at(h, m)] += known >= 0 ? labels[static_cast<size_t>(known)]
                              : sums     ? log_sum_exp(labels)
                                         : *std::max_element(labels.begin(), labels.end());
    }
  }
  const trees::ArcScores scores{augmented_.data(), static_cast<int>(size_) - 1};
  if (sums) {
    gold_marginals_.resize(size_ * size_);
    gold_score_ = space_->marginals(scores, gold_marginals_) + label_score;
  } else {
    gold_score_ = space_->argmax(scores, gold_heads_) + label_score;
  }
}

}  // namespace accord::tasks
