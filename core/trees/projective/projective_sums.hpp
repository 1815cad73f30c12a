// SPDX-License-Identifier: Apache-2.0
// Log-partition, arc marginals and exact samples of projective trees in O(n^3), from the chart of projective_chart.hpp.
//
// The chart is filled with plain numbers, not logarithms: a multiplication and an addition per step. Each column of
// scores is first shifted so that its best arc weighs e^-k. No item sums more than (27/4)^n trees, so with
// k = max(0, log(27/4) - 300/n) every value, inside or outside, is at most about e^300 and overflow cannot happen.
// Underflow removes less than e^-708 from an item and therefore less than e^-408 from Z: doubles are trusted when
// Z > e^-360. Otherwise (scores hundreds apart that no projective tree can satisfy) the same code runs on WideReal.
// Marginals come from reverse-mode differentiation of the chart, P(arc) = weight * dZ/dweight / Z: sums and products of
// non-negative numbers again. On Tangent numbers the same code gives the derivatives of the marginals.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/number.hpp"
#include "core/trees/projective/projective_chart.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

class ProjectiveSums {
 public:
  double log_partition(ArcScores scores, bool single_root);
  double marginals(ArcScores scores, bool single_root, std::span<double> out);
  // As TreeSpace defines it.
  bool tangents(ArcScores scores, std::span<const double> direction, bool single_root, std::span<double> out);

  // count trees, row after row of n+1 heads. Throws std::invalid_argument when there is no tree.
  void sample(ArcScores scores, bool single_root, int count, uint64_t seed, std::span<int32_t> heads);

 private:
  template <class Number>
  struct Workspace {
    std::vector<Number> weights;
    ProjectiveChart<SumProduct<Number>> chart;
    // Derivatives of Z with respect to the items of the same name.
    std::vector<Number> split, open_right, open_left, right, left;
    std::vector<Number> root;  // with respect to the root's weights, single root only
  };

  template <class Number>
  double inside(Workspace<Number>& space, ArcScores scores, bool single_root, std::span<const double> direction = {});
  template <class Number>
  void outside(Workspace<Number>& space);
  template <class Number>
  void outside_row(Workspace<Number>& space, int i);
  template <class Number>
  void write_marginals(Workspace<Number>& space, std::span<double> out);
  template <class Number>
  void draw(const Workspace<Number>& space, uint64_t seed, uint64_t number, std::span<int32_t> heads);
  bool in_doubles(ArcScores scores, bool single_root, double& log_partition);

  Workspace<double> narrow_;
  Workspace<WideReal> wide_;
  Workspace<Tangent<double>> narrow_tangent_;
  Workspace<Tangent<WideReal>> wide_tangent_;
  std::vector<double> shift_;
};

}  // namespace accord::trees
