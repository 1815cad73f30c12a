// SPDX-License-Identifier: Apache-2.0
#include "core/parses/nonlocal/part_backbone.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/parses/parts/part_conjunctions.hpp"

namespace accord::parses {

PartBackbone::PartBackbone(const PartLayout& layout, std::span<const double> scores, bool single_root, bool grandparents)
    : layout_(layout),
      parts_(scores.begin(), scores.end()),
      scores_(scores.begin(), scores.end()) {
  std::fill_n(parts_.begin(), layout.arcs(), 0.0);
  chart_.prepare(layout, {PartModel::full, single_root, true, !grandparents});
}

void PartBackbone::take_arcs(trees::ArcScores scores) {
  for (int arc = 0; arc < layout_.arcs(); ++arc) scores_[static_cast<size_t>(arc)] = scores(layout_.head(arc), layout_.dependent(arc));
}

double PartBackbone::argmax(trees::ArcScores scores, std::span<int32_t> heads) {
  take_arcs(scores);
  return chart_.argmax(scores_, heads);
}

std::vector<trees::ScoredTree> PartBackbone::kbest(trees::ArcScores scores, int k) {
  take_arcs(scores);
  return chart_.kbest(scores_, k);
}

double PartBackbone::own(std::span<const int32_t> heads) const { return chart_.score(parts_, heads); }

std::vector<NonlocalFactor> nonlocal_factors(const PartLayout& layout, std::span<const double> scores, bool grandparents) {
  if (layout.families().valency)
    throw std::invalid_argument("solver 'nonlocal' scores sets of arcs, and valencies are none: choose another solver");
  if (layout.families().path)
    throw std::invalid_argument("solver 'nonlocal' scores sets of arcs, and paths are none: choose another solver");
  std::vector<NonlocalFactor> factors;
  const auto add = [&](size_t slot, std::span<const int> arcs) {
    if (scores[slot] == 0) return;
    NonlocalFactor& factor = factors.emplace_back();
    factor.score = scores[slot];
    for (const int arc : arcs) factor.arcs.push_back({layout.head(arc), layout.dependent(arc)});
  };
  for_each_conjunction(layout, [&](Part, size_t slot, std::span<const int> arcs) { add(slot, arcs); });
  if (grandparents && layout.families().grandparent)
    for_each_grandparent(layout, [&](size_t slot, int lower, int upper) { add(slot, std::array{lower, upper}); });
  return factors;
}

}  // namespace accord::parses
