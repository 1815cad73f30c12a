// SPDX-License-Identifier: Apache-2.0
// The space of projective trees behind the interface of space.hpp: one chart (projective_chart.hpp), with maxima for
// the best trees and with sums for probabilities, read as a hypergraph (projective_items.hpp).
#pragma once
#include "core/trees/projective/projective_chart.hpp"
#include "core/trees/projective/projective_sums.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

class ProjectiveSpace final : public TreeSpace {
 public:
  explicit ProjectiveSpace(bool single_root) : single_root_(single_root) {}

  double argmax(ArcScores scores, std::span<int32_t> heads) override;
  double log_partition(ArcScores scores) override { return sums_.log_partition(scores, single_root_); }
  double marginals(ArcScores scores, std::span<double> out) override { return sums_.marginals(scores, single_root_, out); }
  bool tangents(ArcScores scores, std::span<const double> direction, std::span<double> out) override {
    return sums_.tangents(scores, direction, single_root_, out);
  }
  std::vector<ScoredTree> kbest(ArcScores scores, int k) override;
  void sample(ArcScores scores, int count, uint64_t seed, std::span<int32_t> heads) override {
    sums_.sample(scores, single_root_, count, seed, heads);
  }

 private:
  bool single_root_;
  ProjectiveChart<MaxPlus> best_;
  std::vector<std::size_t> agenda_;
  ProjectiveSums sums_;
};

}  // namespace accord::trees
