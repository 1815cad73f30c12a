// SPDX-License-Identifier: Apache-2.0
#include "core/parses/parts/part_layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "core/parses/parts/descent.hpp"

namespace accord::parses {

void PartLayout::build(int words, std::span<const CandidateArc> arcs, PartFamilies families) {
  words_ = words;
  families_ = families;
  arcs_.assign(arcs.begin(), arcs.end());
  for (size_t i = 0; i < arcs_.size(); ++i) {
    const CandidateArc& arc = arcs_[i];
    const bool exists = arc.head >= 0 && arc.head <= words && arc.dependent >= 1 && arc.dependent <= words && arc.head != arc.dependent;
    if (!exists) throw std::invalid_argument("candidate arcs must join words of the sentence");
    if (i > 0 && !(arcs_[i - 1] < arc)) throw std::invalid_argument("candidate arcs must be sorted by dependent, then head");
  }
  entering_.assign(static_cast<size_t>(words) + 2, 0);
  for (const CandidateArc& arc : arcs_) ++entering_[static_cast<size_t>(arc.dependent) + 1];
  for (size_t m = 1; m < entering_.size(); ++m) entering_[m] += entering_[m - 1];
  number_sides();
  place_tables();
  families_.pattern = false;
  pattern_arcs_.clear();
  pattern_numbers_.clear();
  pattern_starts_.assign(1, 0);
}

void PartLayout::add_pattern(int number, std::span<const int32_t> arcs) {
  families_.pattern = true;
  pattern_numbers_.push_back(number);
  pattern_arcs_.insert(pattern_arcs_.end(), arcs.begin(), arcs.end());
  pattern_starts_.push_back(pattern_arcs_.size());
  take(1);
}

int PartLayout::find(int head, int dependent) const {
  const int first = first_entering(dependent);
  for (int arc = first; arc < first + entering(dependent); ++arc)
    if (this->head(arc) == head) return arc;
  return -1;
}

void PartLayout::number_sides() {
  side_starts_.assign(static_cast<size_t>(sides()) + 1, 0);
  for (int arc = 0; arc < arcs(); ++arc) ++side_starts_[static_cast<size_t>(side_of(arc)) + 1];
  for (size_t s = 1; s < side_starts_.size(); ++s) side_starts_[s] += side_starts_[s - 1];
  modifiers_.resize(arcs_.size());
  positions_.resize(arcs_.size());
  // Arcs come by ascending dependent: to the right that is outwards, to the left inwards.
  std::vector<int32_t> filled(static_cast<size_t>(sides()), 0);
  for (int arc = 0; arc < arcs(); ++arc) {
    const auto side = static_cast<size_t>(side_of(arc));
    const int32_t count = side_starts_[side + 1] - side_starts_[side], seen = filled[side]++;
    const int32_t place = side % 2 == 1 ? seen : count - 1 - seen;
    modifiers_[static_cast<size_t>(side_starts_[side] + place)] = arc;
    positions_[static_cast<size_t>(arc)] = place + 1;
  }
}

int PartLayout::modifier(int head, int index) const {
  const std::span<const int32_t> left = modifiers(2 * head), right = modifiers(2 * head + 1);
  const auto i = static_cast<size_t>(index);
  return i < left.size() ? left[left.size() - 1 - i] : right[i - left.size()];
}

void PartLayout::place_tables() {
  size_ = arcs_.size();
  const auto by_side = [&](bool wanted, std::vector<size_t>& starts, auto&& cells) {
    starts.assign(static_cast<size_t>(sides()), none);
    if (!wanted) return;
    for (int side = 0; side < sides(); ++side)
      if (const size_t modifiers = this->modifiers(side).size(); modifiers > 0)
        starts[static_cast<size_t>(side)] = take(cells(modifiers, static_cast<size_t>(entering(side / 2))));
  };
  by_side(families_.sibling, siblings_, [](size_t n, size_t) { return (n + 1) * (n + 2); });
  by_side(families_.grandparent, grandparents_, [](size_t n, size_t g) { return g * (n + 2); });
  by_side(families_.grand_sibling, grand_siblings_, [](size_t n, size_t g) { return g * (n + 1) * (n + 2); });
  by_side(families_.tri_sibling, tri_siblings_, [](size_t n, size_t) { return (n + 1) * (n + 1) * (n + 2); });
  const size_t nodes = static_cast<size_t>(words_) + 1;
  head_bigrams_.assign(nodes, none);
  any_siblings_.assign(nodes, none);
  valencies_.assign(nodes, none);
  if (families_.head_bigram)
    for (int m = 2; m <= words_; ++m)
      head_bigrams_[static_cast<size_t>(m)] = take(static_cast<size_t>(entering(m)) * static_cast<size_t>(entering(m - 1)));
  if (families_.any_sibling)
    for (int h = 0; h <= words_; ++h) any_siblings_[static_cast<size_t>(h)] = take(pair(0, modifier_count(h)));
  if (families_.valency)
    for (int h = 1; h <= words_; ++h)
      if (modifier_count(h) > 0) valencies_[static_cast<size_t>(h)] = take(static_cast<size_t>(modifier_count(h)) + 1);
  place_conjunctions();
  by_side(families_.outer_grandparent, outer_grandparents_, [](size_t n, size_t g) { return g * (n + 2); });
  paths_.clear();
  nonprojectives_.clear();
  if (families_.descent()) place_descents();
}

void PartLayout::place_descents() {
  const size_t nodes = static_cast<size_t>(words_) + 1;
  if (families_.path) {
    const std::vector<uint8_t> reachable = reachable_words(*this);
    paths_.assign(nodes * nodes, none);
    for (size_t pair = 0; pair < paths_.size(); ++pair)
      if (reachable[pair]) paths_[pair] = take(1);
  }
  if (!families_.nonprojective) return;
  nonprojectives_.assign(arcs_.size(), none);
  for (size_t arc = 0; arc < arcs_.size(); ++arc)
    if (arcs_[arc].head > 0 && std::abs(arcs_[arc].head - arcs_[arc].dependent) > 1) nonprojectives_[arc] = take(1);
}

void PartLayout::add_descents(std::span<const int32_t> heads, std::span<const int32_t> chosen, std::vector<size_t>& slots) const {
  const std::vector<uint8_t> below = descendants(heads);
  for (size_t pair = 0; pair < paths_.size(); ++pair)
    if (below[pair] && paths_[pair] != none) slots.push_back(paths_[pair]);
  if (!families_.nonprojective) return;
  for (int m = 1; m <= words_; ++m) {
    const size_t slot = nonprojectives_[static_cast<size_t>(chosen[static_cast<size_t>(m)])];
    if (slot != none && !covers(below, words_, heads[static_cast<size_t>(m)], m)) slots.push_back(slot);
  }
}

bool PartLayout::parts_of(std::span<const int32_t> heads, std::vector<size_t>& slots) const {
  slots.clear();
  std::vector<int32_t> chosen(static_cast<size_t>(words_) + 1, -1);
  std::vector<uint8_t> on(arcs_.size(), 0);
  for (int m = 1; m <= words_; ++m) {
    const int arc = find(heads[static_cast<size_t>(m)], m);
    if (arc < 0) return false;
    chosen[static_cast<size_t>(m)] = arc;
    on[static_cast<size_t>(arc)] = 1;
    slots.push_back(static_cast<size_t>(arc));
  }
  for (int side = 0; side < sides(); ++side) {
    const std::span<const int32_t> modifiers = this->modifiers(side);
    if (modifiers.empty()) continue;
    const size_t end = modifiers.size() + 1, row = modifiers.size() + 2;
    const int head = side / 2;
    const size_t grandparent = head == 0 ? none : static_cast<size_t>(chosen[static_cast<size_t>(head)] - first_entering(head));
    size_t before_last = none, last = 0;
    for (size_t next = 1; next <= end; ++next) {
      if (next < end && !on[static_cast<size_t>(modifiers[next - 1])]) continue;
      const auto s = static_cast<size_t>(side);
      if (families_.sibling) slots.push_back(siblings_[s] + last * row + next);
      if (grandparent != none) {
        if (families_.outer_grandparent && next == end && last > 0) slots.push_back(outer_grandparents_[s] + grandparent * row + last);
        if (families_.grandparent && next < end) slots.push_back(grandparents_[s] + grandparent * row + next);
        if (families_.grand_sibling && !(last == 0 && next == end))
          slots.push_back(grand_siblings_[s] + (grandparent * (row - 1) + last) * row + next);
      }
      if (families_.tri_sibling && before_last != none && !(before_last == 0 && next == end))
        slots.push_back(tri_siblings_[s] + (before_last * (row - 1) + last) * row + next);
      before_last = last;
      last = next;
    }
  }
  if (families_.head_bigram)
    for (int m = 2; m <= words_; ++m) {
      const auto here = static_cast<size_t>(chosen[static_cast<size_t>(m)] - first_entering(m));
      const auto there = static_cast<size_t>(chosen[static_cast<size_t>(m) - 1] - first_entering(m - 1));
      slots.push_back(head_bigrams(m) + here * static_cast<size_t>(entering(m - 1)) + there);
    }
  add_conjunctions_of(chosen, on, slots);
  for (int h = 0; h <= words_ && (families_.any_sibling || families_.valency); ++h) {
    std::vector<int> present;
    for (int i = 0; i < modifier_count(h); ++i)
      if (on[static_cast<size_t>(modifier(h, i))]) present.push_back(i);
    if (families_.any_sibling)
      for (size_t j = 1; j < present.size(); ++j)
        for (size_t i = 0; i < j; ++i) slots.push_back(any_siblings(h) + pair(present[i], present[j]));
    if (families_.valency && h > 0 && modifier_count(h) > 0) slots.push_back(valencies(h) + present.size());
  }
  if (families_.descent()) add_descents(heads, chosen, slots);
  const auto is_on = [&](int32_t arc) { return on[static_cast<size_t>(arc)] != 0; };
  for (size_t i = 0; i < pattern_count(); ++i)
    if (std::ranges::all_of(pattern_arcs(i), is_on)) slots.push_back(pattern_slot(i));
  return true;
}

double PartLayout::score(std::span<const double> scores, std::span<const int32_t> heads) const {
  std::vector<size_t> slots;
  if (!parts_of(heads, slots)) return -std::numeric_limits<double>::infinity();
  double total = 0;
  for (const size_t slot : slots) total += scores[slot];
  return total;
}

}  // namespace accord::parses
