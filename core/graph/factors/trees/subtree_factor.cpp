// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/trees/subtree_factor.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/graph/log_domain.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

namespace {

size_t place(int number) { return static_cast<size_t>(number); }

// Nodes from the roots down; fewer than there are where parents form a circle.
std::vector<int> from_roots_down(std::span<const int> parents) {
  std::vector<int> first(parents.size() + 1, -1), next(parents.size(), -1);  // children of each node; roots in the last list
  for (size_t node = parents.size(); node-- > 0;) {
    int& list = first[parents[node] < 0 ? parents.size() : place(parents[node])];
    next[node] = std::exchange(list, static_cast<int>(node));
  }
  std::vector<int> order;
  for (int root = first.back(); root >= 0; root = next[place(root)]) order.push_back(root);
  for (size_t at = 0; at < order.size(); ++at)
    for (int child = first[place(order[at])]; child >= 0; child = next[place(child)]) order.push_back(child);
  return order;
}

}  // namespace

SubtreeFactor::SubtreeFactor(std::vector<int> parents, std::vector<uint8_t> tied) : parents_(std::move(parents)), tied_(std::move(tied)) {
  if (parents_.empty()) throw std::invalid_argument("a subtree needs at least one variable");
  if (tied_.empty()) tied_.assign(size(), 0);
  if (tied_.size() != size()) throw std::invalid_argument("a subtree needs one bit for each variable that says whether it is tied");
  for (size_t i = 0; i < size(); ++i) {
    if (parents_[i] < -1 || parents_[i] >= static_cast<int>(size()))
      throw std::invalid_argument("parent " + std::to_string(i) + " of a subtree is not one of its variables");
    if (parents_[i] < 0 && tied_[i])
      throw std::invalid_argument("variable " + std::to_string(i) + " of a subtree is a root and cannot be tied");
  }
  number_groups();
}

void SubtreeFactor::number_groups() {
  const std::vector<int> order = from_roots_down(parents_);
  if (order.size() < size()) throw std::invalid_argument("the parents of a subtree form a circle");
  group_of_.assign(size(), -1);
  for (const int node : order) {
    const int parent = parents_[place(node)];
    int& group = group_of_[place(node)];
    if (tied_[place(node)]) {
      group = group_of_[place(parent)];
      groups_[place(group)].size += 1;
    } else {
      group = static_cast<int>(groups_.size());
      groups_.push_back({parent < 0 ? -1 : group_of_[place(parent)], 1});
    }
  }
}

// sums_: the scores of the nodes of each group.
void SubtreeFactor::add_up(std::span<const double> scores) {
  sums_.assign(groups_.size(), 0.0);
  for (size_t i = 0; i < size(); ++i) sums_[place(group_of_[i])] += scores[i];
}

double SubtreeFactor::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  add_up(scores);
  double best = 0;
  for (size_t g = groups_.size(); g-- > 0;)
    if (sums_[g] > 0) (groups_[g].parent < 0 ? best : sums_[place(groups_[g].parent)]) += sums_[g];
  on_.resize(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) on_[g] = sums_[g] > 0 && (groups_[g].parent < 0 || on_[place(groups_[g].parent)]);
  for (size_t i = 0; i < size(); ++i) configuration[i] = on_[place(group_of_[i])];
  return best;
}

double SubtreeFactor::score(std::span<const uint8_t> configuration) {
  for (size_t i = 0; i < size(); ++i) {
    if (parents_[i] < 0) continue;
    const uint8_t above = configuration[place(parents_[i])];
    if (configuration[i] > above || (tied_[i] && configuration[i] < above)) return impossible;
  }
  return 0.0;
}

// Given that the parent is on, a node is on with the odds of what it is worth with all that may hang below it.
double SubtreeFactor::marginals(std::span<const double> scores, std::span<double> out) {
  add_up(scores);
  double log_sum = 0;
  for (size_t g = groups_.size(); g-- > 0;) (groups_[g].parent < 0 ? log_sum : sums_[place(groups_[g].parent)]) += softplus(sums_[g]);
  around_.resize(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g)
    around_[g] = sigmoid(sums_[g]) * (groups_[g].parent < 0 ? 1.0 : around_[place(groups_[g].parent)]);
  for (size_t i = 0; i < size(); ++i) out[i] = around_[place(group_of_[i])];
  return log_sum;
}

// around_: the best of everything outside a group's part of the tree when its ancestors are on; other_: the best of all when the group
// is off, by itself or because an ancestor is.
double SubtreeFactor::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  add_up(scores);
  double best = 0;
  for (size_t g = groups_.size(); g-- > 0;)
    if (sums_[g] > 0) (groups_[g].parent < 0 ? best : sums_[place(groups_[g].parent)]) += sums_[g];
  around_.resize(groups_.size());
  other_.resize(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) {
    const bool root = groups_[g].parent < 0;
    const size_t parent = root ? 0 : place(groups_[g].parent);
    around_[g] = (root ? best : around_[parent] + sums_[parent]) - std::max(sums_[g], 0.0);
    other_[g] = root ? around_[g] : std::max(around_[g], other_[parent]);
  }
  for (size_t i = 0; i < size(); ++i) {
    const size_t g = place(group_of_[i]);
    zero[i] = other_[g];
    one[i] = around_[g] + sums_[g];
  }
  return best;
}

// The top of two leftist heaps made one. The right spine of such a heap is logarithmically short, and so is the recursion.
int SubtreeFactor::join(int first, int second) {
  if (first < 0) return second;
  if (second < 0) return first;
  if (blocks_[place(first)].mean < blocks_[place(second)].mean) std::swap(first, second);
  Block& top = blocks_[place(first)];
  top.right = join(top.right, second);
  const auto rank = [&](int block) { return block < 0 ? 0 : blocks_[place(block)].rank; };
  if (rank(top.left) < rank(top.right)) std::swap(top.left, top.right);
  top.rank = rank(top.right) + 1;
  return first;
}

void SubtreeFactor::absorb_larger(int block) {
  Block& here = blocks_[place(block)];
  while (here.below >= 0 && blocks_[place(here.below)].mean > here.mean) {
    Block& top = blocks_[place(here.below)];
    here.sum += top.sum;
    here.size += top.size;
    here.mean = here.sum / here.size;
    top.into = block;
    here.below = join(join(top.left, top.right), top.below);
  }
}

void SubtreeFactor::project(std::span<const double> target, double, std::span<double> z) {
  add_up(target);
  blocks_.assign(groups_.size(), {});
  for (size_t g = groups_.size(); g-- > 0;) {
    Block& block = blocks_[g];
    block.sum = sums_[g];
    block.size = groups_[g].size;
    block.mean = block.sum / block.size;
    absorb_larger(static_cast<int>(g));
    if (groups_[g].parent < 0) continue;
    int& waiting = blocks_[place(groups_[g].parent)].below;
    waiting = join(waiting, static_cast<int>(g));
  }
  for (size_t g = 0; g < groups_.size(); ++g)  // blocks are absorbed by blocks above them
    if (blocks_[g].into >= 0) blocks_[g].mean = blocks_[place(blocks_[g].into)].mean;
  for (size_t i = 0; i < size(); ++i) z[i] = clip(blocks_[place(group_of_[i])].mean);
}

void SubtreeFactor::rows(RowSink& sink) {
  for (size_t i = 0; i < size(); ++i) {
    if (parents_[i] < 0) continue;
    const std::array<int, 2> columns = {static_cast<int>(i), parents_[i]};
    const std::array<double, 2> coefficients = {1, -1};
    sink.row(tied_[i] ? 0.0 : impossible, columns, coefficients, 0.0);
  }
}

}  // namespace accord::graph
