// SPDX-License-Identifier: Apache-2.0
// The models of exact projective parsing: which parts of a tree each of them scores.
//
// Score:   a head's side is an automaton that starts, takes its modifiers from the nearest outwards, and stops. Every
//          part belongs to one of these moves, so that a model is the list of slots (see part_layout.hpp) of each move:
//            full      all arc, sibling, grandparent, grand_sibling and tri_sibling parts of the layout
//            model0    arcs and grandparents
//            model1    arcs, siblings, grandparents, grand_siblings
//            model2    arcs, siblings, tri_siblings; of each side's last two modifiers i, j also the grandparent parts of
//                      both and the grand_sibling parts (i, j) and (j, END)
//            carreras  arcs, siblings; of each side's last modifier also the grandparent part
//          A family that the layout does not have is left out. full and carreras have outer_grandparent parts as well; the
//          families of PartFamilies::beyond_charts are in no model. Projective trees have no nonprojective parts.
// Papers:  Carreras (2007), "Experiments with a higher-order projective dependency parser"; Koo & Collins (2010),
//          "Efficient third-order dependency parsers" (models 0, 1 and 2).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

enum class PartModel : uint8_t { full, model0, model1, model2, carreras };

// What a model takes from a layout.
struct PartUse {
  enum class Grand : uint8_t { all, last_two, last };  // modifiers that have grandparent and grand_sibling parts

  bool sibling = false, grandparent = false, grand_sibling = false, tri_sibling = false, outer_grandparent = false;
  Grand grand = Grand::all;

  bool has_grandparents() const { return grandparent || grand_sibling || outer_grandparent; }
  void leave_out_grandparents() {
    grandparent = false;
    if (!grand_sibling) grand = Grand::last;
  }
  // Whether an automaton must remember its last two modifiers rather than one.
  bool remembers_two() const { return tri_sibling || (has_grandparents() && grand == Grand::last_two); }
};

PartUse parts_used(const PartFamilies& families, PartModel model);

// The moves of one side's automaton. grandparent: index of the head's incoming arc, or PartLayout::none. Positions are
// those of part_layout.hpp; before_last is PartLayout::none when last is START. add(slot) is called once a part.
class SideMoves {
 public:
  SideMoves(const PartLayout& layout, const PartUse& use, int side, size_t grandparent)
      : use_(use),
        modifiers_(layout.modifiers(side)),
        row_(modifiers_.size() + 2),
        siblings_(layout.siblings(side)),
        grandparents_(layout.grandparents(side)),
        grand_siblings_(layout.grand_siblings(side)),
        tri_siblings_(layout.tri_siblings(side)),
        outer_grandparents_(layout.outer_grandparents(side)),
        grandparent_(grandparent) {}

  // The side has no modifier.
  template <class Add>
  void none(Add&& add) const {
    if (use_.sibling && !modifiers_.empty()) add(sibling(0, end()));
  }

  // Modifier `next` comes after `last`.
  template <class Add>
  void take(size_t before_last, size_t last, size_t next, Add&& add) const {
    add(static_cast<size_t>(modifiers_[next - 1]));
    if (use_.sibling) add(sibling(last, next));
    if (use_.tri_sibling && last != 0) add(tri_sibling(before_last, last, next));
    if (use_.grand != PartUse::Grand::all || grandparent_ == PartLayout::none) return;
    if (use_.grandparent) add(grandparent(next));
    if (use_.grand_sibling) add(grand_sibling(last, next));
  }

  // `last` is the outermost modifier.
  template <class Add>
  void stop(size_t before_last, size_t last, Add&& add) const {
    if (use_.sibling) add(sibling(last, end()));
    if (use_.tri_sibling && before_last != 0) add(tri_sibling(before_last, last, end()));
    if (grandparent_ == PartLayout::none) return;
    if (use_.outer_grandparent) add(outer_grandparents_ + grandparent_ * row_ + last);
    if (use_.grand_sibling) add(grand_sibling(last, end()));
    if (use_.grand == PartUse::Grand::all) return;
    if (use_.grandparent) add(grandparent(last));
    if (use_.grand == PartUse::Grand::last) return;
    if (use_.grandparent && before_last != 0) add(grandparent(before_last));
    if (use_.grand_sibling) add(grand_sibling(before_last, last));
  }

 private:
  size_t end() const { return row_ - 1; }
  size_t sibling(size_t i, size_t j) const { return siblings_ + i * row_ + j; }
  size_t grandparent(size_t j) const { return grandparents_ + grandparent_ * row_ + j; }
  size_t grand_sibling(size_t i, size_t j) const { return grand_siblings_ + (grandparent_ * (row_ - 1) + i) * row_ + j; }
  size_t tri_sibling(size_t t, size_t i, size_t j) const { return tri_siblings_ + (t * (row_ - 1) + i) * row_ + j; }

  const PartUse& use_;
  std::span<const int32_t> modifiers_;
  size_t row_, siblings_, grandparents_, grand_siblings_, tri_siblings_, outer_grandparents_, grandparent_;
};

// The slots of a tree's parts under a model. heads[0] is ignored; false when an arc is no candidate.
bool parts_of(const PartLayout& layout, const PartUse& use, std::span<const int32_t> heads, std::vector<size_t>& slots);
inline bool parts_of(const PartLayout& layout, PartModel model, std::span<const int32_t> heads, std::vector<size_t>& slots) {
  return parts_of(layout, parts_used(layout.families(), model), heads, slots);
}

}  // namespace accord::parses
