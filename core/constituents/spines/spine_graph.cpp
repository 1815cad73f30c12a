// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/spines/spine_graph.hpp"

#include <algorithm>
#include <cstdlib>

namespace accord::constituents {

using hypergraph::nothing;

namespace {

// A state of a side: the last node used, and whether it was doubled.
struct SideState {
  size_t node;
  bool doubled;
};

SideState side_state(int32_t number) { return {static_cast<size_t>(number / 2), number % 2 != 0}; }

// Whether a side in a state may take a modifier by a relation at a node.
bool may_follow(const SideState& state, const SpineRelation& relation, size_t node) {
  if (relation.regular) return state.node <= node;
  if (relation.after_regular()) return state.node == node && state.doubled;
  return state.node < node || (state.node == node && !state.doubled);
}

int32_t next_state(const SpineRelation& relation, size_t node) {
  return static_cast<int32_t>(2 * node) + (relation.regular || relation.after_regular() ? 1 : 0);
}

}  // namespace

void SpineGraph::build(const SpineGrammar& grammar, const SpineCandidates& candidates, const SpineShape& shape) {
  grammar_ = &grammar;
  candidates_ = &candidates;
  shape_ = shape;
  prepare();
  for (int word = 1; word <= words(); ++word)
    for (const bool right : {false, true}) {
      Side& one = side(word, right);
      const size_t begin = side_items_.size();
      for (size_t place = 0; place < spines(word).size(); ++place) {
        const Edge axiom{nothing, nothing, right ? spine_parts_[static_cast<size_t>(word)] + static_cast<int32_t>(place) : 0, 0};
        side_items_.push_back({new_item(std::span(&axiom, 1)), state_starts_[static_cast<size_t>(word)][place], 0});
      }
      one.items[0] = {begin, side_items_.size()};
      finish(one, 0);
    }
  for (int length = 1; length < words(); ++length) {
    for (const int32_t arc : arcs_by_length_[static_cast<size_t>(length)]) join(arc);
    for (Side& one : sides_)
      if (one.word > 0 && one.reach >= length) {
        extend(one, length);
        finish(one, length);
      }
  }
  reach_goal();
}

void SpineGraph::prepare() {
  const auto n = static_cast<size_t>(words());
  part_count_ = 1;
  groups_.clear();
  edges_.clear();
  first_.assign(2, 0);  // item 0 has no edges
  join_of_.assign(1, -1);
  goal_ = nothing;
  joins_.clear();
  goal_joins_.clear();
  side_items_.clear();
  done_items_.clear();
  join_items_.clear();
  sort_modifiers();
  number_states();
  add_groups();
  arcs_by_length_.resize(n + 1);
  for (std::vector<int32_t>& list : arcs_by_length_) list.clear();
  for (size_t a = 0; a < candidates_->arcs.size(); ++a) {
    const AdjunctionArc& arc = candidates_->arcs[a];
    if (arc.head > 0) arcs_by_length_[static_cast<size_t>(std::abs(arc.head - arc.dependent))].push_back(static_cast<int32_t>(a));
  }
}

void SpineGraph::sort_modifiers() {
  const auto n = static_cast<size_t>(words());
  sides_.resize(2 * (n + 1));
  for (size_t s = 0; s < sides_.size(); ++s) {
    Side& one = sides_[s];
    one.word = static_cast<int>(s / 2);
    one.right = s % 2 != 0;
    one.reach = one.right ? words() - one.word : one.word - 1;
    one.arcs.clear();
    if (one.word == 0) continue;
    one.items.assign(static_cast<size_t>(one.reach) + 1, {0, 0});
    one.done.assign(spines(one.word).size() * (static_cast<size_t>(one.reach) + 1), {0, 0});
  }
  for (size_t a = 0; a < candidates_->arcs.size(); ++a) {
    const AdjunctionArc& arc = candidates_->arcs[a];
    if (arc.head > 0) side(arc.head, arc.dependent > arc.head).arcs.push_back(static_cast<int32_t>(a));
  }
  position_of_.assign(candidates_->arcs.size(), 0);
  for (Side& one : sides_) {
    const auto distance = [&](int32_t a) { return std::abs(candidates_->arcs[static_cast<size_t>(a)].dependent - one.word); };
    std::sort(one.arcs.begin(), one.arcs.end(), [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
    for (size_t k = 0; k < one.arcs.size(); ++k) position_of_[static_cast<size_t>(one.arcs[k])] = static_cast<int32_t>(k) + 1;
  }
}

void SpineGraph::number_states() {
  const auto n = static_cast<size_t>(words());
  state_starts_.resize(n + 1);
  spine_of_state_.resize(n + 1);
  segments_.resize(n + 1);
  for (size_t word = 1; word <= n; ++word) {
    std::vector<int32_t>&starts = state_starts_[word], &places = spine_of_state_[word], &runs = segments_[word];
    starts.clear();
    places.clear();
    runs.clear();
    for (const int32_t spine : candidates_->spines[word]) {
      starts.push_back(static_cast<int32_t>(places.size()));
      const size_t length = grammar_->spine(spine).size();
      places.resize(places.size() + std::max<size_t>(2 * length, 1), static_cast<int32_t>(starts.size()) - 1);
      if (!shape_.boundaries) continue;
      for (size_t first = 0; first < length; ++first)
        for (size_t end = first + 1; end <= length; ++end) runs.push_back(grammar_->segment(spine, first, end));
    }
    starts.push_back(static_cast<int32_t>(places.size()));
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  }
}

void SpineGraph::add_groups() {
  const std::vector<AdjunctionArc>& arcs = candidates_->arcs;
  const auto n = static_cast<size_t>(words());
  spine_parts_.assign(n + 1, 0);
  for (int word = 1; word <= words(); ++word)
    spine_parts_[static_cast<size_t>(word)] =
        add_group({SpineParts::Kind::spine, false, -1, word, 0, 0, static_cast<int32_t>(spines(word).size())});
  arc_parts_.clear();
  arc_adjunctions_.clear();
  sibling_starts_.clear();
  grandchild_starts_[0].clear();
  grandchild_starts_[1].clear();
  seen_starts_.clear();
  size_t siblings = 0, grandchildren = 0, seen_count = 0, adjunction = 0;
  for (size_t a = 0; a < arcs.size(); ++a) {
    const AdjunctionArc& arc = arcs[a];
    arc_parts_.push_back(add_group({SpineParts::Kind::adjunction, false, static_cast<int32_t>(a), 0, 0, 0, arc.relations}));
    arc_adjunctions_.push_back(static_cast<int32_t>(adjunction));
    for (const int32_t relation : candidates_->relations_of(arc)) {
      if (adjunctions_.size() <= adjunction) adjunctions_.emplace_back();
      Adjunction& one = adjunctions_[adjunction++];
      one.arc = static_cast<int32_t>(a);
      one.relation = relation;
      one.joins_first = one.joins_end = 0;
      one.tops.clear();
      const std::span<const int32_t> below = spines(arc.dependent);
      for (size_t place = 0; place < below.size(); ++place)
        if (grammar_->top(below[place], candidates_->tags[static_cast<size_t>(arc.dependent)]) == grammar_->relation(relation).modifier)
          one.tops.push_back(static_cast<int32_t>(place));
      seen_starts_.push_back(seen_count);
      seen_count += one.tops.size() * (n + 1);  // both sides: their distances sum to n - 1
    }
    if (shape_.order == 1) continue;
    sibling_starts_.push_back(siblings);
    siblings += static_cast<size_t>(position_of_[a]);
    for (const bool right : {false, true}) {
      grandchild_starts_[right].push_back(grandchildren);
      grandchildren += side(arc.dependent, right).arcs.size() + 1;
    }
  }
  arc_adjunctions_.push_back(static_cast<int32_t>(adjunction));
  adjunctions_.resize(adjunction);
  sibling_groups_.assign(siblings, -1);
  grandchild_groups_.assign(grandchildren, -1);
  boundary_groups_.assign(shape_.boundaries ? (n + 1) * (n + 1) * 2 : 0, -1);
  seen_.assign(shape_.order == 1 ? 0 : seen_count, 0);
}

int32_t SpineGraph::add_group(SpineParts group) {
  group.first = static_cast<int32_t>(part_count_);
  part_count_ += static_cast<size_t>(group.count);
  groups_.push_back(group);
  return group.first;
}

int32_t SpineGraph::sibling_part(int32_t adjunction, int position) {
  if (shape_.order == 1) return 0;
  const int32_t a = adjunctions_[static_cast<size_t>(adjunction)].arc;
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(a)];
  int32_t& first = sibling_groups_[sibling_starts_[static_cast<size_t>(a)] + static_cast<size_t>(position)];
  if (first < 0) {
    const Side& around = side(arc.head, arc.dependent > arc.head);
    const int sibling =
        position == 0 ? 0 : candidates_->arcs[static_cast<size_t>(around.arcs[static_cast<size_t>(position) - 1])].dependent;
    first = add_group({SpineParts::Kind::sibling, false, a, 0, sibling, 0, arc.relations});
  }
  return first + adjunction - arc_adjunctions_[static_cast<size_t>(a)];
}

int32_t SpineGraph::grandchild_part(int32_t adjunction, bool right, int position) {
  const int32_t a = adjunctions_[static_cast<size_t>(adjunction)].arc;
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(a)];
  int32_t& first = grandchild_groups_[grandchild_starts_[right][static_cast<size_t>(a)] + static_cast<size_t>(position)];
  if (first < 0) {
    const Side& below = side(arc.dependent, right);
    const int child = position == 0 ? 0 : candidates_->arcs[static_cast<size_t>(below.arcs[static_cast<size_t>(position) - 1])].dependent;
    first = add_group({SpineParts::Kind::grandchild, right, a, 0, child, 0, arc.relations});
  }
  return first + adjunction - arc_adjunctions_[static_cast<size_t>(a)];
}

int32_t SpineGraph::segment_place(int word, int32_t segment) const {
  const std::vector<int32_t>& runs = segments_[static_cast<size_t>(word)];
  return static_cast<int32_t>(std::lower_bound(runs.begin(), runs.end(), segment) - runs.begin());
}

int32_t SpineGraph::boundary_part(int word, bool right, int last, int32_t segment) {
  const auto width = static_cast<size_t>(words()) + 1;
  int32_t& first = boundary_groups_[(static_cast<size_t>(word) * width + static_cast<size_t>(last)) * 2 + (right ? 1 : 0)];
  if (first < 0)
    first = add_group(
        {SpineParts::Kind::boundary, right, -1, word, last, 0, static_cast<int32_t>(segments_[static_cast<size_t>(word)].size())});
  return first + segment_place(word, segment);
}

int32_t SpineGraph::boundary_if_closed(int word, bool right, int last, int32_t spine, size_t first, size_t end) {
  return shape_.boundaries && first < end ? boundary_part(word, right, last, grammar_->segment(spine, first, end)) : 0;
}

uint32_t SpineGraph::new_item(std::span<const Edge> edges, int32_t join) {
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  first_.push_back(edges_.size());
  join_of_.push_back(join);
  return static_cast<uint32_t>(first_.size() - 2);
}

// What the head of a dependent sees of one of its sides, `distance` words wide: with order 1 the side as it is.
uint32_t SpineGraph::seen(int32_t adjunction, int32_t top, bool right, int distance) {
  const Adjunction& one = adjunctions_[static_cast<size_t>(adjunction)];
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(one.arc)];
  const Side& below = side(arc.dependent, right);
  const auto spine = static_cast<size_t>(one.tops[static_cast<size_t>(top)]);
  const auto [begin, end] = below.done[spine * (static_cast<size_t>(below.reach) + 1) + static_cast<size_t>(distance)];
  if (begin == end) return nothing;
  if (shape_.order == 1) return done_items_[begin].item;
  // Left distances come first: there are as many as words before the dependent.
  const size_t place = static_cast<size_t>(distance) + (right ? static_cast<size_t>(arc.dependent) : 0);
  uint32_t& known =
      seen_[seen_starts_[static_cast<size_t>(adjunction)] + static_cast<size_t>(top) * (static_cast<size_t>(words()) + 1) + place];
  if (known != nothing) return known;
  gathered_.clear();
  for (size_t k = begin; k < end; ++k)
    gathered_.push_back({done_items_[k].item, nothing, grandchild_part(adjunction, right, done_items_[k].child), 0});
  known = new_item(gathered_);
  return known;
}

// All ways in which the dependent of an arc joins its head, over all splits of the words between them.
void SpineGraph::join(int32_t number) {
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(number)];
  const bool right = arc.dependent > arc.head;
  const Side& above = side(arc.head, right);
  const int length = std::abs(arc.head - arc.dependent), position = position_of_[static_cast<size_t>(number)];
  const int tag = candidates_->tags[static_cast<size_t>(arc.head)];
  const std::vector<int32_t>& starts = state_starts_[static_cast<size_t>(arc.head)];
  struct Ready {
    int memory, distance;
    uint32_t item;
  };
  std::vector<Ready> ready;
  std::vector<int> memories_here;
  std::vector<Edge> joining;
  for (int32_t a = arc_adjunctions_[static_cast<size_t>(number)]; a < arc_adjunctions_[static_cast<size_t>(number) + 1]; ++a) {
    const SpineRelation& relation = grammar_->relation(adjunctions_[static_cast<size_t>(a)].relation);
    const int32_t part = arc_parts_[static_cast<size_t>(number)] + a - arc_adjunctions_[static_cast<size_t>(number)];
    adjunctions_[static_cast<size_t>(a)].joins_first = static_cast<int32_t>(join_items_.size());
    const size_t tops = adjunctions_[static_cast<size_t>(a)].tops.size();
    for (size_t place = 0; tops > 0 && place < spines(arc.head).size(); ++place) {
      const int32_t spine = spines(arc.head)[place];
      for (size_t node = 0; node < grammar_->spine(spine).size(); ++node) {
        if (!grammar_->fits(relation, spine, tag, node)) continue;
        // Sides of the head that may take the dependent next, by what they remember then and by where they end.
        ready.clear();
        for (int distance = 0; distance < length; ++distance) {
          const int last = right ? arc.head + distance : arc.head - distance;
          const auto [begin, end] = above.items[static_cast<size_t>(distance)];
          pending_.clear();
          for (size_t k = begin; k < end; ++k) {
            const SideItem& item = side_items_[k];
            if (item.state < starts[place] || item.state >= starts[place + 1]) continue;
            const SideState state = side_state(item.state - starts[place]);
            if (!may_follow(state, relation, node)) continue;
            const int32_t closed = boundary_if_closed(arc.head, right, last, spine, state.node, node);
            const int32_t sibling = shape_.order == 1 ? 0 : sibling_part(a, last_of(above, item.memory));
            pending_.push_back({next_memory(above, item.memory, position), {item.item, nothing, sibling, closed}});
          }
          std::stable_sort(pending_.begin(), pending_.end(), [](const Pending& x, const Pending& y) { return x.key < y.key; });
          for (size_t k = 0; k < pending_.size();) {
            gathered_ready_.clear();
            const int64_t key = pending_[k].key;
            for (; k < pending_.size() && pending_[k].key == key; ++k) gathered_ready_.push_back(pending_[k].edge);
            ready.push_back({static_cast<int>(key), distance, new_item(gathered_ready_)});
          }
        }
        if (ready.empty()) continue;
        memories_here.clear();
        for (const Ready& one : ready) memories_here.push_back(one.memory);
        std::sort(memories_here.begin(), memories_here.end());
        memories_here.erase(std::unique(memories_here.begin(), memories_here.end()), memories_here.end());
        for (size_t top = 0; top < tops; ++top)
          for (const int memory : memories_here) {
            joining.clear();
            for (const Ready& one : ready) {
              if (one.memory != memory) continue;
              const uint32_t inner = seen(a, static_cast<int32_t>(top), !right, length - 1 - one.distance);
              if (inner != nothing) joining.push_back({one.item, inner, part, 0});
            }
            if (joining.empty()) continue;
            joins_.push_back({a, spine, static_cast<int32_t>(node),
                              spines(arc.dependent)[static_cast<size_t>(adjunctions_[static_cast<size_t>(a)].tops[top])]});
            const uint32_t item = new_item(joining, static_cast<int32_t>(joins_.size()) - 1);
            join_items_.push_back({item, starts[place] + next_state(relation, node), memory, static_cast<int32_t>(top)});
          }
      }
    }
    adjunctions_[static_cast<size_t>(a)].joins_end = static_cast<int32_t>(join_items_.size());
  }
}

// All sides of a word that are so wide: joined modifiers with their outer sides.
void SpineGraph::extend(Side& one, int distance) {
  std::vector<Pending> found;
  const int64_t count = memories(one);
  for (const int32_t number : one.arcs) {
    const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(number)];
    const int length = std::abs(arc.head - arc.dependent);
    if (length > distance) break;
    for (int32_t a = arc_adjunctions_[static_cast<size_t>(number)]; a < arc_adjunctions_[static_cast<size_t>(number) + 1]; ++a) {
      const int32_t begin = adjunctions_[static_cast<size_t>(a)].joins_first, end = adjunctions_[static_cast<size_t>(a)].joins_end;
      for (int32_t k = begin; k < end; ++k) {
        const JoinItem item = join_items_[static_cast<size_t>(k)];
        const uint32_t outer = seen(a, item.top, one.right, distance - length);
        if (outer != nothing) found.push_back({item.state * count + item.memory, {item.item, outer, 0, 0}});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Pending& x, const Pending& y) { return x.key < y.key; });
  const size_t begin = side_items_.size();
  for (size_t k = 0; k < found.size();) {
    gathered_.clear();
    const int64_t key = found[k].key;
    for (; k < found.size() && found[k].key == key; ++k) gathered_.push_back(found[k].edge);
    side_items_.push_back({new_item(gathered_), static_cast<int32_t>(key / count), static_cast<int32_t>(key % count)});
  }
  one.items[static_cast<size_t>(distance)] = {begin, side_items_.size()};
}

// Sides of a word that take no more: all nodes from the last one used to the top close here.
void SpineGraph::finish(Side& one, int distance) {
  const auto [begin, end] = one.items[static_cast<size_t>(distance)];
  const std::vector<int32_t>& starts = state_starts_[static_cast<size_t>(one.word)];
  const int last = one.right ? one.word + distance : one.word - distance;
  for (size_t place = 0; place < spines(one.word).size(); ++place) {
    const int32_t spine = spines(one.word)[place];
    const size_t length = grammar_->spine(spine).size(), first_done = done_items_.size();
    pending_.clear();
    for (size_t k = begin; k < end; ++k) {
      const SideItem& item = side_items_[k];
      if (item.state < starts[place] || item.state >= starts[place + 1]) continue;
      const size_t node = side_state(item.state - starts[place]).node;
      const int32_t closed = boundary_if_closed(one.word, one.right, last, spine, node, length);
      pending_.push_back({child_of(one, item.memory), {item.item, nothing, closed, 0}});
    }
    std::stable_sort(pending_.begin(), pending_.end(), [](const Pending& x, const Pending& y) { return x.key < y.key; });
    for (size_t k = 0; k < pending_.size();) {
      gathered_.clear();
      const int64_t key = pending_[k].key;
      for (; k < pending_.size() && pending_[k].key == key; ++k) gathered_.push_back(pending_[k].edge);
      done_items_.push_back({new_item(gathered_), static_cast<int32_t>(key)});
    }
    one.done[place * (static_cast<size_t>(one.reach) + 1) + static_cast<size_t>(distance)] = {first_done, done_items_.size()};
  }
}

void SpineGraph::reach_goal() {
  std::vector<Edge> found;
  for (size_t number = 0; number < candidates_->arcs.size(); ++number) {
    const AdjunctionArc& arc = candidates_->arcs[number];
    if (arc.head != 0) continue;
    for (int32_t a = arc_adjunctions_[number]; a < arc_adjunctions_[number + 1]; ++a)
      for (size_t top = 0; top < adjunctions_[static_cast<size_t>(a)].tops.size(); ++top) {
        const uint32_t left = seen(a, static_cast<int32_t>(top), false, arc.dependent - 1);
        const uint32_t right = seen(a, static_cast<int32_t>(top), true, words() - arc.dependent);
        if (left == nothing || right == nothing) continue;
        found.push_back({left, right, arc_parts_[number] + a - arc_adjunctions_[number], 0});
        goal_joins_.push_back({a, -1, 0, spines(arc.dependent)[static_cast<size_t>(adjunctions_[static_cast<size_t>(a)].tops[top])]});
      }
  }
  if (!found.empty()) goal_ = new_item(found);
}

void SpineGraph::read(std::size_t item, std::size_t edge, SpineDerivation& derivation) const {
  const Join* found = nullptr;
  if (item == goal_) found = &goal_joins_[edge];
  else if (join_of_[item] >= 0) found = &joins_[static_cast<size_t>(join_of_[item])];
  if (found == nullptr) return;
  const Adjunction& adjunction = adjunctions_[static_cast<size_t>(found->adjunction)];
  const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(adjunction.arc)];
  const auto word = static_cast<size_t>(arc.dependent);
  derivation.spine[word] = found->spine;
  derivation.head[word] = arc.head;
  derivation.node[word] = found->node;
  derivation.regular[word] = grammar_->relation(adjunction.relation).regular;
}

bool SpineGraph::parts_of(const SpineDerivation& derivation, std::vector<size_t>& parts) const {
  parts.clear();
  const std::vector<uint8_t> after = after_regular(derivation);
  const auto n = static_cast<size_t>(words());
  std::vector<int32_t> arc_of(n + 1, -1), adjunction_of(n + 1, -1);
  const auto add = [&](int32_t first, int32_t place) {
    if (first < 0) return false;
    parts.push_back(static_cast<size_t>(first + place));
    return true;
  };
  for (size_t number = 0; number < candidates_->arcs.size(); ++number) {
    const AdjunctionArc& arc = candidates_->arcs[number];
    const auto m = static_cast<size_t>(arc.dependent);
    if (derivation.head[m] != arc.head) continue;
    const int32_t relation = grammar_->find(relation_of(*grammar_, derivation, candidates_->tags, arc.dependent, after[m]));
    const std::span<const int32_t> known = candidates_->relations_of(arc);
    const auto found = std::find(known.begin(), known.end(), relation);
    if (found == known.end()) return false;
    arc_of[m] = static_cast<int32_t>(number);
    adjunction_of[m] = static_cast<int32_t>(found - known.begin());
    if (!add(arc_parts_[number], adjunction_of[m])) return false;
  }
  for (int word = 1; word <= words(); ++word) {
    const auto w = static_cast<size_t>(word);
    const std::span<const int32_t> known = spines(word);
    const auto found = std::find(known.begin(), known.end(), derivation.spine[w]);
    if (arc_of[w] < 0 || found == known.end()) return false;
    if (!add(spine_parts_[w], static_cast<int32_t>(found - known.begin()))) return false;
    const size_t length = grammar_->spine(derivation.spine[w]).size();
    for (const bool right : {false, true}) {
      const Side& one = side(word, right);
      int last_position = 0, first_position = 0, last = word;
      size_t node = 0;
      const auto close = [&](size_t end) {
        if (!shape_.boundaries || node >= end) return true;
        const int32_t group = boundary_groups_[(w * (n + 1) + static_cast<size_t>(last)) * 2 + (right ? 1 : 0)];
        return add(group, segment_place(word, grammar_->segment(derivation.spine[w], node, end)));
      };
      for (size_t k = 0; k < one.arcs.size(); ++k) {
        const AdjunctionArc& arc = candidates_->arcs[static_cast<size_t>(one.arcs[k])];
        const auto m = static_cast<size_t>(arc.dependent);
        if (derivation.head[m] != word) continue;
        if (shape_.order == 2 &&
            !add(sibling_groups_[sibling_starts_[static_cast<size_t>(one.arcs[k])] + static_cast<size_t>(last_position)], adjunction_of[m]))
          return false;
        // Before the next modifier, the side ends where the last one's words end.
        if (!close(static_cast<size_t>(derivation.node[m]))) return false;
        node = static_cast<size_t>(derivation.node[m]);
        last_position = static_cast<int>(k) + 1;
        if (first_position == 0) first_position = last_position;
        for (last = arc.dependent;;) {  // the outermost word below this modifier
          int next = last;
          for (const int32_t deeper : side(last, right).arcs) {
            const AdjunctionArc& further = candidates_->arcs[static_cast<size_t>(deeper)];
            if (derivation.head[static_cast<size_t>(further.dependent)] == last) next = further.dependent;
          }
          if (next == last) break;
          last = next;
        }
      }
      if (!close(length)) return false;
      const auto above = static_cast<size_t>(arc_of[w]);
      if (shape_.order == 2 &&
          !add(grandchild_groups_[grandchild_starts_[right][above] + static_cast<size_t>(shape_.nearest ? first_position : last_position)],
               adjunction_of[w]))
        return false;
    }
  }
  return true;
}

}  // namespace accord::constituents
