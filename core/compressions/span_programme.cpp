// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/span_programme.hpp"

#include <numeric>

#include "core/compressions/span_items.hpp"
#include "core/hypergraph/derivation.hpp"

namespace accord::compressions {

double SpanProgramme::best(const Terms& terms, Compression& out) {
  scores_.set(terms);
  const double best = chart_.fill(scores_);
  if (best == forbidden) return best;
  const SpanItems items(scores_);
  const auto value = [&](std::size_t id) { return chart_.values()[id]; };
  out.heads.assign(static_cast<size_t>(words()) + 1, -1);
  hypergraph::descend(
      items, agenda_, [&](const SpanItems::Item& item) { return hypergraph::best_edge(items, item, value); },
      [&](const SpanItems::Item& item, std::size_t number) {
        std::size_t at = 0;
        items.edges(item, [&](std::size_t, std::size_t, const SpanItems::Weight& edge) {
          if (at++ == number && edge.dependent > 0) out.heads[static_cast<size_t>(edge.dependent)] = edge.head;
        });
      });
  out.kept.assign(out.heads.size(), 0);
  for (size_t word = 1; word < out.heads.size(); ++word) out.kept[word] = out.heads[word] >= 0;
  out.score = scores_.score(out);
  return best;
}

std::span<const double> SpanProgramme::best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) {
  scores_.set(terms);
  total_ = std::accumulate(costs.begin() + 1, costs.end(), 0);
  lengths_.fill(scores_, costs, total_ - low);
  by_cost_.assign(static_cast<size_t>(high) + 1, forbidden);
  const std::span<const double> by_deleted = lengths_.best_by_deleted();
  for (int cost = low; cost <= high; ++cost) by_cost_[static_cast<size_t>(cost)] = by_deleted[static_cast<size_t>(total_ - cost)];
  return by_cost_;
}

void SpanProgramme::trace_cost(int cost, Compression& out) { lengths_.trace(scores_, total_ - cost, out); }

}  // namespace accord::compressions
