// SPDX-License-Identifier: Apache-2.0
// A chart of higher order as the backbone of branch and bound with non-local factors.
//
// Own score: of the parts of a layout that charts have, with or without its grandparents. Arcs come with each call.
// Factors:   what no chart scores and is a set of arcs (core/parses/parts/part_conjunctions.hpp), and grandparents that the chart leaves
// out. Paper:     Qian & Liu (2013): a second-order chart, and factors over it.
#pragma once
#include <span>
#include <vector>

#include "core/parses/charts/part_chart.hpp"
#include "core/parses/nonlocal/nonlocal_backbone.hpp"
#include "core/parses/nonlocal/nonlocal_problem.hpp"

namespace accord::parses {

class PartBackbone final : public Backbone {
 public:
  // The layout must outlive the backbone. Projective trees only. grandparents: whether the chart scores them.
  PartBackbone(const PartLayout& layout, std::span<const double> scores, bool single_root, bool grandparents = true);

  double argmax(trees::ArcScores scores, std::span<int32_t> heads) override;
  std::vector<trees::ScoredTree> kbest(trees::ArcScores scores, int k) override;
  double own(std::span<const int32_t> heads) const override;

 private:
  void take_arcs(trees::ArcScores scores);

  const PartLayout& layout_;
  mutable PartChart chart_;
  std::vector<double> parts_;  // arcs zero
  std::vector<double> scores_;
};

// Throws std::invalid_argument for parts that are no sets of arcs (valencies, paths). grandparents: whether they are among the factors.
std::vector<NonlocalFactor> nonlocal_factors(const PartLayout& layout, std::span<const double> scores, bool grandparents = false);

}  // namespace accord::parses
