// SPDX-License-Identifier: Apache-2.0
// The items of the projective chart over candidate arcs and how each is made of smaller ones, for any semiring.
//
// Set:     projective trees made of the candidate arcs of a layout, single- or multi-root.
// Score:   the parts of a PartUse (part_model.hpp).
// Items (Koo & Collins 2010, sections 3 and 4). A context of h is its incoming arc g, or h alone when no part looks at
// grandparents; a half is a context and a direction; m1, m2, ... are a side's modifiers, outwards.
//   complete(half, d)   h and its modifiers on one side with all below them, covering exactly h .. h +- d
//                       d = 0: the side is empty; else the sum over j of ended(j) complete(outer half of mj, rest)
//   span(s, m)          what lies between two consecutive modifiers: the sum over cuts of the outer half of s and the
//                       inner half of m
//   open(side, state)   h, its modifiers up to mj and all before mj; the state is j, or (i, j) where the model remembers
//                       two. START -> j: the inner half of mj alone; i -> j: open(.. i) span(mi, mj)
//   ended(side, j)      open(.. j) with the parts of a side whose last modifier is mj
//   goal                complete(right half of 0, n)
// Where grandparent parts belong to last modifiers only, open items have no context: models of O(n^4) rather than O(n^5)
// with tri_siblings. Every projective tree has exactly one derivation.
// Complexity, dense: O(n^3) arcs and siblings; O(n^4) with grandparents, or tri_siblings, or both for last modifiers only;
// O(n^5) for all grand_siblings and tri_siblings. With k candidate heads a word only the items are stored whose arcs are
// candidates and whose ends their arcs can reach: at most 2k n^2 complete items, few others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hypergraph/items.hpp"
#include "core/parses/parts/part_layout.hpp"
#include "core/parses/parts/part_model.hpp"

namespace accord::parses {

class PartItems {
 public:
  enum class Kind : uint8_t { complete, span, open, ended };
  struct Item {
    Kind kind;
    int32_t place;    // half, span or side
    int32_t context;  // of the head, for open and ended items
    int32_t at;       // distance, or state, or position - 1
    size_t id;
  };
  static constexpr size_t nothing = hypergraph::nothing;

  // The layout must outlive the items.
  void build(const PartLayout& layout, const PartUse& use, bool single_root);

  size_t size() const { return size_; }
  // nothing when no tree is possible (a goal may still turn out to have no tree).
  size_t goal() const { return goal_; }

  // All items, each after (before) those it is made of.
  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int width = 0; width <= layout_->words(); ++width) {
      spans_of(width, visit);
      open_of(width, visit);
      ended_of(width, visit);
      complete_of(width, visit);
    }
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    for (int width = layout_->words(); width >= 0; --width) {
      complete_of(width, visit);
      ended_of(width, visit);
      open_of(width, visit);
      spans_of(width, visit);
    }
  }

  // visit(left, right, parts) for each way to make an item of two others; parts(add) lists the slots it adds.
  template <class Visit>
  void edges(const Item& item, Visit&& visit) const;

  Item item(size_t id) const;
  // The arc that an open item adds.
  int arc_of(const Item& open) const { return layout_->modifiers(open.place)[position(open) - 1]; }

 private:
  struct Half {
    int32_t side, context, reach;
    size_t first;  // complete(half, d) = first + d
  };
  struct Pair {  // consecutive modifiers of a side; last = 0 is START, without span
    int32_t last, next, span;
  };
  struct Span {
    int32_t left, right, width;  // halves that meet, distance of the words
  };
  struct ArcItems {
    int32_t length, inner, outer;  // outer and inner half of the dependent
    int32_t first_pair, last_pair;
  };

  // Numbers 0, 1, ... in the order of a small key; those with key k are of(k).
  struct Sorted {
    std::vector<int32_t> order, starts;

    std::span<const int32_t> of(int key) const { return from(key).first(static_cast<size_t>(count(key))); }
    std::span<const int32_t> from(int key) const { return std::span(order).subspan(start(key)); }
    template <class Things, class Key>
    void sort(const Things& things, size_t keys, Key&& key);

   private:
    size_t start(int key) const { return static_cast<size_t>(starts[static_cast<size_t>(key)]); }
    int32_t count(int key) const { return starts[static_cast<size_t>(key) + 1] - starts[static_cast<size_t>(key)]; }
  };

  int contexts(int head) const { return !contextual_ || head == 0 ? 1 : layout_->entering(head); }
  int open_contexts(int head) const { return use_.grand == PartUse::Grand::all ? contexts(head) : 1; }
  int first_context(int head) const { return !contextual_ ? head : head == 0 ? layout_->arcs() : layout_->first_entering(head); }
  // Index of the incoming arc that a context stands for.
  size_t grandparent(int head, int context) const { return contextual_ && head != 0 ? static_cast<size_t>(context) : PartLayout::none; }
  const ArcItems& arc(int number) const { return arcs_[static_cast<size_t>(number)]; }
  const Half& half(int number) const { return halves_[static_cast<size_t>(number)]; }
  size_t position(const Item& open) const {
    return static_cast<size_t>(use_.remembers_two() ? pair(open.place, open.at).next : open.at + 1);
  }
  const Pair& pair(int side, int state) const { return pairs_[static_cast<size_t>(first_pairs_[static_cast<size_t>(side)] + state)]; }
  size_t open_id(int side, int context, int state) const {
    const auto s = static_cast<size_t>(side);
    return open_[s] + static_cast<size_t>(context) * states_[s] + static_cast<size_t>(state);
  }
  size_t ended_id(int side, int context, size_t position) const {
    const auto s = static_cast<size_t>(side);
    return ended_[s] + static_cast<size_t>(context) * layout_->modifiers(side).size() + position - 1;
  }
  // Whether an arc from the head would reach its grandparent or pass over it.
  bool encloses(int head, int context, int arc) const;

  void place_halves();
  void pair_modifiers(bool single_root);
  void place_spans();
  void place_states();

  // Items of one width, by kind.
  template <class Visit>
  void spans_of(int width, Visit& visit) const;
  template <class Visit>
  void open_of(int width, Visit& visit) const;
  template <class Visit>
  void ended_of(int width, Visit& visit) const;
  template <class Visit>
  void complete_of(int width, Visit& visit) const;
  template <class Visit>
  void complete_edges(const Item& item, Visit& visit) const;
  template <class Visit>
  void open_edges(const Item& item, Visit& visit) const;
  template <class Visit>
  void ended_edges(const Item& item, Visit& visit) const;

  const PartLayout* layout_ = nullptr;
  PartUse use_;
  bool contextual_ = false;
  size_t size_ = 0, goal_ = nothing, first_span_ = 0;
  std::vector<Half> halves_;
  std::vector<ArcItems> arcs_;
  std::vector<Pair> pairs_;
  std::vector<Span> spans_;
  std::vector<int32_t> first_pairs_;           // by side, one more at the end
  std::vector<size_t> open_, states_, ended_;  // by side
  Sorted arcs_by_length_, halves_by_reach_, spans_by_width_;
};

// The sum of numbers, one a slot, over the slots that an edge adds.
template <class Parts>
double part_sum(std::span<const double> numbers, const Parts& parts) {
  double sum = 0;
  parts([&](size_t slot) { sum += numbers[slot]; });
  return sum;
}

}  // namespace accord::parses

#include "core/parses/charts/part_items_visit.hpp"
