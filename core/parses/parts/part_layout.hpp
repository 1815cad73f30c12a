// SPDX-License-Identifier: Apache-2.0
// Where the parts of a sentence's trees stand in one flat array of scores.
//
// Set:     candidate arcs (head, dependent), numbered by dependent, then head; parts are made of candidate arcs only.
// Sides:   side 2h holds the modifiers of h to its left, side 2h + 1 those to its right, both outwards: the nearest first. With N
//          modifiers, position 0 is START, 1..N are the modifiers, N + 1 is END, as in the head automata of core/graph.
// Parts:   (a side or head without candidate modifiers has none; entries that are not listed stand in the tables but belong to no tree)
//            arc              slot = number of the arc
//            sibling          side x (N+1) x (N+2)       consecutive modifiers i < j, START and END included
//            grandparent      side x G x (N+2)           incoming arc g of the head, modifier j
//            grand_sibling    side x G x (N+1) x (N+2)   both together; not (START, END)
//            tri_sibling      side x (N+1) x (N+1) x (N+2)  three consecutive positions; not (START, j, END)
//            head_bigram      word m >= 2 x K(m) x K(m-1)   the heads of two neighbouring words
//            any_sibling      head x M(M-1)/2            every two modifiers of a head, in the order of the words
//            valency          head >= 1 x (M+1)          how many modifiers a head has
//            great_grandparent  arc h -> m x chains above h   the arcs g -> h and a -> g above an arc, four different words
//            any_tri_sibling  head x M(M-1)(M-2)/6       every three modifiers of a head, in the order of the words
//            comb             outermost arc x lengths    4 to 8 neighbouring words on one side, all of them modifiers of one head
//            outer_grandparent  side x G x (N+2)         incoming arc g of the head, outermost modifier j
//            path             word >= 1 x D              one of the D words that candidate arcs lead to from it descends from it
//            nonprojective    arc from a word, 2 or more long   some word between its ends does not descend from its head
//            pattern          one for each match             the arcs of a pattern of words, as add_pattern was told
//          G = K(h): incoming arcs of h in their order; M: modifiers of a head on both sides.
// Scores, posteriors and gradients of all parts are arrays of size() numbers in this order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/parses/parts/part_families.hpp"

namespace accord::parses {

struct CandidateArc {
  int32_t head = 0, dependent = 0;

  friend bool operator==(const CandidateArc&, const CandidateArc&) = default;
  friend bool operator<(const CandidateArc& a, const CandidateArc& b) {
    return a.dependent != b.dependent ? a.dependent < b.dependent : a.head < b.head;
  }
};

class PartLayout {
 public:
  static constexpr size_t none = static_cast<size_t>(-1);
  static constexpr int shortest_comb = 4, longest_comb = 8;  // words

  // Arcs in the order of dependent, then head, each once, 0 <= head <= words, 1 <= dependent <= words. Buffers are reused.
  void build(int words, std::span<const CandidateArc> arcs, PartFamilies families);
  // After build, whose layout has no pattern parts, whatever the families: these arcs count together, for pattern `number`.
  void add_pattern(int number, std::span<const int32_t> arcs);

  int words() const { return words_; }
  int arcs() const { return static_cast<int>(arcs_.size()); }
  size_t size() const { return size_; }
  const PartFamilies& families() const { return families_; }
  int head(int arc) const { return arcs_[static_cast<size_t>(arc)].head; }
  int dependent(int arc) const { return arcs_[static_cast<size_t>(arc)].dependent; }
  int find(int head, int dependent) const;  // number of the arc, or -1

  // Arcs first_entering(m) .. first_entering(m) + entering(m) - 1 enter word m; none enter 0.
  int first_entering(int word) const { return entering_[static_cast<size_t>(word)]; }
  int entering(int word) const { return entering_[static_cast<size_t>(word) + 1] - entering_[static_cast<size_t>(word)]; }

  // Arc numbers of a side, outwards.
  int sides() const { return 2 * (words_ + 1); }
  std::span<const int32_t> modifiers(int side) const {
    const auto s = static_cast<size_t>(side);
    return std::span(modifiers_).subspan(static_cast<size_t>(side_starts_[s]), static_cast<size_t>(side_starts_[s + 1] - side_starts_[s]));
  }
  int side_of(int arc) const { return 2 * head(arc) + (dependent(arc) > head(arc)); }
  int position(int arc) const { return positions_[static_cast<size_t>(arc)]; }  // on its side, 1..N
  // All modifiers of a head (0..words) from left to right.
  int modifier_count(int head) const { return static_cast<int>(modifiers(2 * head).size() + modifiers(2 * head + 1).size()); }
  int modifier(int head, int index) const;  // arc number of the index-th one, 0-based

  // First slot of a side's, word's or head's table.
  size_t siblings(int side) const { return siblings_[static_cast<size_t>(side)]; }
  size_t grandparents(int side) const { return grandparents_[static_cast<size_t>(side)]; }
  size_t grand_siblings(int side) const { return grand_siblings_[static_cast<size_t>(side)]; }
  size_t tri_siblings(int side) const { return tri_siblings_[static_cast<size_t>(side)]; }
  size_t head_bigrams(int word) const { return head_bigrams_[static_cast<size_t>(word)]; }
  size_t any_siblings(int head) const { return any_siblings_[static_cast<size_t>(head)]; }
  size_t valencies(int head) const { return valencies_[static_cast<size_t>(head)]; }
  size_t great_grandparents(int arc) const { return great_grandparents_[static_cast<size_t>(arc)]; }
  size_t any_tri_siblings(int head) const { return any_tri_siblings_[static_cast<size_t>(head)]; }
  size_t combs(int arc) const { return combs_[static_cast<size_t>(arc)]; }
  size_t outer_grandparents(int side) const { return outer_grandparents_[static_cast<size_t>(side)]; }
  // Slot of a word that descends from another, or none where no candidate arcs lead there.
  size_t path(int ancestor, int descendant) const {
    return paths_[static_cast<size_t>(ancestor) * (static_cast<size_t>(words_) + 1) + static_cast<size_t>(descendant)];
  }
  size_t nonprojective(int arc) const { return nonprojectives_[static_cast<size_t>(arc)]; }  // or none
  // Pattern parts in the order in which they were added.
  size_t pattern_count() const { return pattern_numbers_.size(); }
  size_t pattern_slot(size_t index) const { return size_ - pattern_count() + index; }
  int pattern_number(size_t slot) const { return pattern_numbers_[slot - pattern_slot(0)]; }
  std::span<const int32_t> pattern_arcs(size_t index) const {
    return std::span(pattern_arcs_).subspan(pattern_starts_[index], pattern_starts_[index + 1] - pattern_starts_[index]);
  }
  // Slot of modifiers i < j (0-based, left to right) within a head's table of sibling pairs.
  static size_t pair(int i, int j) { return static_cast<size_t>(j) * static_cast<size_t>(j - 1) / 2 + static_cast<size_t>(i); }

  // Slot of modifiers i < j < k within a head's table of sibling triples.
  static size_t triple(int i, int j, int k) {
    return static_cast<size_t>(k) * static_cast<size_t>(k - 1) * static_cast<size_t>(k - 2) / 6 + pair(i, j);
  }
  // Slot of the chain `upper` over `lower` (the arcs a -> g, g -> h) within the table of an arc that leaves h.
  size_t chain(int upper, int lower) const {
    return static_cast<size_t>(chains_[static_cast<size_t>(lower)] + upper - first_entering(head(lower)));
  }
  // Words of the longest comb whose outermost word is the arc's dependent, at most longest_comb; below shortest_comb: there is none.
  int comb_reach(int arc) const { return comb_reaches_[static_cast<size_t>(arc)]; }

  // The slots of a tree's parts, ascending within each family. heads[0] is ignored; false when an arc is no candidate.
  bool parts_of(std::span<const int32_t> heads, std::vector<size_t>& slots) const;
  // Sum of the scores of a tree's parts; -infinity when an arc is no candidate.
  double score(std::span<const double> scores, std::span<const int32_t> heads) const;

 private:
  void number_sides();
  void place_tables();
  void place_conjunctions();
  void add_conjunctions_of(std::span<const int32_t> chosen, std::span<const uint8_t> on, std::vector<size_t>& slots) const;
  void place_descents();
  void add_descents(std::span<const int32_t> heads, std::span<const int32_t> chosen, std::vector<size_t>& slots) const;
  size_t take(size_t count) { return std::exchange(size_, size_ + count); }

  int words_ = 0;
  size_t size_ = 0;
  PartFamilies families_;
  std::vector<CandidateArc> arcs_;
  std::vector<int32_t> entering_, side_starts_, modifiers_, positions_;
  std::vector<size_t> siblings_, grandparents_, grand_siblings_, tri_siblings_;  // by side
  std::vector<size_t> head_bigrams_, any_siblings_, valencies_;                  // by word
  std::vector<size_t> great_grandparents_, any_tri_siblings_, combs_, outer_grandparents_;
  std::vector<int32_t> chains_, comb_reaches_;  // by arc
  std::vector<size_t> paths_, nonprojectives_;  // by pair of words, by arc; empty without these families
  std::vector<int32_t> pattern_arcs_, pattern_numbers_;
  std::vector<size_t> pattern_starts_ = {0};
};

}  // namespace accord::parses
