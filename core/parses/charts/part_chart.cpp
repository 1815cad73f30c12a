// SPDX-License-Identifier: Apache-2.0
#include "core/parses/charts/part_chart.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/random.hpp"

namespace accord::parses {

namespace {

// The items with the scores of one sentence: a hypergraph (core/hypergraph/items.hpp). It lives in this file alone, and so do the
// algorithms made for it: a compiler then builds each into its only caller, which is worth a quarter of the time of a chart.
class ScoredPartItems {
 public:
  using Item = PartItems::Item;
  using Weight = double;

  ScoredPartItems(const PartItems& items, std::span<const double> scores) : items_(items), scores_(scores) {}

  size_t size() const { return items_.size(); }
  size_t goal() const { return items_.goal(); }
  size_t id(const Item& item) const { return item.id; }
  Item item(size_t id) const { return items_.item(id); }
  template <class Visit>
  void bottom_up(Visit&& visit) const {
    items_.bottom_up(visit);
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    items_.top_down(visit);
  }
  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    items_.edges(item, visit);
  }
  template <class Parts>
  double weight(const Parts& parts) const {
    return part_sum(scores_, parts);
  }
  static double join(double weight, double left, double right) { return left + right + weight; }

 private:
  const PartItems& items_;
  std::span<const double> scores_;
};

}  // namespace

using hypergraph::LogSum;
using hypergraph::MaxPlus;
using hypergraph::ValueShares;

void PartChart::prepare(const PartLayout& layout, const PartChartOptions& options) {
  const PartFamilies& families = layout.families();
  if (!options.ignore_others && families.beyond_charts())
    throw std::invalid_argument("a projective chart has arcs, siblings, grandparents, grand_siblings and tri_siblings, no other parts");
  layout_ = &layout;
  use_ = parts_used(families, options.model);
  if (options.without_grandparents) use_.leave_out_grandparents();
  items_.build(layout, use_, options.single_root);
}

// An open item adds an arc.
void PartChart::write_head(const PartItems::Item& item, std::span<int32_t> heads) const {
  if (item.kind != PartItems::Kind::open) return;
  const int arc = items_.arc_of(item);
  heads[static_cast<size_t>(layout_->dependent(arc))] = layout_->head(arc);
}

double PartChart::argmax(std::span<const double> scores, std::span<int32_t> heads) {
  const ScoredPartItems graph(items_, scores);
  if (hypergraph::inside<MaxPlus>(graph, values_) == trees::kForbidden) return trees::kForbidden;
  heads[0] = -1;
  hypergraph::descend(
      graph, agenda_,
      [&](const PartItems::Item& item) { return hypergraph::best_edge(graph, item, [&](size_t id) { return values_[id]; }); },
      [&](const PartItems::Item& item, size_t) { write_head(item, heads); });
  return score(scores, heads);
}

double PartChart::log_partition(std::span<const double> scores) {
  return hypergraph::inside<LogSum>(ScoredPartItems(items_, scores), values_);
}

double PartChart::marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const ScoredPartItems graph(items_, scores);
  const double log_partition = hypergraph::inside<LogSum>(graph, values_);
  if (log_partition == trees::kForbidden) return trees::kForbidden;
  hypergraph::outside(graph, ValueShares(graph, values_), expectations_,
                      [&](double probability, auto&&, auto&& parts) { parts([&](size_t slot) { out[slot] += probability; }); });
  for (double& probability : out) probability = std::min(probability, 1.0);
  return log_partition;
}

bool PartChart::tangents(std::span<const double> scores, std::span<const double> direction, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const ScoredPartItems graph(items_, scores);
  if (hypergraph::inside<LogSum>(graph, values_) == trees::kForbidden) return false;
  hypergraph::tangents(
      graph, ValueShares(graph, values_), expectations_, [&](auto&& parts) { return part_sum(direction, parts); },
      [&](double moved, auto&& parts) { parts([&](size_t slot) { out[slot] += moved; }); });
  return true;
}

double PartChart::entropy(std::span<const double> scores) {
  const ScoredPartItems graph(items_, scores);
  if (hypergraph::inside<LogSum>(graph, values_) == trees::kForbidden) return trees::kForbidden;
  return hypergraph::entropy(graph, ValueShares(graph, values_), expectations_);
}

std::vector<trees::ScoredTree> PartChart::kbest(std::span<const double> scores, int k) {
  std::vector<trees::ScoredTree> ranked;
  const ScoredPartItems graph(items_, scores);
  if (hypergraph::inside<MaxPlus>(graph, values_) == trees::kForbidden) return ranked;
  auto derivations = hypergraph::rank_derivations<hypergraph::Ties::as_found>(graph, [&](size_t id) { return values_[id]; });
  std::vector<int32_t> heads(static_cast<size_t>(layout_->words()) + 1, -1);
  for (int rank = 0; rank < k && derivations.reach(graph.goal(), static_cast<size_t>(rank)); ++rank) {
    derivations.trace(static_cast<size_t>(rank), [&](const PartItems::Item& item, size_t) { write_head(item, heads); });
    ranked.push_back({score(scores, heads), heads});
  }
  trees::sort_best_first(ranked);
  return ranked;
}

void PartChart::sample(std::span<const double> scores, int count, uint64_t seed, std::span<int32_t> heads) {
  const ScoredPartItems graph(items_, scores);
  if (hypergraph::inside<LogSum>(graph, values_) == trees::kForbidden)
    throw std::invalid_argument("no tree satisfies the forbidden and required arcs");
  const ValueShares shares(graph, values_);
  const size_t width = static_cast<size_t>(layout_->words()) + 1;
  for (int number = 0; number < count; ++number) {
    RandomStream random(seed, static_cast<uint64_t>(number));
    const std::span<int32_t> row = heads.subspan(static_cast<size_t>(number) * width, width);
    row[0] = -1;
    hypergraph::descend(
        graph, agenda_, [&](const PartItems::Item& item) { return hypergraph::drawn_edge(shares, item, random.uniform()); },
        [&](const PartItems::Item& item, size_t) { write_head(item, row); });
  }
}

double PartChart::score(std::span<const double> scores, std::span<const int32_t> heads) {
  if (!parts_of(*layout_, use_, heads, slots_)) return trees::kForbidden;
  double total = 0;
  for (const size_t slot : slots_) total += scores[slot];
  return total;
}

}  // namespace accord::parses
