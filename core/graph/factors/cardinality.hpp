// SPDX-License-Identifier: Apache-2.0
// A score for the number of variables that are on: at least, at most, exactly k, or the valency of a head.
//
// Set:     configurations whose count is allowed; own(v) = count_scores[sum v], -infinity where not allowed.
// Hull:    when the allowed counts are contiguous and their scores concave (always so for plain intervals), own(z) is
//          the linear interpolation of the scores at sum z, and the rows are tight. Otherwise they are not: the mean of
//          the empty and the full set, say, is nearer to the middle of the cube than any row on sum z can tell.
// maximize and max_marginals sort: O(n log n). marginals: O(n K), K = largest allowed count (count_lattice.hpp).
// project, for concave scores: z = clip(a - t) where the price t of one more variable meets the slope of the scores; a
//          binary search over counts finds the slope, a threshold (simplex.hpp) the sum: O(n log n). Other scores leave it
//          to the generic active-set method.
// rows:    sum z in an interval when all allowed counts score the same; else one indicator per count, as Martins, Smith &
//          Xing (2009), "Concise Integer Linear Programming Formulations for Dependency Parsing", do for valency.
#pragma once
#include <vector>

#include "core/graph/count_lattice.hpp"
#include "core/graph/factor.hpp"
#include "core/graph/score_table.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

class Cardinality final : public Factor {
 public:
  // One score for each count 0..n, finite or -infinity, n >= 1; throws std::invalid_argument otherwise.
  explicit Cardinality(std::vector<double> count_scores);

  std::string_view kind() const override { return "cardinality"; }
  size_t size() const override { return count_scores_.size() - 1; }
  bool can(Ability ability) const override { return ability != Ability::project || concave_; }
  bool tight() const override { return concave_; }
  OwnRange own_range() const override { return range_of(count_scores_); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  size_t parts() const override { return count_scores_.size(); }
  void part_marginals(std::span<const double> scores, std::span<double> out) override;
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void project(std::span<const double> target, double weight, std::span<double> z) override;
  void rows(RowSink& sink) override;

 private:
  double slope(size_t count) const { return count_scores_[count + 1] - count_scores_[count]; }
  // Fills order_ by falling score (equal ones in their own order) and prefix_ with the sums of the best 0, 1, 2, ...
  void sort_by_score(std::span<const double> scores);

  std::vector<double> count_scores_;
  std::vector<double> ones_;  // costs of the projection, steps of the lattice
  std::vector<int32_t> steps_;
  size_t low_ = 1, high_ = 0;  // smallest and largest allowed count; low_ > high_ when none is
  bool concave_ = false;       // and contiguous
  bool interval_ = false;      // contiguous, all scores equal
  std::vector<uint32_t> order_;
  std::vector<double> prefix_, suffix_;
  std::vector<Breakpoint> breakpoints_;
  CountLattice lattice_;
};

}  // namespace accord::graph
