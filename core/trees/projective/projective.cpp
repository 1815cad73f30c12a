// SPDX-License-Identifier: Apache-2.0
#include "core/trees/projective/projective.hpp"

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/trees/projective/projective_items.hpp"

namespace accord::trees {

namespace {

using BestItems = ProjectiveItems<MaxPlus>;

}  // namespace

double ProjectiveSpace::argmax(ArcScores scores, std::span<int32_t> heads) {
  best_.fill(scores.data, scores.words, single_root_);
  if (best_.goal() == kForbidden) return kForbidden;
  heads[0] = -1;
  if (scores.words == 0) return 0.0;
  const BestItems items(best_);
  hypergraph::descend(
      items, agenda_,
      [&](const BestItems::Item& item) { return hypergraph::best_edge(items, item, [&](std::size_t id) { return best_.value(id); }); },
      [&](const BestItems::Item& item, std::size_t edge) { items.write_head(item, edge, heads); });
  return tree_score(scores, heads);
}

// Derivations and trees correspond one to one, so the k best derivations are the k best distinct trees.
std::vector<ScoredTree> ProjectiveSpace::kbest(ArcScores scores, int k) {
  std::vector<ScoredTree> ranked;
  best_.fill(scores.data, scores.words, single_root_);
  if (best_.goal() == kForbidden) return ranked;
  if (scores.words == 0) return k > 0 ? std::vector<ScoredTree>{{0.0, {-1}}} : ranked;
  const BestItems items(best_);
  auto derivations = hypergraph::rank_derivations<hypergraph::Ties::as_found>(items, [&](std::size_t id) { return best_.value(id); });
  for (int rank = 0; rank < k && derivations.reach(items.goal(), static_cast<std::size_t>(rank)); ++rank) {
    std::vector<int32_t> heads(scores.width(), -1);
    derivations.trace(static_cast<std::size_t>(rank),
                      [&](const BestItems::Item& item, std::size_t edge) { items.write_head(item, edge, heads); });
    const double total = tree_score(scores, heads);
    ranked.push_back({total, std::move(heads)});
  }
  sort_best_first(ranked);
  return ranked;
}

}  // namespace accord::trees
