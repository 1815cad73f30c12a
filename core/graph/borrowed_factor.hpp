// SPDX-License-Identifier: Apache-2.0
// A factor of another graph, lent: it answers through its owner, which must live as long.
#pragma once
#include "core/graph/factor.hpp"

namespace accord::graph {

class BorrowedFactor final : public Factor {
 public:
  explicit BorrowedFactor(Factor& owner) : owner_(owner) {}

  std::string_view kind() const override { return owner_.kind(); }
  size_t size() const override { return owner_.size(); }
  bool can(Ability ability) const override { return owner_.can(ability); }
  bool tight() const override { return owner_.tight(); }
  OwnRange own_range() const override { return owner_.own_range(); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    return owner_.maximize(scores, configuration);
  }
  double maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration) override {
    return owner_.maximize_above(level, scores, configuration);
  }
  double score(std::span<const uint8_t> configuration) override { return owner_.score(configuration); }
  double marginals(std::span<const double> scores, std::span<double> out) override { return owner_.marginals(scores, out); }
  std::vector<size_t> choices() const override { return owner_.choices(); }
  double log_marginals(std::span<const double> scores, std::span<double> out) override { return owner_.log_marginals(scores, out); }
  double expected_own(std::span<const double> scores) override { return owner_.expected_own(scores); }
  size_t parts() const override { return owner_.parts(); }
  void part_marginals(std::span<const double> scores, std::span<double> out) override { owner_.part_marginals(scores, out); }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    return owner_.max_marginals(scores, zero, one);
  }
  size_t searches_for_max_marginals() const override { return owner_.searches_for_max_marginals(); }
  void project(std::span<const double> target, double weight, std::span<double> z) override { owner_.project(target, weight, z); }
  void rows(RowSink& sink) override { owner_.rows(sink); }

 private:
  Factor& owner_;
};

}  // namespace accord::graph
