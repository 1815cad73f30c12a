// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/compressions/distribution.hpp"
#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/random.hpp"

namespace accord::compressions {

template <class Items>
double SpanDistribution<Items>::marginals(const Marginals& out) const {
  for (const std::span<double> each : {out.words, out.arcs, out.bigrams}) std::fill(each.begin(), each.end(), 0.0);
  const int words = scores_.words();
  const auto cell = [&](int row, int column) {
    return static_cast<size_t>(row) * (static_cast<size_t>(words) + 1) + static_cast<size_t>(column);
  };
  double entropy = 0;
  hypergraph::Expectations space;
  hypergraph::outside(items_, shares_, space, [&](double probability, auto&& share, const SpanItems::Weight& edge) {
    entropy -= probability * share.logarithm();
    if (edge.dependent > 0 && !out.words.empty()) out.words[static_cast<size_t>(edge.dependent)] += probability;
    if (edge.dependent > 0 && !out.arcs.empty()) out.arcs[cell(edge.head, edge.dependent)] += probability;
    if (edge.last >= 0 && !out.bigrams.empty()) out.bigrams[cell(edge.last, edge.following <= words ? edge.following : 0)] += probability;
  });
  return std::max(entropy, 0.0);
}

// The arc that an edge of an item adds.
template <class Items>
void SpanDistribution<Items>::write(const typename Items::Item& item, std::size_t number, Compression& out) const {
  std::size_t at = 0;
  items_.edges(item, [&](std::size_t, std::size_t, const SpanItems::Weight& edge) {
    if (at++ == number && edge.dependent > 0) out.heads[static_cast<size_t>(edge.dependent)] = edge.head;
  });
}

template <class Items>
void SpanDistribution<Items>::finish(Compression& out) const {
  out.kept.assign(out.heads.size(), 0);
  for (size_t word = 1; word < out.heads.size(); ++word) out.kept[word] = out.heads[word] >= 0;
  out.score = scores_.score(out);
  for (size_t word = 1; word < out.kept.size(); ++word)
    if (out.kept[word]) out.score += additions_[word];
}

template <class Items>
std::vector<Compression> SpanDistribution<Items>::kbest(int k) const {
  std::vector<double> best;
  std::vector<Compression> ranked;
  if (hypergraph::inside<hypergraph::MaxPlus>(items_, best) == forbidden) return ranked;
  auto derivations = hypergraph::rank_derivations(items_, [&](std::size_t id) { return best[id]; });
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(std::max(k, 0)) && derivations.reach(items_.goal(), rank); ++rank) {
    Compression& next = ranked.emplace_back();
    next.heads.assign(static_cast<size_t>(scores_.words()) + 1, -1);
    derivations.trace(rank, [&](const typename Items::Item& item, std::size_t number) { write(item, number, next); });
    finish(next);
  }
  return ranked;
}

template <class Items>
Compression SpanDistribution<Items>::sample(uint64_t seed, uint64_t number) const {
  RandomStream random(seed, number);
  std::vector<std::size_t> agenda;
  Compression drawn;
  drawn.heads.assign(static_cast<size_t>(scores_.words()) + 1, -1);
  hypergraph::descend(
      items_, agenda, [&](const typename Items::Item& item) { return hypergraph::drawn_edge(shares_, item, random.uniform()); },
      [&](const typename Items::Item& item, std::size_t edge) { write(item, edge, drawn); });
  finish(drawn);
  return drawn;
}

template class SpanDistribution<SpanItems>;
template class SpanDistribution<LengthItems>;

}  // namespace accord::compressions
