// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/compressions/distribution.hpp"
#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/random.hpp"

namespace accord::compressions {

namespace {

StatusScores scores_under(StatusScores scores, const Terms& terms) {
  scores.set(terms);
  return scores;
}

std::vector<int> costs_or_zero(std::span<const int> costs, bool wanted) {
  return wanted ? std::vector<int>(costs.begin(), costs.end()) : std::vector<int>(costs.size(), 0);
}

}  // namespace

StatusDistribution::StatusDistribution(const StatusProgramme& programme, const Terms& terms, std::span<const int> costs,
                                       std::optional<Window> window)
    : scores_(scores_under(programme.scores(), terms)),
      additions_(terms.additions.begin(), terms.additions.end()),
      items_(scores_, programme.forest(), costs_or_zero(costs, window.has_value()), window.value_or(Window{0, 0})),
      shares_(items_) {}

double StatusDistribution::marginals(const Marginals& out) const {
  for (const std::span<double> each : {out.words, out.arcs, out.bigrams, out.statuses}) std::fill(each.begin(), each.end(), 0.0);
  double entropy = 0;
  hypergraph::Expectations space;
  hypergraph::outside(items_, shares_, space, [&](double probability, auto&& share, const StatusItems::Weight& edge) {
    entropy -= probability * share.logarithm();
    if (edge.word == 0) return;
    if (edge.status && !out.words.empty()) out.words[index(edge.word)] += probability;
    if (!out.statuses.empty()) out.statuses[index(4 * edge.word + 2 * edge.status + edge.above)] += probability;
  });
  return std::max(entropy, 0.0);
}

void StatusDistribution::write(const StatusItems::Item& item, std::size_t number, Compression& out) const {
  std::size_t at = 0;
  items_.edges(item, [&](std::size_t, std::size_t, const StatusItems::Weight& edge) {
    if (at++ == number && edge.status) out.kept[index(edge.word)] = 1;
  });
}

void StatusDistribution::finish(Compression& out) const {
  out.score = scores_.score(out);
  for (size_t word = 1; word < out.kept.size(); ++word)
    if (out.kept[word]) out.score += additions_[word];
}

std::vector<Compression> StatusDistribution::kbest(int k) const {
  std::vector<double> best;
  std::vector<Compression> ranked;
  if (hypergraph::inside<hypergraph::MaxPlus>(items_, best) == forbidden) return ranked;
  auto derivations = hypergraph::rank_derivations(items_, [&](std::size_t id) { return best[id]; });
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(std::max(k, 0)) && derivations.reach(items_.goal(), rank); ++rank) {
    Compression& next = ranked.emplace_back();
    next.kept.assign(index(scores_.words()) + 1, 0);
    derivations.trace(rank, [&](const StatusItems::Item& item, std::size_t number) { write(item, number, next); });
    finish(next);
  }
  return ranked;
}

Compression StatusDistribution::sample(uint64_t seed, uint64_t number) const {
  RandomStream random(seed, number);
  std::vector<std::size_t> agenda;
  Compression drawn;
  drawn.kept.assign(index(scores_.words()) + 1, 0);
  hypergraph::descend(
      items_, agenda, [&](const StatusItems::Item& item) { return hypergraph::drawn_edge(shares_, item, random.uniform()); },
      [&](const StatusItems::Item& item, std::size_t edge) { write(item, edge, drawn); });
  finish(drawn);
  return drawn;
}

}  // namespace accord::compressions
