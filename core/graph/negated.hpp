// SPDX-License-Identifier: Apache-2.0
// Negated variables, free of charge for every factor: the inner factor sees 1 - v where the mask is set.
//
// maximize: s v = s - s (1 - v), so the inner score is -s and the sum of negated scores is a constant. Marginals swap
// probabilities, max-marginals swap roles, projection reflects the target, rows substitute 1 - column. Scores of negated
// variables must be finite (evidence, not -infinity, forbids a value).
#pragma once
#include <memory>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class Negated final : public Factor {
 public:
  Negated(std::unique_ptr<Factor> inner, std::vector<uint8_t> mask);

  std::string_view kind() const override { return inner_->kind(); }
  size_t size() const override { return inner_->size(); }
  bool can(Ability ability) const override { return inner_->can(ability); }
  bool tight() const override { return inner_->tight(); }
  OwnRange own_range() const override { return inner_->own_range(); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override {
    reflect(scores);
    return inner_->expected_own(reflected_);
  }
  size_t parts() const override { return inner_->parts(); }
  void part_marginals(std::span<const double> scores, std::span<double> out) override {
    reflect(scores);
    inner_->part_marginals(reflected_, out);
  }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  size_t searches_for_max_marginals() const override { return inner_->searches_for_max_marginals(); }
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

  Factor& inner() { return *inner_; }
  std::span<const uint8_t> mask() const { return mask_; }

 private:
  double reflect(std::span<const double> scores);  // fills reflected_; returns the constant

  std::unique_ptr<Factor> inner_;
  std::vector<uint8_t> mask_;
  std::vector<double> reflected_;
  std::vector<uint8_t> flipped_;
};

// A factor without its negations, which may be several one around the other, and which of its variables are negated.
struct Bare {
  Factor* factor;
  std::vector<uint8_t> mask;

  explicit Bare(Factor& whole);
};

// The factor itself when nothing is negated.
std::unique_ptr<Factor> negate(std::unique_ptr<Factor> inner, std::span<const uint8_t> mask);

}  // namespace accord::graph
