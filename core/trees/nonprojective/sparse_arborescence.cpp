// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/sparse_arborescence.hpp"

#include <algorithm>
#include <utility>

#include "core/trees/space.hpp"

namespace accord::trees {

namespace {

struct Visit {
  enum : uint8_t { unvisited, on_path, connected };
};
constexpr int32_t kNone = -1;

size_t at(int32_t number) { return static_cast<size_t>(number); }

}  // namespace

double SparseArborescence::solve(int words, std::span<const int32_t> starts, std::span<const int32_t> arc_heads,
                                 std::span<const double> scores, bool single_root, std::span<int32_t> heads) {
  const auto roots = [&] {
    int count = 0;
    for (int word = 1; word <= words; ++word) count += arc_heads[at(nodes_[at(word)].arc)] == 0;
    return count;
  };
  if (!run(words, starts, arc_heads, scores, false)) return kForbidden;
  if (single_root && roots() != 1 && (!run(words, starts, arc_heads, scores, true) || roots() != 1)) return kForbidden;
  double total = 0;
  heads[0] = -1;
  for (int word = 1; word <= words; ++word) {
    const size_t arc = at(nodes_[at(word)].arc);
    heads[at(word)] = arc_heads[arc];
    total += scores[arc];
  }
  return total;
}

// The arc that enters each word into its node; false when some node cannot be entered.
bool SparseArborescence::run(int words, std::span<const int32_t> starts, std::span<const int32_t> arc_heads, std::span<const double> scores,
                             bool root_last) {
  nodes_.assign(at(words) + 1, {kNone, kNone, kNone, Visit::unvisited});
  tops_.clear();
  for (int32_t node = 0; node <= words; ++node) tops_.push_back(node);
  entries_.resize(scores.size());
  dependents_.resize(scores.size());
  nodes_[0].state = Visit::connected;
  for (int32_t word = 1; word <= words; ++word)
    for (int32_t arc = starts[at(word)]; arc < starts[at(word) + 1]; ++arc) {
      dependents_[at(arc)] = word;
      if (scores[at(arc)] == kForbidden || arc_heads[at(arc)] == word) continue;
      const double root = root_last && arc_heads[at(arc)] == 0 ? -1.0 : 0.0;
      entries_[at(arc)] = {{root, scores[at(arc)]}, {0, 0}, kNone, kNone, 1};
      nodes_[at(word)].heap = meld(nodes_[at(word)].heap, arc);
    }
  for (int32_t start = 1; start <= words; ++start) {
    path_.clear();
    int32_t node = top(start);
    while (nodes_[at(node)].state != Visit::connected) {
      if (nodes_[at(node)].state == Visit::on_path) node = contract(node);
      nodes_[at(node)].state = Visit::on_path;
      path_.push_back(node);
      int32_t& heap = nodes_[at(node)].heap;
      while (heap != kNone && top(arc_heads[at(heap)]) == node) {  // arcs inside a contracted cycle
        push_down(heap);
        heap = meld(entries_[at(heap)].left, entries_[at(heap)].right);
      }
      if (heap == kNone) return false;
      nodes_[at(node)].arc = heap;
      node = top(arc_heads[at(heap)]);
    }
    for (const int32_t on_path : path_) nodes_[at(on_path)].state = Visit::connected;
  }
  expand(words);
  return true;
}

int32_t SparseArborescence::meld(int32_t a, int32_t b) {
  if (a == kNone) return b;
  if (b == kNone) return a;
  if (entries_[at(a)].weight < entries_[at(b)].weight) std::swap(a, b);
  push_down(a);
  const int32_t melded = meld(entries_[at(a)].right, b);
  Entry& entry = entries_[at(a)];
  entry.right = melded;
  const auto rank = [&](int32_t heap) { return heap == kNone ? 0 : entries_[at(heap)].rank; };
  if (rank(entry.left) < rank(entry.right)) std::swap(entry.left, entry.right);
  entry.rank = rank(entry.right) + 1;
  return a;
}

void SparseArborescence::lower(int32_t heap, const Weight& by) {
  if (heap == kNone) return;
  entries_[at(heap)].weight -= by;
  entries_[at(heap)].lowered.root += by.root;
  entries_[at(heap)].lowered.score += by.score;
}

void SparseArborescence::push_down(int32_t entry) {
  const Weight by = std::exchange(entries_[at(entry)].lowered, {0, 0});
  if (by.root == 0 && by.score == 0) return;
  lower(entries_[at(entry)].left, by);
  lower(entries_[at(entry)].right, by);
}

int32_t SparseArborescence::top(int32_t node) {
  int32_t root = node;
  while (tops_[at(root)] != root) root = tops_[at(root)];
  while (tops_[at(node)] != root) node = std::exchange(tops_[at(node)], root);
  return root;
}

// The nodes of the path from this one on become one, entered by the arcs of all, each less the weight of the one it replaces.
int32_t SparseArborescence::contract(int32_t last_on_cycle) {
  const auto cycle = static_cast<int32_t>(nodes_.size());
  nodes_.push_back({kNone, kNone, kNone, Visit::unvisited});
  tops_.push_back(cycle);
  int32_t node = kNone, heap = kNone;
  do {
    node = path_.back();
    path_.pop_back();
    const Weight paid = entries_[at(nodes_[at(node)].arc)].weight;
    lower(nodes_[at(node)].heap, paid);
    heap = meld(heap, nodes_[at(node)].heap);
    nodes_[at(node)].parent = cycle;
    tops_[at(node)] = cycle;
  } while (node != last_on_cycle);
  nodes_[at(cycle)].heap = heap;
  return cycle;
}

// From the last cycle to the first: its arc is that of the member which holds the arc's dependent.
void SparseArborescence::expand(int words) {
  for (auto cycle = static_cast<int32_t>(nodes_.size()) - 1; cycle > words; --cycle) {
    int32_t member = dependents_[at(nodes_[at(cycle)].arc)];
    while (nodes_[at(member)].parent != cycle) member = nodes_[at(member)].parent;
    nodes_[at(member)].arc = nodes_[at(cycle)].arc;
  }
}

}  // namespace accord::trees
