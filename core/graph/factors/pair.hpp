// SPDX-License-Identifier: Apache-2.0
// Two variables with a score when both are on.
//
// Set:     all four configurations; own(v) = score * v_1 v_2.
// Hull:    own(z) = score * z_12 with  max(0, z_1 + z_2 - 1) <= z_12 <= min(z_1, z_2).
// project: in closed form, after Martins et al. (2011), "Dual Decomposition with Many Overlapping Components". With
//          c = weight * score: when c >= 0 the two variables share the reward c, the one behind taking as much of it as
//          brings them level; when c < 0 both step back together until they exclude each other, at most by |c|.
// Graphs hold millions of these: an object is two words, no method allocates, and project has no branch.
#pragma once
#include "core/graph/factor.hpp"

namespace accord::graph {

class Pair final : public Factor {
 public:
  explicit Pair(double score) { set_score(score); }

  // Throws std::invalid_argument unless finite.
  void set_score(double score);

  std::string_view kind() const override { return "pair"; }
  size_t size() const override { return 2; }
  bool can(Ability) const override { return true; }
  OwnRange own_range() const override { return {score_ < 0 ? score_ : 0, score_ > 0 ? score_ : 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override { return 1; }
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  double score_ = 0;
};

}  // namespace accord::graph
