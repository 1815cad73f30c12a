// SPDX-License-Identifier: Apache-2.0
// The k best derivations of a joint chart: its answers and the ways that lead to them are a hypergraph.
#include <algorithm>

#include "core/constituents/joint/joint_chart.hpp"
#include "core/hypergraph/hypergraph.hpp"

namespace accord::constituents {

std::vector<Derivation> JointChart::kbest(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings, int k) {
  if (k < 1) return {};
  if (lattice.length() == 0) return {{0.0, true, {}}};
  fill(lattice, scorer, settings, true);
  Derivation best = answer(lattice);
  if (k == 1 || !best.whole) return {std::move(best)};
  std::vector<Derivation> ranked = ranking(k);
  // Sums in another order may turn ties around; the best is the one that `best` gives.
  const auto same = std::find_if(ranked.begin(), ranked.end(), [&](const Derivation& one) { return one.spans == best.spans; });
  if (same != ranked.end()) ranked.erase(same);
  ranked.insert(ranked.begin(), std::move(best));
  if (ranked.size() > static_cast<std::size_t>(k)) ranked.resize(static_cast<std::size_t>(k));
  return ranked;
}

std::vector<Derivation> JointChart::ranking(int k) const {
  // Items: bottom and top states by cell, in the order in which cells were filled; then the goal.
  std::vector<int32_t> bottom_items(static_cast<std::size_t>(bottom_count_)), top_items(top_cells_.size());
  int32_t items = 0;
  for (const uint32_t number : filled_) {
    const Cell& cell = cells_[number];
    for (std::size_t b = 0; b < cell.bottoms.size(); ++b) bottom_items[static_cast<std::size_t>(cell.first_bottom) + b] = items++;
    for (std::size_t t = 0; t < cell.tops.size(); ++t) top_items[static_cast<std::size_t>(cell.first_top) + t] = items++;
  }
  std::vector<int32_t> heads, tails;
  std::vector<int64_t> starts = {0};
  std::vector<double> weights;
  const auto add = [&](int32_t head, double weight) {
    heads.push_back(head);
    weights.push_back(weight);
    starts.push_back(static_cast<int64_t>(tails.size()));
  };
  for (const Way& way : ways_) {
    if (way.right >= 0) {
      tails.push_back(top_items[static_cast<std::size_t>(way.left)]);
      tails.push_back(top_items[static_cast<std::size_t>(way.right)]);
    }
    add(bottom_items[static_cast<std::size_t>(way.head)], way.weight);
  }
  for (const Way& way : top_ways_) {
    tails.push_back(bottom_items[static_cast<std::size_t>(way.left)]);
    add(top_items[static_cast<std::size_t>(way.head)], way.weight);
  }
  const Cell& whole = at(0, length_);
  for (std::size_t t = 0; t < whole.tops.size(); ++t) {
    if (!grammar_.root(whole.tops[t].state)) continue;
    tails.push_back(top_items[static_cast<std::size_t>(whole.first_top) + t]);
    add(items, 0.0);
  }
  const hypergraph::Hypergraph graph(items + 1, items, heads, starts, tails, weights);
  std::vector<Derivation> ranked;
  for (const hypergraph::ScoredDerivation& one : graph.kbest(k)) {
    // From the goal down: edges stand with tails before heads, the left tail's before the right one's; backwards, a span comes before
    // its right child, which comes before the left one.
    Derivation derivation{one.score, true, {}};
    const Way* top_way = nullptr;
    for (std::size_t e = one.edges.size(); e-- > 0;) {
      const auto edge = static_cast<std::size_t>(one.edges[e]);
      if (edge >= ways_.size() + top_ways_.size()) continue;
      if (edge >= ways_.size()) {
        top_way = &top_ways_[edge - ways_.size()];
        continue;
      }
      const Way& way = ways_[edge];
      const Cell& cell = cell_of(top_way->head);
      Bottom bottom = cell.bottoms[static_cast<std::size_t>(way.head - cell.first_bottom)];
      bottom.left = way.left;
      bottom.right = way.right;
      append(top_way->head, bottom, derivation.spans);
    }
    std::sort(derivation.spans.begin(), derivation.spans.end(),
              [](const DerivedSpan& a, const DerivedSpan& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    ranked.push_back(std::move(derivation));
  }
  return ranked;
}

}  // namespace accord::constituents
