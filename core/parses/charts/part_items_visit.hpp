// SPDX-License-Identifier: Apache-2.0
// The template members of PartItems: its items in order of width, and the edges of each kind of item.
#pragma once
#include "core/parses/charts/part_items.hpp"

namespace accord::parses {

template <class Visit>
void PartItems::spans_of(int width, Visit& visit) const {
  for (const int32_t s : spans_by_width_.of(width)) visit(Item{Kind::span, s, 0, 0, first_span_ + static_cast<size_t>(s)});
}

template <class Visit>
void PartItems::open_of(int width, Visit& visit) const {
  for (const int32_t number : arcs_by_length_.of(width)) {
    const int side = layout_->side_of(number), head = side / 2;
    const int32_t origin = first_pairs_[static_cast<size_t>(side)], position = layout_->position(number);
    const bool two = use_.remembers_two();
    const int32_t from = two ? arc(number).first_pair - origin : position - 1;
    const int32_t to = two ? arc(number).last_pair - origin : position;
    for (int k = 0; k < open_contexts(head); ++k) {
      if (use_.grand == PartUse::Grand::all && encloses(head, k, number)) continue;
      for (int32_t state = from; state < to; ++state) visit(Item{Kind::open, side, k, state, open_id(side, k, state)});
    }
  }
}

template <class Visit>
void PartItems::ended_of(int width, Visit& visit) const {
  for (const int32_t number : arcs_by_length_.of(width)) {
    const int32_t position = layout_->position(number);
    const int side = layout_->side_of(number), head = side / 2;
    for (int k = 0; k < contexts(head); ++k)
      if (!encloses(head, k, number)) visit(Item{Kind::ended, side, k, position - 1, ended_id(side, k, static_cast<size_t>(position))});
  }
}

template <class Visit>
void PartItems::complete_of(int width, Visit& visit) const {
  for (const int32_t number : halves_by_reach_.from(width))
    visit(Item{Kind::complete, number, 0, width, half(number).first + static_cast<size_t>(width)});
}

template <class Visit>
void PartItems::edges(const Item& item, Visit&& visit) const {
  switch (item.kind) {
    case Kind::complete:
      return complete_edges(item, visit);
    case Kind::open:
      return open_edges(item, visit);
    case Kind::ended:
      return ended_edges(item, visit);
    case Kind::span:
      break;
  }
  const Span& span = spans_[static_cast<size_t>(item.place)];
  const Half &left = half(span.left), &right = half(span.right);
  const int32_t from = span.width - 1 > right.reach ? span.width - 1 - right.reach : 0;
  const int32_t to = span.width - 1 < left.reach ? span.width - 1 : left.reach;
  for (int32_t cut = from; cut <= to; ++cut)
    visit(left.first + static_cast<size_t>(cut), right.first + static_cast<size_t>(span.width - 1 - cut), [](auto&&) {});
}

template <class Visit>
void PartItems::complete_edges(const Item& item, Visit& visit) const {
  const Half& here = half(item.place);
  const std::span<const int32_t> modifiers = layout_->modifiers(here.side);
  if (item.at == 0) {
    const SideMoves moves(*layout_, use_, here.side, grandparent(here.side / 2, here.context));
    return visit(nothing, nothing, [&](auto&& add) { moves.none(add); });
  }
  const size_t ended = ended_id(here.side, here.context, 1);
  for (size_t j = 0; j < modifiers.size(); ++j) {
    const ArcItems& outermost = arc(modifiers[j]);
    const int32_t rest = item.at - outermost.length;
    if (rest < 0) break;
    const Half& below = half(outermost.outer);
    if (rest <= below.reach) visit(ended + j, below.first + static_cast<size_t>(rest), [](auto&&) {});
  }
}

template <class Visit>
void PartItems::open_edges(const Item& item, Visit& visit) const {
  const int side = item.place, number = arc_of(item);
  const ArcItems& here = arc(number);
  const SideMoves moves(*layout_, use_, side, grandparent(side / 2, item.context));
  const size_t next = position(item);
  const bool two = use_.remembers_two();
  const int32_t origin = first_pairs_[static_cast<size_t>(side)];
  const int32_t from = two ? origin + item.at : here.first_pair, to = two ? from + 1 : here.last_pair;
  for (int32_t p = from; p < to; ++p) {
    const Pair& pair = pairs_[static_cast<size_t>(p)];
    const auto last = static_cast<size_t>(pair.last);
    if (last == 0) {
      visit(half(here.inner).first + static_cast<size_t>(here.length - 1), nothing,
            [&](auto&& add) { moves.take(PartLayout::none, 0, next, add); });
      continue;
    }
    const size_t between = first_span_ + static_cast<size_t>(pair.span);
    if (!two) {
      visit(open_id(side, item.context, pair.last - 1), between, [&](auto&& add) { moves.take(PartLayout::none, last, next, add); });
      continue;
    }
    const ArcItems& before = arc(layout_->modifiers(side)[last - 1]);
    for (int32_t q = before.first_pair; q < before.last_pair; ++q) {
      const auto before_last = static_cast<size_t>(pairs_[static_cast<size_t>(q)].last);
      visit(open_id(side, item.context, q - origin), between, [&](auto&& add) { moves.take(before_last, last, next, add); });
    }
  }
}

template <class Visit>
void PartItems::ended_edges(const Item& item, Visit& visit) const {
  const int side = item.place, context = use_.grand == PartUse::Grand::all ? item.context : 0;
  const SideMoves moves(*layout_, use_, side, grandparent(side / 2, item.context));
  const auto last = static_cast<size_t>(item.at) + 1;
  if (!use_.remembers_two())
    return visit(open_id(side, context, item.at), nothing, [&](auto&& add) { moves.stop(PartLayout::none, last, add); });
  const ArcItems& here = arc(layout_->modifiers(side)[last - 1]);
  for (int32_t p = here.first_pair; p < here.last_pair; ++p) {
    const auto before_last = static_cast<size_t>(pairs_[static_cast<size_t>(p)].last);
    visit(open_id(side, context, p - first_pairs_[static_cast<size_t>(side)]), nothing,
          [&](auto&& add) { moves.stop(before_last, last, add); });
  }
}

}  // namespace accord::parses
