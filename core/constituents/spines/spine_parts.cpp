// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/spines/spine_parts.hpp"

#include <algorithm>
#include <cstdlib>

namespace accord::constituents {

void SpinePartNumbers::build(const SpineGrammar& grammar, const SpineCandidates& candidates, const SpineShape& shape) {
  grammar_ = &grammar;
  candidates_ = &candidates;
  shape_ = shape;
  count_ = 1;
  groups_.clear();
  sort_modifiers();
  collect_segments();
  add_groups();
}

void SpinePartNumbers::sort_modifiers() {
  modifiers_.resize(2 * (static_cast<size_t>(words()) + 1));
  for (std::vector<int32_t>& side : modifiers_) side.clear();
  const std::vector<AdjunctionArc>& arcs = candidates_->arcs;
  for (size_t a = 0; a < arcs.size(); ++a)
    if (arcs[a].head > 0)
      modifiers_[2 * static_cast<size_t>(arcs[a].head) + (arcs[a].dependent > arcs[a].head ? 1 : 0)].push_back(static_cast<int32_t>(a));
  position_of_.assign(arcs.size(), 0);
  for (std::vector<int32_t>& side : modifiers_) {
    const auto distance = [&](int32_t a) { return std::abs(arcs[static_cast<size_t>(a)].dependent - arcs[static_cast<size_t>(a)].head); };
    std::sort(side.begin(), side.end(), [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
    for (size_t k = 0; k < side.size(); ++k) position_of_[static_cast<size_t>(side[k])] = static_cast<int32_t>(k) + 1;
  }
}

void SpinePartNumbers::collect_segments() {
  const auto n = static_cast<size_t>(words());
  segments_.resize(n + 1);
  for (size_t word = 1; word <= n; ++word) {
    std::vector<int32_t>& runs = segments_[word];
    runs.clear();
    if (!shape_.boundaries) continue;
    for (const int32_t spine : candidates_->spines[word]) {
      const size_t length = grammar_->spine(spine).size();
      for (size_t first = 0; first < length; ++first)
        for (size_t end = first + 1; end <= length; ++end) runs.push_back(grammar_->segment(spine, first, end));
    }
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  }
}

void SpinePartNumbers::add_groups() {
  const auto n = static_cast<size_t>(words());
  spine_parts_.assign(n + 1, 0);
  for (int word = 1; word <= words(); ++word) {
    const auto spines = static_cast<int32_t>(candidates_->spines[static_cast<size_t>(word)].size());
    spine_parts_[static_cast<size_t>(word)] = add_group({SpineParts::Kind::spine, false, -1, word, 0, 0, spines});
  }
  arc_parts_.clear();
  arc_of_adjunction_.clear();
  first_adjunctions_.clear();
  sibling_starts_.clear();
  grandchild_starts_[0].clear();
  grandchild_starts_[1].clear();
  size_t siblings = 0, grandchildren = 0;
  for (size_t a = 0; a < candidates_->arcs.size(); ++a) {
    const AdjunctionArc& arc = candidates_->arcs[a];
    arc_parts_.push_back(add_group({SpineParts::Kind::adjunction, false, static_cast<int32_t>(a), 0, 0, 0, arc.relations}));
    first_adjunctions_.push_back(static_cast<int32_t>(arc_of_adjunction_.size()));
    arc_of_adjunction_.resize(arc_of_adjunction_.size() + static_cast<size_t>(arc.relations), static_cast<int32_t>(a));
    if (shape_.order == 1) continue;
    sibling_starts_.push_back(siblings);
    siblings += static_cast<size_t>(position_of_[a]);
    for (const bool right : {false, true}) {
      grandchild_starts_[right].push_back(grandchildren);
      grandchildren += modifiers(arc.dependent, right).size() + 1;
    }
  }
  first_adjunctions_.push_back(static_cast<int32_t>(arc_of_adjunction_.size()));
  sibling_groups_.assign(siblings, -1);
  grandchild_groups_.assign(grandchildren, -1);
  boundary_groups_.assign(shape_.boundaries ? (n + 1) * (n + 1) * 2 : 0, -1);
}

int32_t SpinePartNumbers::add_group(SpineParts group) {
  group.first = static_cast<int32_t>(count_);
  count_ += static_cast<size_t>(group.count);
  groups_.push_back(group);
  return group.first;
}

int32_t SpinePartNumbers::dependent_at(int word, bool right, int position) const {
  if (position == 0) return 0;
  return candidates_->arcs[static_cast<size_t>(modifiers(word, right)[static_cast<size_t>(position) - 1])].dependent;
}

int32_t SpinePartNumbers::sibling(int32_t adjunction, int position) {
  if (shape_.order == 1) return 0;
  const int32_t a = arc_of(adjunction);
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(a)];
  int32_t& first = sibling_groups_[sibling_place(a, position)];
  if (first < 0) {
    const int32_t before = dependent_at(arc.head, arc.dependent > arc.head, position);
    first = add_group({SpineParts::Kind::sibling, false, a, 0, before, 0, arc.relations});
  }
  return in_group(first, adjunction);
}

int32_t SpinePartNumbers::grandchild(int32_t adjunction, bool right, int position) {
  const int32_t a = arc_of(adjunction);
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(a)];
  int32_t& first = grandchild_groups_[grandchild_place(a, right, position)];
  if (first < 0)
    first = add_group({SpineParts::Kind::grandchild, right, a, 0, dependent_at(arc.dependent, right, position), 0, arc.relations});
  return in_group(first, adjunction);
}

int32_t SpinePartNumbers::segment_place(int word, int32_t segment) const {
  const std::vector<int32_t>& runs = segments_[static_cast<size_t>(word)];
  return static_cast<int32_t>(std::lower_bound(runs.begin(), runs.end(), segment) - runs.begin());
}

int32_t SpinePartNumbers::boundary(int word, bool right, int last, int32_t spine, size_t first_node, size_t end_node) {
  if (!shape_.boundaries || first_node >= end_node) return 0;
  int32_t& first = boundary_groups_[boundary_place(word, right, last)];
  if (first < 0) first = add_group({SpineParts::Kind::boundary, right, -1, word, last, 0, static_cast<int32_t>(segments(word).size())});
  return first + segment_place(word, grammar_->segment(spine, first_node, end_node));
}

namespace {

// Adds a part of a group; false where the group has no parts.
bool add_part(std::vector<size_t>& parts, int32_t first, int32_t place) {
  if (first < 0) return false;
  parts.push_back(static_cast<size_t>(first + place));
  return true;
}

}  // namespace

struct SpinePartNumbers::Placed {
  std::vector<int32_t> arc, relation;  // by dependent: its arc, and the place of its relation among those of the arc
};

bool SpinePartNumbers::parts_of(const SpineDerivation& derivation, std::vector<size_t>& parts) const {
  parts.clear();
  Placed placed;
  if (!place(derivation, placed, parts)) return false;
  for (int word = 1; word <= words(); ++word) {
    const auto w = static_cast<size_t>(word);
    const std::span<const int32_t> known = candidates_->spines[w];
    const auto found = std::find(known.begin(), known.end(), derivation.spine[w]);
    if (placed.arc[w] < 0 || found == known.end()) return false;
    if (!add_part(parts, spine_parts_[w], static_cast<int32_t>(found - known.begin()))) return false;
    for (const bool right : {false, true})
      if (!parts_of_side(derivation, placed, word, right, parts)) return false;
  }
  return true;
}

bool SpinePartNumbers::place(const SpineDerivation& derivation, Placed& placed, std::vector<size_t>& parts) const {
  const std::vector<uint8_t> after = after_regular(derivation);
  placed.arc.assign(static_cast<size_t>(words()) + 1, -1);
  placed.relation = placed.arc;
  for (size_t number = 0; number < candidates_->arcs.size(); ++number) {
    const AdjunctionArc& arc = candidates_->arcs[number];
    const auto m = static_cast<size_t>(arc.dependent);
    if (derivation.head[m] != arc.head) continue;
    const int32_t relation = grammar_->find(relation_of(*grammar_, derivation, candidates_->tags, arc.dependent, after[m]));
    const std::span<const int32_t> known = candidates_->relations_of(arc);
    const auto found = std::find(known.begin(), known.end(), relation);
    if (found == known.end()) return false;
    placed.arc[m] = static_cast<int32_t>(number);
    placed.relation[m] = static_cast<int32_t>(found - known.begin());
    if (!add_part(parts, arc_parts_[number], placed.relation[m])) return false;
  }
  return true;
}

// The last word below `word` on one side of it.
int SpinePartNumbers::outermost(const SpineDerivation& derivation, int word, bool right) const {
  for (;;) {
    int next = word;
    for (const int32_t deeper : modifiers(word, right)) {
      const AdjunctionArc& further = candidates_->arcs[static_cast<size_t>(deeper)];
      if (derivation.head[static_cast<size_t>(further.dependent)] == word) next = further.dependent;
    }
    if (next == word) return word;
    word = next;
  }
}

bool SpinePartNumbers::parts_of_side(const SpineDerivation& derivation, const Placed& placed, int word, bool right,
                                     std::vector<size_t>& parts) const {
  const auto w = static_cast<size_t>(word);
  const std::span<const int32_t> arcs = modifiers(word, right);
  int last_position = 0, first_position = 0, last = word;
  size_t node = 0;
  const auto close = [&](size_t end) {
    if (!shape_.boundaries || node >= end) return true;
    const int32_t group = boundary_groups_[boundary_place(word, right, last)];
    return add_part(parts, group, segment_place(word, grammar_->segment(derivation.spine[w], node, end)));
  };
  for (size_t k = 0; k < arcs.size(); ++k) {
    const int dependent = candidates_->arcs[static_cast<size_t>(arcs[k])].dependent;
    const auto m = static_cast<size_t>(dependent);
    if (derivation.head[m] != word) continue;
    if (shape_.order == 2 && !add_part(parts, sibling_groups_[sibling_place(arcs[k], last_position)], placed.relation[m])) return false;
    // Before the next modifier, the side ends where the last one's words end.
    if (!close(static_cast<size_t>(derivation.node[m]))) return false;
    node = static_cast<size_t>(derivation.node[m]);
    last_position = static_cast<int>(k) + 1;
    if (first_position == 0) first_position = last_position;
    last = outermost(derivation, dependent, right);
  }
  if (!close(grammar_->spine(derivation.spine[w]).size())) return false;
  if (shape_.order == 1) return true;
  const int child = shape_.nearest ? first_position : last_position;
  return add_part(parts, grandchild_groups_[grandchild_place(placed.arc[w], right, child)], placed.relation[w]);
}

}  // namespace accord::constituents
