// SPDX-License-Identifier: Apache-2.0
// The parts of a sentence's derivations, numbered: what the score of a derivation sums over (spine_graph.hpp).
//
// Parts come in groups that share their words: the relations of an arc, the spines of a word, the runs of nodes of a word. Groups of
// spines and adjunctions are there from the start; groups of siblings, grandchildren and boundaries are made when they are first asked for,
// so that only parts have numbers that some item uses. Part 0 is no part; its score must be zero.
// An adjunction is an arc with one of its relations; adjunctions are numbered arc by arc.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/spines/candidates.hpp"
#include "core/constituents/spines/derivation.hpp"

namespace accord::constituents {

struct SpineShape {
  int order = 1;
  bool nearest = false;    // grandchildren: the nearest instead of the outermost
  bool boundaries = true;  // parts of boundaries
};

// Parts that share their words, numbered first, first + 1, ...
struct SpineParts {
  enum class Kind : uint8_t { spine, adjunction, sibling, grandchild, boundary };
  Kind kind;
  bool right;     // grandchild, boundary: the side
  int32_t arc;    // of adjunctions, siblings and grandchildren, whose parts are its relations
  int32_t word;   // of spines and boundaries
  int32_t other;  // sibling or grandchild, 0: there is none; boundary: the last word inside
  int32_t first;  // part
  int32_t count;
};

class SpinePartNumbers {
 public:
  // All must outlive the numbers.
  void build(const SpineGrammar& grammar, const SpineCandidates& candidates, const SpineShape& shape);

  int words() const { return candidates_->words(); }
  size_t count() const { return count_; }  // with part 0
  std::span<const SpineParts> groups() const { return groups_; }
  // The runs of nodes that the boundary parts of a word are about.
  std::span<const int32_t> segments(int word) const { return segments_[static_cast<size_t>(word)]; }

  // Arcs to the modifiers on one side of a word, outwards: the one at position k + 1 is arcs[k].
  std::span<const int32_t> modifiers(int word, bool right) const { return modifiers_[2 * static_cast<size_t>(word) + (right ? 1 : 0)]; }
  int position(int32_t arc) const { return position_of_[static_cast<size_t>(arc)]; }
  // The adjunctions of an arc: from its first one to the first one of the next arc.
  int32_t first_adjunction(size_t arc) const { return first_adjunctions_[arc]; }
  size_t adjunctions() const { return arc_of_adjunction_.size(); }
  int32_t arc_of(int32_t adjunction) const { return arc_of_adjunction_[static_cast<size_t>(adjunction)]; }

  int32_t spine(int word, size_t place) const { return spine_parts_[static_cast<size_t>(word)] + static_cast<int32_t>(place); }
  int32_t adjunction(int32_t adjunction) const { return in_group(arc_parts_[static_cast<size_t>(arc_of(adjunction))], adjunction); }
  // The position of the sibling or grandchild on its side; 0: there is none.
  int32_t sibling(int32_t adjunction, int position);
  int32_t grandchild(int32_t adjunction, bool right, int position);
  // Nodes first to end - 1 of a spine close behind the word `last`; part 0 where there are none.
  int32_t boundary(int word, bool right, int last, int32_t spine, size_t first, size_t end);

  // The parts of a derivation that is among the candidates, as far as they have numbers; false where one has none.
  bool parts_of(const SpineDerivation& derivation, std::vector<size_t>& parts) const;

 private:
  struct Placed;  // where the words of a derivation stand among the candidates

  void sort_modifiers();
  void collect_segments();
  void add_groups();
  int32_t add_group(SpineParts group);
  int32_t in_group(int32_t first, int32_t adjunction) const {
    return first + adjunction - first_adjunctions_[static_cast<size_t>(arc_of(adjunction))];
  }
  int32_t dependent_at(int word, bool right, int position) const;
  size_t sibling_place(int32_t arc, int position) const {
    return sibling_starts_[static_cast<size_t>(arc)] + static_cast<size_t>(position);
  }
  size_t grandchild_place(int32_t arc, bool right, int position) const {
    return grandchild_starts_[right][static_cast<size_t>(arc)] + static_cast<size_t>(position);
  }
  size_t boundary_place(int word, bool right, int last) const {
    return (static_cast<size_t>(word) * (static_cast<size_t>(words()) + 1) + static_cast<size_t>(last)) * 2 + (right ? 1 : 0);
  }
  int32_t segment_place(int word, int32_t segment) const;

  bool place(const SpineDerivation& derivation, Placed& placed, std::vector<size_t>& parts) const;
  bool parts_of_side(const SpineDerivation& derivation, const Placed& placed, int word, bool right, std::vector<size_t>& parts) const;
  int outermost(const SpineDerivation& derivation, int word, bool right) const;

  const SpineGrammar* grammar_ = nullptr;
  const SpineCandidates* candidates_ = nullptr;
  SpineShape shape_;
  size_t count_ = 1;
  std::vector<SpineParts> groups_;
  std::vector<int32_t> spine_parts_, arc_parts_;  // by word; by arc
  std::vector<std::vector<int32_t>> segments_;    // by word
  std::vector<std::vector<int32_t>> modifiers_;   // by side
  std::vector<int32_t> position_of_;              // by arc: its position on the side of its head
  std::vector<int32_t> first_adjunctions_;        // by arc, one more at the end
  std::vector<int32_t> arc_of_adjunction_;
  std::vector<int32_t> sibling_groups_, grandchild_groups_, boundary_groups_;  // first parts, -1: not made yet
  std::vector<size_t> sibling_starts_, grandchild_starts_[2];                  // by arc
};

}  // namespace accord::constituents
