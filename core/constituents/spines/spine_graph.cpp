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
        const Edge axiom{nothing, nothing, right ? parts_.spine(word, place) : 0, 0};
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
  parts_.build(*grammar_, *candidates_, shape_);
  edges_.clear();
  first_.assign(2, 0);  // item 0 has no edges
  join_of_.assign(1, -1);
  goal_ = nothing;
  joins_.clear();
  goal_joins_.clear();
  side_items_.clear();
  done_items_.clear();
  join_items_.clear();
  prepare_sides();
  prepare_adjunctions();
  number_states();
  arcs_by_length_.resize(static_cast<size_t>(words()) + 1);
  for (std::vector<int32_t>& list : arcs_by_length_) list.clear();
  for (size_t a = 0; a < candidates_->arcs.size(); ++a) {
    const AdjunctionArc& arc = candidates_->arcs[a];
    if (arc.head > 0) arcs_by_length_[static_cast<size_t>(std::abs(arc.head - arc.dependent))].push_back(static_cast<int32_t>(a));
  }
}

void SpineGraph::prepare_sides() {
  sides_.resize(2 * (static_cast<size_t>(words()) + 1));
  for (size_t s = 0; s < sides_.size(); ++s) {
    Side& one = sides_[s];
    one.word = static_cast<int>(s / 2);
    one.right = s % 2 != 0;
    one.reach = one.right ? words() - one.word : one.word - 1;
    one.positions = static_cast<int>(parts_.modifiers(one.word, one.right).size()) + 1;
    if (one.word == 0) continue;
    one.items.assign(static_cast<size_t>(one.reach) + 1, {0, 0});
    one.done.assign(spines(one.word).size() * (static_cast<size_t>(one.reach) + 1), {0, 0});
  }
}

void SpineGraph::prepare_adjunctions() {
  adjunctions_.resize(parts_.adjunctions());
  seen_starts_.clear();
  size_t seen_count = 0, adjunction = 0;
  for (const AdjunctionArc& arc : candidates_->arcs) {
    const std::span<const int32_t> below = spines(arc.dependent);
    const int32_t tag = candidates_->tags[static_cast<size_t>(arc.dependent)];
    for (const int32_t relation : candidates_->relations_of(arc)) {
      Adjunction& one = adjunctions_[adjunction++];
      one.relation = relation;
      one.joins_first = one.joins_end = 0;
      one.tops.clear();
      for (size_t place = 0; place < below.size(); ++place)
        if (grammar_->top(below[place], tag) == grammar_->relation(relation).modifier) one.tops.push_back(static_cast<int32_t>(place));
      seen_starts_.push_back(seen_count);
      seen_count += one.tops.size() * (static_cast<size_t>(words()) + 1);  // both sides: their distances sum to words - 1
    }
  }
  seen_.assign(shape_.order == 1 ? 0 : seen_count, 0);
}

void SpineGraph::number_states() {
  state_starts_.resize(static_cast<size_t>(words()) + 1);
  for (int word = 1; word <= words(); ++word) {
    std::vector<int32_t>& starts = state_starts_[static_cast<size_t>(word)];
    starts.assign(1, 0);
    for (const int32_t spine : spines(word))
      starts.push_back(starts.back() + static_cast<int32_t>(std::max<size_t>(2 * grammar_->spine(spine).size(), 1)));
  }
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
  const AdjunctionArc& arc = arc_of(adjunction);
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
    gathered_.push_back({done_items_[k].item, nothing, parts_.grandchild(adjunction, right, done_items_[k].child), 0});
  known = new_item(gathered_);
  return known;
}

// All ways in which the dependent of an arc joins its head, over all splits of the words between them.
void SpineGraph::join(int32_t number) {
  const auto arc_number = static_cast<size_t>(number);
  const AdjunctionArc& arc = candidates_->arcs[arc_number];
  const bool right = arc.dependent > arc.head;
  const Side& above = side(arc.head, right);
  const int length = std::abs(arc.head - arc.dependent), position = parts_.position(number);
  const int tag = candidates_->tags[static_cast<size_t>(arc.head)];
  const std::vector<int32_t>& starts = state_starts_[static_cast<size_t>(arc.head)];
  struct Ready {
    int memory, distance;
    uint32_t item;
  };
  std::vector<Ready> ready;
  std::vector<int> memories_here;
  std::vector<Edge> joining;
  for (int32_t a = parts_.first_adjunction(arc_number); a < parts_.first_adjunction(arc_number + 1); ++a) {
    const SpineRelation& relation = grammar_->relation(adjunctions_[static_cast<size_t>(a)].relation);
    const int32_t part = parts_.adjunction(a);
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
            const int32_t closed = parts_.boundary(arc.head, right, last, spine, state.node, node);
            const int32_t sibling = shape_.order == 1 ? 0 : parts_.sibling(a, last_of(above, item.memory));
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
  for (const int32_t number : parts_.modifiers(one.word, one.right)) {
    const auto arc_number = static_cast<size_t>(number);
    const AdjunctionArc& arc = candidates_->arcs[arc_number];
    const int length = std::abs(arc.head - arc.dependent);
    if (length > distance) break;
    for (int32_t a = parts_.first_adjunction(arc_number); a < parts_.first_adjunction(arc_number + 1); ++a) {
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
      const int32_t closed = parts_.boundary(one.word, one.right, last, spine, node, length);
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
    for (int32_t a = parts_.first_adjunction(number); a < parts_.first_adjunction(number + 1); ++a)
      for (size_t top = 0; top < adjunctions_[static_cast<size_t>(a)].tops.size(); ++top) {
        const uint32_t left = seen(a, static_cast<int32_t>(top), false, arc.dependent - 1);
        const uint32_t right = seen(a, static_cast<int32_t>(top), true, words() - arc.dependent);
        if (left == nothing || right == nothing) continue;
        found.push_back({left, right, parts_.adjunction(a), 0});
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
  const AdjunctionArc& arc = arc_of(found->adjunction);
  const auto word = static_cast<size_t>(arc.dependent);
  derivation.spine[word] = found->spine;
  derivation.head[word] = arc.head;
  derivation.node[word] = found->node;
  derivation.regular[word] = grammar_->relation(adjunction.relation).regular;
}

}  // namespace accord::constituents
