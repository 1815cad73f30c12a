// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/statuses/status_programme.hpp"

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"

namespace accord::compressions {

// The best derivation of the goal of these items, whose values were computed.
void StatusProgramme::trace(const StatusItems& items, Compression& out) {
  out.kept.assign(index(words()) + 1, 0);
  out.heads.clear();
  hypergraph::descend(
      items, agenda_,
      [&](const StatusItems::Item& item) { return hypergraph::best_edge(items, item, [&](std::size_t id) { return values_[id]; }); },
      [&](const StatusItems::Item& item, std::size_t number) {
        std::size_t at = 0;
        items.edges(item, [&](std::size_t, std::size_t, const StatusItems::Weight& edge) {
          if (at++ == number && edge.status) out.kept[index(edge.word)] = 1;
        });
      });
  out.score = scores_.score(out);
}

double StatusProgramme::best(const Terms& terms, Compression& out) {
  scores_.set(terms);
  const std::vector<int> free(index(words()) + 1, 0);
  const StatusItems items(scores_, forest_, free, {0, 0});
  const double found = hypergraph::inside<hypergraph::MaxPlus>(items, values_);
  if (found != forbidden) trace(items, out);
  return found;
}

std::span<const double> StatusProgramme::best_by_cost(const Terms& terms, std::span<const int> costs, int, int high) {
  scores_.set(terms);
  items_.emplace(scores_, forest_, costs, Window{0, high});
  hypergraph::inside<hypergraph::MaxPlus>(*items_, values_);
  by_cost_.assign(index(high) + 1, forbidden);
  for (int cost = 0; cost <= high; ++cost) {
    items_->ask_for({cost, cost});
    const StatusItems::Item goal{-1, 1, 1, 0};
    items_->edges(goal, [&](std::size_t left, std::size_t, const StatusItems::Weight& edge) {
      by_cost_[index(cost)] = std::max(by_cost_[index(cost)], edge.score + values_[left]);
    });
  }
  return by_cost_;
}

void StatusProgramme::trace_cost(int cost, Compression& out) {
  items_->ask_for({cost, cost});
  trace(*items_, out);
}

}  // namespace accord::compressions
