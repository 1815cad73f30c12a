#include "core/tasks/part_backbone.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::tasks {

PartBackbone::PartBackbone(const trees::PartLayout& layout, std::span<const double> scores, bool single_root)
    : layout_(layout), parts_(scores.begin(), scores.end()), scores_(scores.begin(), scores.end()) {
  std::fill_n(parts_.begin(), layout.arcs(), 0.0);
  chart_.prepare(layout, {trees::PartModel::full, single_root, true});
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

std::vector<graph::NonlocalFactor> pair_factors(const trees::PartLayout& layout, std::span<const double> scores) {
  if (layout.families().valency) throw std::invalid_argument("valencies are no pairs of arcs: choose another solver");
  if (layout.families().path) throw std::invalid_argument("paths are no pairs of arcs: choose another solver");
  std::vector<graph::NonlocalFactor> factors;
  const auto add = [&](int one, int other, size_t slot) {
    if (scores[slot] == 0) return;
    factors.push_back({{{layout.head(one), layout.dependent(one)}, {layout.head(other), layout.dependent(other)}}, scores[slot]});
  };
  if (layout.families().any_sibling)
    for (int h = 0; h <= layout.words(); ++h)
      for (int j = 1; j < layout.modifier_count(h); ++j)
        for (int i = 0; i < j; ++i)
          add(layout.modifier(h, i), layout.modifier(h, j), layout.any_siblings(h) + trees::PartLayout::pair(i, j));
  if (layout.families().head_bigram)
    for (int m = 2; m <= layout.words(); ++m)
      for (int i = 0; i < layout.entering(m); ++i)
        for (int j = 0; j < layout.entering(m - 1); ++j)
          add(layout.first_entering(m) + i, layout.first_entering(m - 1) + j,
              layout.head_bigrams(m) + static_cast<size_t>(i * layout.entering(m - 1) + j));
  return factors;
}

}  // namespace accord::tasks
