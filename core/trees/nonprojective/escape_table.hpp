// SPDX-License-Identifier: Apache-2.0
// Sums over non-projective trees without a single subtraction.
//
// Set and factorisation: all trees over nodes 0..size-1 and a root outside them; weight = product of arc weights.
//
// Read the weights as a random walk: from node m the walk moves to head h with probability proportional to w[h, m],
// until it reaches the root. Two facts replace the determinant and the inverse of the matrix-tree theorem (Tutte 1948;
// Koo et al., Smith & Smith, McDonald & Satta 2007), whose differences of nearly equal numbers lose every digit when
// scores are extreme:
//
//   Z = product of D[k], where D[k] is the total weight entering k when k is removed from the graph, each removal
//   redirecting paths:   w[i, j] += w[i, k] w[k, j] / D[k].
//   This is Gaussian elimination on the Laplacian, with the diagonal rebuilt as a sum instead of a difference
//   (Grassmann, Taksar & Heyman 1985; entrywise relative accuracy: O'Cinneide 1993).
//
//   P(h -> m) is proportional, for each m, to w[h, m] escape[h, m], where escape[h, m] is the probability that the walk
//   from h reaches the root before m (and escape[root, m] = 1): exactly the heads that do not close a cycle through m.
//
// Single root: give root arcs a common factor t and let t vanish. Trees with more than one root arc disappear, and to
// leading order D loses its root term, the last node keeps nothing but it, and escape[h, m] becomes t times the root
// weight collected on the way: the same recursion with D summed without the root. It needs every node to be reachable
// from every other without the root; matrix_tree.cpp splits graphs for which this fails.
//
// All pairs cost O(size^3) by halving: remove one half of the nodes, solve the other half by recursion, and extend the
// result to the removed half through their redirection rows; then exchange the halves. That is about 1.3 size^3
// multiplications, against size^3 for an inverse.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/trees/number.hpp"

namespace accord::trees {

// A square graph being reduced: entry (i, j) is the weight of arc i -> j, root[j] that of root -> j. The diagonal is
// never read. Removing a node k leaves the redirection shares w[i, k] / D[k] in its column and root[k].
template <class Number>
struct Graph {
  Number* weights;
  std::ptrdiff_t stride;
  Number* root;
  int size;

  Number* row(int i) const { return weights + i * stride; }
};

// Removes the nodes [from, to) in ascending order, or in descending order when `backwards`; the nodes left are those
// after `to`, or before `from`. Nodes go in blocks of four: within a block only what the block needs is kept up to
// date, then the rest of the graph takes the whole block in one pass.
template <class Number>
class NodeRemoval {
 public:
  static constexpr int kBlock = 4;

  // Calls entered(D) for every node removed. False, with the graph unusable, when some D is zero.
  template <class Entered>
  static bool run(Graph<Number> graph, int from, int to, bool backwards, bool single_root, Entered&& entered) {
    for (int done = 0; done < to - from; done += kBlock) {
      NodeRemoval block(graph, single_root);
      block.count_ = std::min(kBlock, to - from - done);
      for (int t = 0; t < block.count_; ++t) block.pivot_[t] = backwards ? to - 1 - done - t : from + done + t;
      block.rest_from_ = backwards ? 0 : from + done + block.count_;
      block.rest_to_ = backwards ? to - done - block.count_ : graph.size;
      for (int t = 0; t < block.count_; ++t) {
        const Number entering = block.remove_pivot(t);
        if (is_zero(entering)) return false;
        entered(entering);
      }
      block.update_rest();
    }
    return true;
  }

 private:
  NodeRemoval(Graph<Number> graph, bool single_root) : graph_(graph), single_root_(single_root) {}

  // Removes one pivot as far as the other pivots of the block are concerned.
  Number remove_pivot(int t) {
    const int k = pivot_[t];
    Number entering = single_root_ ? Number(0.0) : graph_.root[k];
    for (int u = t + 1; u < count_; ++u) entering += graph_.row(pivot_[u])[k];
    for (int i = rest_from_; i < rest_to_; ++i) entering += graph_.row(i)[k];
    if (is_zero(entering)) return entering;
    const Number inverse = Number(1.0) / entering;
    const Number* leaving = graph_.row(k);
    redirect(graph_.root, t, inverse);
    for (int i = rest_from_; i < rest_to_; ++i) redirect(graph_.row(i), t, inverse);
    for (int u = t + 1; u < count_; ++u) {
      Number* later = graph_.row(pivot_[u]);
      redirect(later, t, inverse);
      add_scaled(later + rest_from_, later[k], leaving + rest_from_, rest_to_ - rest_from_);
    }
    return entering;
  }

  void redirect(Number* row, int t, Number inverse) {
    const Number share = row[pivot_[t]] * inverse;
    const Number* leaving = graph_.row(pivot_[t]);
    row[pivot_[t]] = share;
    for (int u = t + 1; u < count_; ++u) row[pivot_[u]] += share * leaving[pivot_[u]];
  }

  void update_rest() {
    update_row(graph_.root);
    for (int i = rest_from_; i < rest_to_; ++i) update_row(graph_.row(i));
  }

  void update_row(Number* row) {
    const int count = rest_to_ - rest_from_;
    if (count_ == kBlock) {
      const Number factors[kBlock] = {row[pivot_[0]], row[pivot_[1]], row[pivot_[2]], row[pivot_[3]]};
      const std::ptrdiff_t step = graph_.stride * (pivot_[1] - pivot_[0]);
      add_four_scaled(row + rest_from_, factors, graph_.row(pivot_[0]) + rest_from_, step, count);
      return;
    }
    for (int t = 0; t < count_; ++t) {
      add_scaled(row + rest_from_, row[pivot_[t]], graph_.row(pivot_[t]) + rest_from_, count);
    }
  }

  Graph<Number> graph_;
  bool single_root_;
  int pivot_[kBlock] = {};
  int count_ = 0;
  int rest_from_ = 0;
  int rest_to_ = 0;
};

template <class Number>
class EscapeTable {
 public:
  // log Z of a size x size graph (row = head, diagonal ignored) and its root weights, both overwritten; -infinity when
  // some node cannot be entered.
  double log_partition(Number* weights, Number* root, int size, bool single_root) {
    double total = 0.0;
    const auto gather = [&total](Number entering) { total += log_of(entering); };
    const Graph<Number> graph{weights, size, root, size};
    if (!NodeRemoval<Number>::run(graph, 0, size - 1, false, single_root, gather)) return kNone;
    return total + log_of(root[size - 1]);
  }

  // As above, and escape[h * size + m] for all pairs of nodes.
  double solve(Number* weights, Number* root, int size, bool single_root, Number* escape) {
    size_ = size;
    single_root_ = single_root;
    escape_ = escape;
    log_partition_ = 0.0;
    return solve_range({weights, size, root, size}, 0, 0, true) ? log_partition_ : kNone;
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  // Escape probabilities among nodes first, first+1, ..., all others having been removed. The log-partition is gathered
  // along the one chain of removals that comes first.
  bool solve_range(Graph<Number> graph, int first, std::size_t depth, bool gather) {
    if (graph.size <= 2) return solve_few(graph, first, gather);
    const int size = graph.size;
    const int half = size / 2;
    const auto ignore = [](Number) {};
    const auto add_log = [this, gather](Number entering) {
      if (gather) log_partition_ += log_of(entering);
    };
    const Graph<Number> copy = copy_of(graph, depth);
    if (!NodeRemoval<Number>::run(copy, 0, half, false, single_root_, add_log)) return false;
    const Graph<Number> upper{copy.row(half) + half, copy.stride, copy.root + half, size - half};
    if (!solve_range(upper, first + half, depth + 1, gather)) return false;
    for (int k = half - 1; k >= 0; --k) extend(copy, first, k, k + 1, size, half, size);

    if (!NodeRemoval<Number>::run(graph, half, size, true, single_root_, ignore)) return false;
    const Graph<Number> lower{graph.weights, graph.stride, graph.root, half};
    if (!solve_range(lower, first, depth + 1, false)) return false;
    for (int k = half; k < size; ++k) extend(graph, first, k, 0, k, 0, half);
    return true;
  }

  // One node, or two: from each the walk goes to the other or to the root.
  bool solve_few(Graph<Number> graph, int first, bool gather) {
    Number* escape = escape_ + static_cast<std::ptrdiff_t>(first) * (size_ + 1);
    escape[0] = Number(0.0);
    if (graph.size == 1) {
      if (gather) log_partition_ += log_of(graph.root[0]);
      return true;
    }
    const Number none(0.0);
    const Number entering_first = graph.row(1)[0] + (single_root_ ? none : graph.root[0]);
    const Number entering_second = graph.row(0)[1] + (single_root_ ? none : graph.root[1]);
    if (is_zero(entering_first) || is_zero(entering_second)) return false;
    escape[1] = graph.root[0] / entering_first;
    escape[size_] = graph.root[1] / entering_second;
    escape[size_ + 1] = none;
    if (gather) log_partition_ += log_of(entering_first) + log_of(graph.root[1] + escape[1] * graph.row(0)[1]);
    return true;
  }

  // escape[k, m] for the kept nodes m in [kept_from, kept_to): the walk from the removed node k goes to the root or on
  // to one of the nodes [from, to) still present when k was removed.
  void extend(Graph<Number> graph, int first, int k, int from, int to, int kept_from, int kept_to) {
    const int count = kept_to - kept_from;
    const Number* source = escape_ + static_cast<std::ptrdiff_t>(first) * size_ + first + kept_from;
    Number* target = escape_ + static_cast<std::ptrdiff_t>(first + k) * size_ + first + kept_from;
    std::fill(target, target + count, graph.root[k]);
    int i = from;
    for (; i + 4 <= to; i += 4) {
      const Number shares[4] = {graph.row(i)[k], graph.row(i + 1)[k], graph.row(i + 2)[k], graph.row(i + 3)[k]};
      add_four_scaled(target, shares, source + static_cast<std::ptrdiff_t>(i) * size_, size_, count);
    }
    for (; i < to; ++i) add_scaled(target, graph.row(i)[k], source + static_cast<std::ptrdiff_t>(i) * size_, count);
  }

  Graph<Number> copy_of(Graph<Number> graph, std::size_t depth) {
    if (levels_.size() <= depth) levels_.resize(depth + 1);
    std::vector<Number>& level = levels_[depth];
    const std::ptrdiff_t size = graph.size;
    const auto needed = static_cast<std::size_t>(size * (size + 1));
    if (level.size() < needed) level.resize(needed);
    const Graph<Number> copy{level.data(), size, level.data() + size * size, graph.size};
    for (int i = 0; i < graph.size; ++i) std::copy(graph.row(i), graph.row(i) + size, copy.row(i));
    std::copy(graph.root, graph.root + size, copy.root);
    return copy;
  }

  int size_ = 0;
  bool single_root_ = false;
  Number* escape_ = nullptr;
  double log_partition_ = 0.0;
  std::vector<std::vector<Number>> levels_;  // by depth of the recursion: a graph and its root weights
};

}  // namespace accord::trees
