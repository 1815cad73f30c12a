// SPDX-License-Identifier: Apache-2.0
#include "core/parses/charts/part_items.hpp"

#include <algorithm>
#include <numeric>

namespace accord::parses {

template <class Things, class Key>
void PartItems::Sorted::sort(const Things& things, size_t keys, Key&& key) {
  starts.assign(keys + 1, 0);
  for (const auto& thing : things) ++starts[static_cast<size_t>(key(thing)) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  order.resize(things.size());
  std::vector<int32_t> next(starts.begin(), starts.end() - 1);
  for (size_t i = 0; i < things.size(); ++i) {
    const int32_t place = next[static_cast<size_t>(key(things[i]))]++;
    order[static_cast<size_t>(place)] = static_cast<int32_t>(i);
  }
}

void PartItems::build(const PartLayout& layout, const PartUse& use, bool single_root) {
  layout_ = &layout;
  use_ = use;
  contextual_ = use.has_grandparents();
  size_ = 1;  // the item `nothing`
  place_halves();
  pair_modifiers(single_root);
  place_spans();
  place_states();
}

bool PartItems::encloses(int head, int context, int arc) const {
  const size_t grandparent = this->grandparent(head, context);
  if (grandparent == PartLayout::none) return false;
  const int above = layout_->head(layout_->first_entering(head) + static_cast<int>(grandparent));
  const int dependent = layout_->dependent(arc);
  return dependent > head ? above > head && above <= dependent : above < head && above >= dependent;
}

// How far the arcs of each side can reach at most; a half that faces its grandparent ends before it.
void PartItems::place_halves() {
  const PartLayout& layout = *layout_;
  const int words = layout.words();
  std::vector<int32_t> reach(static_cast<size_t>(layout.sides()), 0);
  const auto extend = [&](int side) {
    for (const int32_t a : layout.modifiers(side)) {
      const int length = std::abs(layout.dependent(a) - layout.head(a));
      const auto below = static_cast<size_t>(2 * layout.dependent(a) + side % 2);
      reach[static_cast<size_t>(side)] = std::max(reach[static_cast<size_t>(side)], length + reach[below]);
    }
  };
  for (int h = 0; h <= words; ++h) extend(2 * h);
  for (int h = words; h >= 0; --h) extend(2 * h + 1);

  halves_.resize(2 * static_cast<size_t>(contextual_ ? layout.arcs() + 1 : words + 1));
  for (int h = 0; h <= words; ++h) {
    for (int k = 0; k < contexts(h); ++k) {
      for (int right = 0; right < 2; ++right) {
        Half& half = halves_[static_cast<size_t>(2 * (first_context(h) + k) + right)];
        half = {2 * h + right, k, reach[static_cast<size_t>(2 * h + right)], 0};
        if (contextual_ && h > 0) {
          const int above = layout.head(layout.first_entering(h) + k);
          if ((above > h) == (right == 1)) half.reach = std::min(half.reach, std::abs(above - h) - 1);
        }
      }
    }
  }
  for (Half& half : halves_) {
    half.first = size_;
    size_ += static_cast<size_t>(half.reach) + 1;
  }
  halves_by_reach_.sort(halves_, static_cast<size_t>(words) + 1, [](const Half& half) { return half.reach; });
  const Half& root = half(2 * first_context(0) + 1);
  goal_ = root.reach == words ? root.first + static_cast<size_t>(words) : nothing;

  arcs_.resize(static_cast<size_t>(layout.arcs()));
  for (int a = 0; a < layout.arcs(); ++a) {
    const int context = contextual_ ? a : layout.dependent(a), right = layout.dependent(a) > layout.head(a);
    const int length = std::abs(layout.dependent(a) - layout.head(a));
    arcs_[static_cast<size_t>(a)] = {length, 2 * context + 1 - right, 2 * context + right, 0, 0};
  }
  arcs_by_length_.sort(arcs_, static_cast<size_t>(words) + 1, [](const ArcItems& arc) { return arc.length; });
}

// Modifiers that can follow each other: the halves between them can meet.
void PartItems::pair_modifiers(bool single_root) {
  pairs_.clear();
  first_pairs_.assign(1, 0);
  for (int side = 0; side < layout_->sides(); ++side) {
    const std::span<const int32_t> modifiers = layout_->modifiers(side);
    for (size_t j = 0; j < modifiers.size(); ++j) {
      ArcItems& next = arcs_[static_cast<size_t>(modifiers[j])];
      const int32_t inner = half(next.inner).reach, position = static_cast<int32_t>(j) + 1;
      next.first_pair = static_cast<int32_t>(pairs_.size());
      if (inner >= next.length - 1) pairs_.push_back({0, position, -1});
      const bool only_child = single_root && side / 2 == 0;
      for (size_t i = 0; i < j && !only_child; ++i) {
        const ArcItems& last = arc(modifiers[i]);
        const bool meet = half(last.outer).reach + inner >= next.length - last.length - 1;
        if (meet) pairs_.push_back({static_cast<int32_t>(i) + 1, position, 0});
      }
      next.last_pair = static_cast<int32_t>(pairs_.size());
    }
    first_pairs_.push_back(static_cast<int32_t>(pairs_.size()));
  }
}

// Without contexts, heads share the spans between two words.
void PartItems::place_spans() {
  std::vector<Span> wanted(pairs_.size());  // by pair
  for (int side = 0; side < layout_->sides(); ++side) {
    const std::span<const int32_t> modifiers = layout_->modifiers(side);
    for (int32_t p = first_pairs_[static_cast<size_t>(side)]; p < first_pairs_[static_cast<size_t>(side) + 1]; ++p) {
      const Pair& pair = pairs_[static_cast<size_t>(p)];
      if (pair.last == 0) continue;
      const ArcItems& last = arc(modifiers[static_cast<size_t>(pair.last) - 1]);
      const ArcItems& next = arc(modifiers[static_cast<size_t>(pair.next) - 1]);
      const bool right = side % 2 == 1;
      wanted[static_cast<size_t>(p)] = {right ? last.outer : next.inner, right ? next.inner : last.outer, next.length - last.length};
    }
  }
  spans_.clear();
  Sorted by_left;
  by_left.sort(wanted, halves_.size(), [](const Span& span) { return span.left; });
  std::vector<int32_t> newest(halves_.size(), -1);  // by right half: the last span made
  for (const int32_t p : by_left.order) {
    const Span& span = wanted[static_cast<size_t>(p)];
    if (pairs_[static_cast<size_t>(p)].last == 0) continue;
    int32_t& number = newest[static_cast<size_t>(span.right)];
    if (number < 0 || spans_[static_cast<size_t>(number)].left != span.left) {
      number = static_cast<int32_t>(spans_.size());
      spans_.push_back(span);
    }
    pairs_[static_cast<size_t>(p)].span = number;
  }
  spans_by_width_.sort(spans_, static_cast<size_t>(layout_->words()) + 1, [](const Span& span) { return span.width; });
  first_span_ = size_;
  size_ += spans_.size();
}

void PartItems::place_states() {
  const auto sides = static_cast<size_t>(layout_->sides());
  open_.resize(sides);
  states_.resize(sides);
  ended_.resize(sides);
  for (size_t side = 0; side < sides; ++side) {
    const int head = static_cast<int>(side) / 2;
    const size_t modifiers = layout_->modifiers(static_cast<int>(side)).size();
    states_[side] = use_.remembers_two() ? static_cast<size_t>(first_pairs_[side + 1] - first_pairs_[side]) : modifiers;
    open_[side] = size_;
    ended_[side] = size_ += states_[side] * static_cast<size_t>(open_contexts(head));
    size_ += modifiers * static_cast<size_t>(contexts(head));
  }
}

PartItems::Item PartItems::item(size_t id) const {
  const auto number = [](auto found, auto& things) { return static_cast<int32_t>(found - things.begin()) - 1; };
  if (id < first_span_) {
    const auto starts_later = [](size_t i, const Half& half) { return i < half.first; };
    const int32_t place = number(std::upper_bound(halves_.begin(), halves_.end(), id, starts_later), halves_);
    return {Kind::complete, place, 0, static_cast<int32_t>(id - half(place).first), id};
  }
  if (id < open_.front()) return {Kind::span, static_cast<int32_t>(id - first_span_), 0, 0, id};
  const int32_t side = number(std::upper_bound(open_.begin(), open_.end(), id), open_);
  const auto s = static_cast<size_t>(side);
  const bool open = id < ended_[s];
  const size_t offset = id - (open ? open_[s] : ended_[s]);
  const size_t row = open ? states_[s] : layout_->modifiers(side).size();
  const Kind kind = open ? Kind::open : Kind::ended;
  return {kind, side, static_cast<int32_t>(offset / row), static_cast<int32_t>(offset % row), id};
}

}  // namespace accord::parses
