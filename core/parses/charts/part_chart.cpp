// SPDX-License-Identifier: Apache-2.0
#include "core/parses/charts/part_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/random.hpp"
#include "core/trees/number.hpp"

namespace accord::parses {

namespace {

class Best {
 public:
  void add(double value) { best_ = value > best_ ? value : best_; }
  double total() { return std::exchange(best_, trees::kForbidden); }

 private:
  double best_ = trees::kForbidden;
};

class LogSum {
 public:
  void add(double value) {
    terms_.push_back(value);
    peak_ = value > peak_ ? value : peak_;
  }

  double total() {
    const double peak = std::exchange(peak_, trees::kForbidden);
    double sum = 0;
    if (peak != trees::kForbidden)
      for (const double term : terms_) sum += trees::exp_nonpositive(term - peak);
    terms_.clear();
    return peak == trees::kForbidden ? trees::kForbidden : peak + std::log(sum);
  }

 private:
  double peak_ = trees::kForbidden;
  std::vector<double> terms_;
};

}  // namespace

void PartChart::prepare(const PartLayout& layout, const PartChartOptions& options) {
  const PartFamilies& families = layout.families();
  if (!options.ignore_others && families.beyond_charts())
    throw std::invalid_argument("a projective chart has arcs, siblings, grandparents, grand_siblings and tri_siblings, no other parts");
  layout_ = &layout;
  use_ = parts_used(families, options.model);
  if (options.without_grandparents) use_.leave_out_grandparents();
  items_.build(layout, use_, options.single_root);
}

template <class Sum>
double PartChart::inside(std::span<const double> scores) {
  if (items_.goal() == PartItems::nothing) return trees::kForbidden;
  values_.assign(items_.size(), trees::kForbidden);
  values_[PartItems::nothing] = 0;
  Sum sum;
  items_.bottom_up([&](const PartItems::Item& item) {
    items_.edges(item,
                 [&](size_t left, size_t right, auto&& parts) { sum.add(values_[left] + values_[right] + part_weight(scores, parts)); });
    values_[item.id] = sum.total();
  });
  return values_[items_.goal()];
}

// share(probability, log of its share of the item, parts) for every edge that some tree uses.
template <class Share>
void PartChart::outside(std::span<const double> scores, Share&& share) {
  probabilities_.assign(items_.size(), 0.0);
  probabilities_[items_.goal()] = 1.0;
  items_.top_down([&](const PartItems::Item& item) {
    const double whole = probabilities_[item.id], value = values_[item.id];
    if (whole == 0.0) return;
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      const double log_share = values_[left] + values_[right] + part_weight(scores, parts) - value;
      const double probability = whole * trees::exp_nonpositive(log_share);
      if (probability == 0.0) return;
      probabilities_[left] += probability;
      probabilities_[right] += probability;
      share(probability, log_share, parts);
    });
  });
}

// choose(item, rank) gives the two items to follow.
template <class Choose>
void PartChart::descend(RankedItem goal, Choose&& choose, std::span<int32_t> heads) {
  heads[0] = -1;
  agenda_.assign(1, goal);
  while (!agenda_.empty()) {
    const RankedItem next = agenda_.back();
    agenda_.pop_back();
    const PartItems::Item item = items_.item(next.item);
    if (item.kind == PartItems::Kind::open) {
      const int arc = items_.arc_of(item);
      heads[static_cast<size_t>(layout_->dependent(arc))] = layout_->head(arc);
    }
    for (const RankedItem& child : choose(item, next.rank))
      if (child.item != PartItems::nothing) agenda_.push_back(child);
  }
}

double PartChart::argmax(std::span<const double> scores, std::span<int32_t> heads) {
  if (inside<Best>(scores) == trees::kForbidden) return trees::kForbidden;
  const auto best_edge = [&](const PartItems::Item& item, int) {
    double best = trees::kForbidden;
    std::array<RankedItem, 2> chosen;
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      const double value = values_[left] + values_[right] + part_weight(scores, parts);
      if (value <= best) return;
      best = value;
      chosen = {RankedItem{left}, RankedItem{right}};
    });
    return chosen;
  };
  descend({items_.goal()}, best_edge, heads);
  return score(scores, heads);
}

double PartChart::log_partition(std::span<const double> scores) { return inside<LogSum>(scores); }

double PartChart::marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const double log_partition = inside<LogSum>(scores);
  if (log_partition == trees::kForbidden) return trees::kForbidden;
  outside(scores, [&](double probability, double, auto&& parts) { parts([&](size_t slot) { out[slot] += probability; }); });
  for (double& probability : out) probability = std::min(probability, 1.0);
  return log_partition;
}

// The statements of inside and outside again, each with its derivative: the rate of an item is the mean of the rates of its edges.
bool PartChart::tangents(std::span<const double> scores, std::span<const double> direction, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (inside<LogSum>(scores) == trees::kForbidden) return false;
  const auto rate_of = [&](size_t left, size_t right, auto&& parts) {
    return rates_[left] + rates_[right] + part_weight(direction, parts);
  };
  rates_.assign(items_.size(), 0.0);
  items_.bottom_up([&](const PartItems::Item& item) {
    const double value = values_[item.id];
    if (value == trees::kForbidden) return;
    double rate = 0;
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      const double share = trees::exp_nonpositive(values_[left] + values_[right] + part_weight(scores, parts) - value);
      if (share > 0) rate += share * rate_of(left, right, parts);
    });
    rates_[item.id] = rate;
  });
  probabilities_.assign(items_.size(), 0.0);
  flows_.assign(items_.size(), 0.0);
  probabilities_[items_.goal()] = 1.0;
  items_.top_down([&](const PartItems::Item& item) {
    const double whole = probabilities_[item.id], flow = flows_[item.id], value = values_[item.id];
    if (whole == 0) return;
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      const double share = trees::exp_nonpositive(values_[left] + values_[right] + part_weight(scores, parts) - value);
      if (share == 0) return;
      const double moved = share * (flow + whole * (rate_of(left, right, parts) - rates_[item.id]));
      probabilities_[left] += share * whole;
      probabilities_[right] += share * whole;
      flows_[left] += moved;
      flows_[right] += moved;
      parts([&](size_t slot) { out[slot] += moved; });
    });
  });
  return true;
}

// Each item's choice among its edges adds its own entropy: no difference of large numbers.
double PartChart::entropy(std::span<const double> scores) {
  if (inside<LogSum>(scores) == trees::kForbidden) return trees::kForbidden;
  double total = 0;
  outside(scores, [&](double probability, double log_share, auto&&) { total -= probability * log_share; });
  return std::max(total, 0.0);
}

std::vector<trees::ScoredTree> PartChart::kbest(std::span<const double> scores, int k) {
  std::vector<trees::ScoredTree> ranked;
  if (inside<Best>(scores) == trees::kForbidden) return ranked;
  RankedParts derivations(items_, values_, scores);
  std::vector<int32_t> heads(static_cast<size_t>(layout_->words()) + 1);
  for (int rank = 0; rank < k && derivations.reach(items_.goal(), rank); ++rank) {
    const auto follow = [&](const PartItems::Item& item, int of) { return derivations.children({item.id, of}); };
    descend({items_.goal(), rank}, follow, heads);
    ranked.push_back({score(scores, heads), heads});
  }
  trees::sort_best_first(ranked);
  return ranked;
}

void PartChart::sample(std::span<const double> scores, int count, uint64_t seed, std::span<int32_t> heads) {
  if (inside<LogSum>(scores) == trees::kForbidden) throw std::invalid_argument("no tree satisfies the forbidden and required arcs");
  const size_t width = static_cast<size_t>(layout_->words()) + 1;
  for (int number = 0; number < count; ++number) {
    RandomStream random(seed, static_cast<uint64_t>(number));
    const auto drawn_edge = [&](const PartItems::Item& item, int) {
      const double uniform = random.uniform();
      double running = 0;
      std::array<RankedItem, 2> chosen;
      items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
        const double value = values_[left] + values_[right] + part_weight(scores, parts);
        if (running > uniform || value == trees::kForbidden) return;
        running += trees::exp_nonpositive(value - values_[item.id]);
        chosen = {RankedItem{left}, RankedItem{right}};
      });
      return chosen;
    };
    descend({items_.goal()}, drawn_edge, heads.subspan(static_cast<size_t>(number) * width, width));
  }
}

double PartChart::score(std::span<const double> scores, std::span<const int32_t> heads) {
  if (!parts_of(*layout_, use_, heads, slots_)) return trees::kForbidden;
  double total = 0;
  for (const size_t slot : slots_) total += scores[slot];
  return total;
}

}  // namespace accord::parses
