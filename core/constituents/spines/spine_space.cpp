// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/spines/spine_space.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/random.hpp"

namespace accord::constituents {

double SpineSpace::argmax(const SpineGraph& graph, std::span<const double> scores, SpineDerivation& derivation,
                          std::vector<size_t>* parts) {
  const ScoredSpines items(graph, scores.data());
  if (parts) parts->clear();
  const double value = hypergraph::inside<hypergraph::MaxPlus>(items, values_);
  if (value == hypergraph::forbidden) return value;
  hypergraph::descend(
      items, agenda_, [&](std::size_t item) { return hypergraph::best_edge(items, item, [&](std::size_t id) { return values_[id]; }); },
      [&](std::size_t item, std::size_t edge) {
        graph.read(item, edge, derivation);
        if (!parts) return;
        const SpineGraph::Edge& used = graph.edges(item)[edge];
        for (const int32_t part : {used.part, used.other})
          if (part > 0) parts->push_back(static_cast<size_t>(part));
      });
  return value;
}

double SpineSpace::log_partition(const SpineGraph& graph, std::span<const double> scores) {
  return hypergraph::inside<hypergraph::LogSum>(ScoredSpines(graph, scores.data()), values_);
}

double SpineSpace::marginals(const SpineGraph& graph, std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (!graph.possible()) return hypergraph::forbidden;
  const ScoredSpines items(graph, scores.data());
  const hypergraph::StoredShares<ScoredSpines> shares(items);
  if (shares.log_partition() == hypergraph::forbidden) return hypergraph::forbidden;
  hypergraph::outside(items, shares, expectations_, [&](double probability, auto&&, const SpineGraph::Edge& edge) {
    out[static_cast<size_t>(edge.part)] += probability;
    out[static_cast<size_t>(edge.other)] += probability;
  });
  out[0] = 0;
  return shares.log_partition();
}

std::vector<ScoredDerivation> SpineSpace::kbest(const SpineGrammar& grammar, const SpineGraph& graph, std::span<const double> scores, int k,
                                                int most) {
  std::vector<ScoredDerivation> ranked;
  const ScoredSpines items(graph, scores.data());
  if (k <= 0 || hypergraph::inside<hypergraph::MaxPlus>(items, values_) == hypergraph::forbidden) return ranked;
  auto derivations = hypergraph::rank_derivations(items, [&](std::size_t id) { return values_[id]; });
  std::set<std::vector<int32_t>> trees;
  const auto limit = static_cast<size_t>(k) * static_cast<size_t>(most);
  for (size_t rank = 0; rank < limit && ranked.size() < static_cast<size_t>(k) && derivations.reach(items.goal(), rank); ++rank) {
    ScoredDerivation one{0, {}};
    one.derivation.resize(graph.words());
    derivations.trace(rank, [&](std::size_t item, std::size_t edge) {
      graph.read(item, edge, one.derivation);
      one.score += items.weight(graph.edges(item)[edge]);
    });
    std::vector<int32_t> key;
    for (const LabelledSpan& span : phrases(grammar, one.derivation)) key.insert(key.end(), {span.begin, span.end, span.label});
    if (trees.insert(std::move(key)).second) ranked.push_back(std::move(one));
  }
  return ranked;
}

std::vector<SpineDerivation> SpineSpace::sample(const SpineGraph& graph, std::span<const double> scores, int count, uint64_t seed) {
  std::vector<SpineDerivation> drawn(static_cast<size_t>(std::max(count, 0)));
  if (!graph.possible()) throw std::invalid_argument("no derivation is possible");
  const ScoredSpines items(graph, scores.data());
  const hypergraph::StoredShares<ScoredSpines> shares(items);
  if (shares.log_partition() == hypergraph::forbidden) throw std::invalid_argument("no derivation is possible");
  for (size_t number = 0; number < drawn.size(); ++number) {
    RandomStream random(seed, number);
    drawn[number].resize(graph.words());
    hypergraph::descend(
        items, agenda_, [&](std::size_t item) { return hypergraph::drawn_edge(shares, item, random.uniform()); },
        [&](std::size_t item, std::size_t edge) { graph.read(item, edge, drawn[number]); });
  }
  return drawn;
}

}  // namespace accord::constituents
