#include "core/trees/part_chart.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::trees {

namespace {

struct Best {
  void add(double value) { best = value > best ? value : best; }
  double total() { return std::exchange(best, kForbidden); }
  double best = kForbidden;
};

// The score that an edge adds.
template <class Parts>
double weight(std::span<const double> scores, const Parts& parts) {
  double sum = 0;
  parts([&](size_t slot) { sum += scores[slot]; });
  return sum;
}

}  // namespace

void PartChart::prepare(const PartLayout& layout, const PartChartOptions& options) {
  const PartFamilies& families = layout.families();
  if (!options.ignore_others && (families.head_bigram || families.any_sibling || families.valency))
    throw std::invalid_argument("a projective chart has no head_bigram, any_sibling or valency parts");
  layout_ = &layout;
  use_ = parts_used(families, options.model);
  items_.build(layout, use_, options.single_root);
}

template <class Sum>
double PartChart::inside(std::span<const double> scores) {
  if (items_.goal() == PartItems::nothing) return kForbidden;
  values_.assign(items_.size(), kForbidden);
  values_[PartItems::nothing] = 0;
  Sum sum;
  items_.bottom_up([&](const PartItems::Item& item) {
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      sum.add(values_[left] + values_[right] + weight(scores, parts));
    });
    values_[item.id] = sum.total();
  });
  return values_[items_.goal()];
}

double PartChart::argmax(std::span<const double> scores, std::span<int32_t> heads) {
  if (inside<Best>(scores) == kForbidden) return kForbidden;
  heads[0] = -1;
  agenda_.assign(1, items_.goal());
  while (!agenda_.empty()) {
    const PartItems::Item item = items_.item(agenda_.back());
    agenda_.pop_back();
    if (item.kind == PartItems::Kind::open) {
      const int arc = items_.arc_of(item);
      heads[static_cast<size_t>(layout_->dependent(arc))] = layout_->head(arc);
    }
    double best = kForbidden;
    size_t children[2] = {PartItems::nothing, PartItems::nothing};
    items_.edges(item, [&](size_t left, size_t right, auto&& parts) {
      const double value = values_[left] + values_[right] + weight(scores, parts);
      if (value <= best) return;
      best = value;
      children[0] = left;
      children[1] = right;
    });
    for (const size_t child : children)
      if (child != PartItems::nothing) agenda_.push_back(child);
  }
  return score(scores, heads);
}

double PartChart::score(std::span<const double> scores, std::span<const int32_t> heads) {
  if (!parts_of(*layout_, use_, heads, slots_)) return kForbidden;
  double total = 0;
  for (const size_t slot : slots_) total += scores[slot];
  return total;
}

}  // namespace accord::trees
