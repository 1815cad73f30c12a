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
// result to the removed half through their redirection rows; then exchange the halves. About 1.3 size^3 multiplications,
// against size^3 for an inverse.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/trees/number.hpp"

namespace accord::trees {

// Removes node k from the graph, leaving nodes [from, to), of which k is not one. Afterwards column k holds the
// redirection shares w[i, k] / D and root[k] that of the root. Returns D; nothing is changed when it is zero.
template <class Number>
Number remove_node(Number* weights, int stride, Number* root, int k, int from, int to, bool single_root) {
  Number entering = single_root ? Number(0.0) : root[k];
  for (int i = from; i < to; ++i) entering += weights[i * stride + k];
  if (is_zero(entering)) return entering;
  const Number inverse = Number(1.0) / entering;
  const Number* leaving = weights + static_cast<std::ptrdiff_t>(k) * stride;
  root[k] = root[k] * inverse;
  add_scaled(root + from, root[k], leaving + from, to - from);
  for (int i = from; i < to; ++i) {
    Number* row = weights + static_cast<std::ptrdiff_t>(i) * stride;
    const Number share = row[k] * inverse;
    row[k] = share;
    if (!is_zero(share)) add_scaled(row + from, share, leaving + from, to - from);
  }
  return entering;
}

template <class Number>
class EscapeTable {
 public:
  // log Z of a size x size graph (row = head, diagonal ignored) and its root weights, both overwritten. Not a number
  // or -infinity when some node cannot be entered.
  double log_partition(Number* weights, Number* root, int size, bool single_root) {
    double total = 0.0;
    for (int k = 0; k + 1 < size; ++k) {
      total += log_of(remove_node(weights, size, root, k, k + 1, size, single_root));
      if (!std::isfinite(total)) return total;
    }
    return total + log_of(root[size - 1]);
  }

  // As above, and escape[h * size + m] for all pairs of nodes.
  double solve(Number* weights, Number* root, int size, bool single_root, Number* escape) {
    size_ = size;
    single_root_ = single_root;
    escape_ = escape;
    log_partition_ = 0.0;
    if (!solve_range(weights, size, root, 0, size, 0, true)) return -std::numeric_limits<double>::infinity();
    return log_partition_;
  }

 private:
  // Escape probabilities among nodes first..first+size-1, all others having been removed. The log partition is gathered
  // along the one chain of removals that comes first.
  bool solve_range(Number* weights, int stride, Number* root, int first, int size, int depth, bool gather) {
    if (size == 1) {
      escape_[first * size_ + first] = Number(0.0);
      if (gather) log_partition_ += log_of(root[0]);
      return true;
    }
    const int half = size / 2;
    Number* copy = copy_of(weights, stride, root, size, depth);
    Number* copy_root = copy + static_cast<std::ptrdiff_t>(size) * size;
    for (int k = 0; k < half; ++k) {
      const Number entering = remove_node(copy, size, copy_root, k, k + 1, size, single_root_);
      if (is_zero(entering)) return false;
      if (gather) log_partition_ += log_of(entering);
    }
    if (!solve_range(copy + half * size + half, size, copy_root + half, first + half, size - half, depth + 1, gather)) {
      return false;
    }
    for (int k = half - 1; k >= 0; --k) extend(copy, size, copy_root, first, k, k + 1, size, half, size);

    for (int k = size - 1; k >= half; --k) {
      if (is_zero(remove_node(weights, stride, root, k, 0, k, single_root_))) return false;
    }
    if (!solve_range(weights, stride, root, first, half, depth + 1, false)) return false;
    for (int k = half; k < size; ++k) extend(weights, stride, root, first, k, 0, k, 0, half);
    return true;
  }

  // escape[k, m] for the kept nodes m in [kept_from, kept_to): the walk from the removed node k goes to the root or on
  // to one of the nodes [from, to) still present when k was removed.
  void extend(const Number* shares, int stride, const Number* root_shares, int first, int k, int from, int to,
              int kept_from, int kept_to) {
    const int count = kept_to - kept_from;
    Number* target = escape_ + static_cast<std::ptrdiff_t>(first + k) * size_ + first + kept_from;
    std::fill(target, target + count, root_shares[k]);
    for (int i = from; i < to; ++i) {
      const Number share = shares[static_cast<std::ptrdiff_t>(i) * stride + k];
      add_scaled(target, share, escape_ + static_cast<std::ptrdiff_t>(first + i) * size_ + first + kept_from, count);
    }
  }

  Number* copy_of(const Number* weights, int stride, const Number* root, int size, int depth) {
    if (levels_.size() <= static_cast<std::size_t>(depth)) levels_.resize(static_cast<std::size_t>(depth) + 1);
    std::vector<Number>& level = levels_[static_cast<std::size_t>(depth)];
    const auto needed = static_cast<std::size_t>(size) * static_cast<std::size_t>(size + 1);
    if (level.size() < needed) level.resize(needed);
    for (int i = 0; i < size; ++i) {
      const Number* row = weights + static_cast<std::ptrdiff_t>(i) * stride;
      std::copy(row, row + size, level.data() + static_cast<std::ptrdiff_t>(i) * size);
    }
    std::copy(root, root + size, level.data() + static_cast<std::ptrdiff_t>(size) * size);
    return level.data();
  }

  int size_ = 0;
  bool single_root_ = false;
  Number* escape_ = nullptr;
  double log_partition_ = 0.0;
  std::vector<std::vector<Number>> levels_;  // by depth of the recursion: a graph and its root weights
};

}  // namespace accord::trees
