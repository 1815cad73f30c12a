// SPDX-License-Identifier: Apache-2.0
// Any number of variables with a score when all are on.
//
// Set:        all configurations; own(v) = score * v_1 ... v_n. Two variables have pair.hpp.
// Hull:       own(z) = score * y with  max(0, sum z - (n - 1)) <= y <= min z.
// Complexity: O(n) for everything but projection, which is left to the generic active-set method.
#pragma once
#include "core/graph/factor.hpp"

namespace accord::graph {

class Conjunction final : public Factor {
 public:
  // Throws std::invalid_argument unless there are variables and the score is finite.
  Conjunction(size_t size, double score);

  std::string_view kind() const override { return "conjunction"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return {score_ < 0 ? score_ : 0, score_ > 0 ? score_ : 0}; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override { return 1; }
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

 private:
  size_t size_;
  double score_;
};

}  // namespace accord::graph
