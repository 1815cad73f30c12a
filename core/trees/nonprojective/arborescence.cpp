// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/arborescence.hpp"

#include <algorithm>

#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

namespace {

enum State : uint8_t { kUnvisited, kOnPath, kConnected };

// For each dependent in [from, to): keep the better of its best head so far and this one; the first wins ties.
void improve(const double* __restrict row, double head, double* __restrict best_score, double* __restrict best_head, int from, int to) {
  for (int dependent = from; dependent < to; ++dependent) {
    const bool better = row[dependent] > best_score[dependent];
    best_head[dependent] = better ? head : best_head[dependent];
    best_score[dependent] = better ? row[dependent] : best_score[dependent];
  }
}

void lower_by(double* __restrict row, double weight, std::size_t count) {
  for (std::size_t head = 0; head < count; ++head) row[head] -= weight;
}

void raise_to(double* __restrict row, const double* __restrict other, double weight, std::size_t count) {
  for (std::size_t head = 0; head < count; ++head) {
    const double candidate = other[head] - weight;
    row[head] = candidate > row[head] ? candidate : row[head];
  }
}

}  // namespace

double MaximumArborescence::solve(ArcScores scores, bool single_root, std::span<int32_t> heads) {
  width_ = scores.width();
  if (!take_best_heads(scores, 0)) return kForbidden;
  if (!is_tree(greedy_)) {
    if (!contract_cycles(scores, false)) return kForbidden;
    expand(greedy_);
  }
  if (single_root && std::count(greedy_.begin() + 1, greedy_.end(), 0) > 1) {
    take_best_heads(scores, 1);
    if (!contract_cycles(scores, true)) return kForbidden;
    expand(greedy_);
  }
  std::copy(greedy_.begin(), greedy_.end(), heads.begin());
  return tree_score(scores, heads);
}

// Best head of each word among first_head..n into greedy_ (0 where there is none); true when every word has one.
bool MaximumArborescence::take_best_heads(ArcScores scores, int first_head) {
  best_score_.assign(width_, kForbidden);
  best_head_.assign(width_, 0.0);
  greedy_.assign(width_, -1);
  const int end = scores.words + 1;
  for (int head = first_head; head < end; ++head) {
    improve(scores.row(head), head, best_score_.data(), best_head_.data(), 1, std::max(1, head));
    improve(scores.row(head), head, best_score_.data(), best_head_.data(), head + 1, end);
  }
  bool complete = true;
  for (std::size_t word = 1; word < width_; ++word) {
    greedy_[word] = static_cast<int32_t>(best_head_[word]);
    complete = complete && best_score_[word] != kForbidden;
  }
  return complete;
}

// Chooses an entering arc for every node, contracting cycles on the way; false when no tree exists. With root_last,
// root arcs are used only by nodes that nothing else enters, and by one of them at most.
bool MaximumArborescence::contract_cycles(ArcScores scores, bool root_last) {
  nodes_.assign(width_, Node{});
  nodes_.reserve(2 * width_);
  top_.resize(width_);
  next_word_.assign(width_, 0);
  paid_.assign(width_, 0.0);
  if (rows_.size() < width_ * width_) rows_.resize(width_ * width_);
  for (int word = 0; word <= scores.words; ++word) {
    nodes_[index(word)] = {0, -1, greedy_[index(word)], word, best_score_[index(word)], word, word, kUnvisited};
    top_[index(word)] = word;
  }
  nodes_[0].state = kConnected;
  int sources = 0;
  for (int word = 1; word <= scores.words; ++word) {
    if (!grow_path(scores, word, root_last, sources)) return false;
  }
  return true;
}

// Follows entering arcs from start until a node already connected to the root; false when a node cannot be entered.
bool MaximumArborescence::grow_path(ArcScores scores, int start, bool root_last, int& sources) {
  path_.clear();
  int node = top(start);
  while (nodes_[index(node)].state != kConnected) {
    if (nodes_[index(node)].state == kOnPath) node = contract(scores, node, root_last);
    nodes_[index(node)].state = kOnPath;
    path_.push_back(node);
    if (!choose_entering_arc(scores, node, root_last, sources)) return false;
    node = top(nodes_[index(node)].head);
  }
  for (const int32_t on_path : path_) nodes_[index(on_path)].state = kConnected;
  return true;
}

// A word's arc was chosen by take_best_heads; a cycle's is the best of its merged row.
bool MaximumArborescence::choose_entering_arc(ArcScores scores, int node_id, bool root_last, int& sources) {
  Node& node = nodes_[index(node_id)];
  if (node_id > scores.words) {
    const double* row = rows_.data() + index(node.row) * width_;
    const double* best = std::max_element(row, row + width_);
    node.weight = *best;
    node.head = static_cast<int32_t>(best - row);
    if (node.weight != kForbidden) node.dependent = best_dependent(scores, node_id, node.head);
  }
  if (node.weight != kForbidden) return true;
  if (!root_last || ++sources > 1) return false;
  node.head = 0;
  node.dependent = best_dependent(scores, node_id, 0);
  return scores(0, node.dependent) != kForbidden;
}

// The word inside the node whose arc from head gave the node's weight for that head.
int MaximumArborescence::best_dependent(ArcScores scores, int node_id, int head) const {
  const Node& node = nodes_[index(node_id)];
  const double* row = scores.row(head);
  int best = node.first_word;
  for (int word = next_word_[index(best)]; word != 0; word = next_word_[index(word)]) {
    if (row[word] - paid_[index(word)] > row[best] - paid_[index(best)]) best = word;
  }
  return best;
}

void MaximumArborescence::load_row(ArcScores scores, int word, bool root_last) {
  nodes_[index(word)].row = word;
  double* row = rows_.data() + index(word) * width_;
  for (int head = 0; head <= scores.words; ++head) row[head] = scores(head, word);
  row[word] = kForbidden;
  if (root_last) row[0] = kForbidden;
}

// Contracts the end of the path, from closing (where the cycle closes) on, to a new node; returns it.
int MaximumArborescence::contract(ArcScores scores, int closing, bool root_last) {
  const auto start = std::find(path_.begin(), path_.end(), closing);
  cycle_.assign(start, path_.end());
  path_.erase(start, path_.end());
  const auto merged = static_cast<int32_t>(nodes_.size());
  double* row = nullptr;
  int32_t last_word = 0;
  Node node{};
  for (const int32_t member_id : cycle_) {
    Node& member = nodes_[index(member_id)];
    if (member.row < 0) load_row(scores, member_id, root_last);
    double* member_row = rows_.data() + index(member.row) * width_;
    for (int word = member.first_word; word != 0; word = next_word_[index(word)]) {
      paid_[index(word)] += member.weight;
    }
    if (row == nullptr) {
      row = member_row;
      node.row = member.row;
      node.first_word = member.first_word;
      lower_by(row, member.weight, width_);
    } else {
      raise_to(row, member_row, member.weight, width_);
      next_word_[index(last_word)] = member.first_word;
    }
    last_word = member.last_word;
    member.parent = merged;
    top_[index(member_id)] = merged;
  }
  for (int word = node.first_word; word != 0; word = next_word_[index(word)]) row[word] = kForbidden;
  node.last_word = last_word;
  nodes_.push_back(node);
  top_.push_back(merged);
  return merged;
}

int MaximumArborescence::top(int node) {
  while (top_[index(node)] != node) {
    top_[index(node)] = top_[index(top_[index(node)])];
    node = top_[index(node)];
  }
  return node;
}

// Opens the contracted nodes, latest first. The arc entering a node settles every inner node that contains its
// dependent; the others keep the arcs they chose.
void MaximumArborescence::expand(std::span<int32_t> heads) {
  settled_.assign(nodes_.size(), 0);
  for (auto node = static_cast<int32_t>(nodes_.size()) - 1; node >= 1; --node) {
    if (settled_[index(node)]) continue;
    const int32_t dependent = nodes_[index(node)].dependent;
    heads[index(dependent)] = nodes_[index(node)].head;
    for (int32_t inner = dependent; inner != node; inner = nodes_[index(inner)].parent) settled_[index(inner)] = 1;
  }
}

}  // namespace accord::trees
