// SPDX-License-Identifier: Apache-2.0
// The chart of projective trees, for any semiring.
//
// Set:           trees over 1..n rooted at 0 without crossing arcs; multi-root (chart over 0..n) or single-root (chart
//                over 1..n, the root's child chosen once at the end).
// Factorisation: product of arc weights; "sum" and "product" are the semiring's.
// Items (Eisner 1996, 2000), for i <= j:
//   split(i, j)      = sum over r in [i, j) of right(i, r) left(r+1, j)      what an arc between i and j encloses
//   open_right(i, j) = split(i, j) weight(i, j)                              arc i -> j
//   open_left(i, j)  = split(i, j) weight(j, i)                              arc j -> i
//   right(i, j)      = sum over m in (i, j] of open_right(i, m) right(m, j)  i with its dependents up to j
//   left(i, j)       = sum over m in [i, j) of left(i, m) open_left(m, j)    j with its dependents down to i
//   goal             = right(0, n), or sum over m of left(1, m) weight(0, m) right(m, n)
// Every projective tree has exactly one derivation. O(n^3) time, O(n^2) space.
//
// Layout: all items are stored by left end, row i holding j = i..n. Rows are filled from the last to the first; once an
// entry is final it is added into all entries to its right, so that every inner loop runs along two contiguous rows and
// carries nothing from one step to the next: vector code in every semiring. That is why the chart has loops of its own: the general
// engine (core/hypergraph) over the same items (projective_items.hpp) computes the same values, but on sentences of 30 words it takes 4
// times as long with maxima and twice as long with sums; at 60 words, 5 times and 3 times.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/hypergraph/semirings.hpp"

namespace accord::trees {

using hypergraph::MaxPlus;
using hypergraph::SumProduct;

template <class Semiring>
class ProjectiveChart {
 public:
  using Value = typename Semiring::Value;

  // weights: (n+1)^2, row = head. They must outlive the chart's use.
  void fill(const Value* weights, int words, bool single_root) {
    words_ = words;
    first_ = single_root ? 1 : 0;
    width_ = static_cast<std::size_t>(words) + 1;
    weights_ = weights;
    if (values_.size() < 2 + kinds * cells()) values_.resize(2 + kinds * cells());
    values_[hypergraph::nothing] = Semiring::one();
    for (int i = words; i >= first_; --i) fill_row(i);
    values_[goal_id()] = words == 0 ? Semiring::one() : single_root ? single_root_goal() : right(0)[words];
  }

  // Items have ids: 0 is nothing, then kind by kind the cells (i, j), row after row, then the goal.
  enum class Kind { split, right, left, open_right, open_left };
  static constexpr std::size_t kinds = 5;
  std::size_t cells() const { return width_ * width_; }
  std::size_t id(Kind kind, int i, int j) const {
    return 1 + static_cast<std::size_t>(kind) * cells() + at(i) + static_cast<std::size_t>(j);
  }
  std::size_t goal_id() const { return 1 + kinds * cells(); }
  const Value& value(std::size_t id) const { return values_[id]; }

  Value goal() const { return values_[goal_id()]; }
  int words() const { return words_; }
  int first() const { return first_; }
  Value weight(int head, int dependent) const { return weights_[at(head) + static_cast<std::size_t>(dependent)]; }
  const Value* split(int i) const { return row(Kind::split, i); }
  const Value* open_right(int i) const { return row(Kind::open_right, i); }
  const Value* open_left(int i) const { return row(Kind::open_left, i); }
  const Value* right(int i) const { return row(Kind::right, i); }
  const Value* left(int i) const { return row(Kind::left, i); }

 private:
  std::size_t at(int row) const { return static_cast<std::size_t>(row) * width_; }
  const Value* row(Kind kind, int i) const { return values_.data() + id(kind, i, 0); }

  // target[j] += factor source[j] for j in [from, n].
  static void extend(Value* __restrict target, Value factor, const Value* __restrict source, int from, int words) {
    if (Semiring::absent(factor)) return;
    for (int j = from; j <= words; ++j) target[j] = Semiring::plus(target[j], Semiring::times(factor, source[j]));
  }

  void fill_row(int i) {
    Value* split = values_.data() + id(Kind::split, i, 0);
    Value* open_right = values_.data() + id(Kind::open_right, i, 0);
    Value* open_left = values_.data() + id(Kind::open_left, i, 0);
    Value* right = values_.data() + id(Kind::right, i, 0);
    Value* left = values_.data() + id(Kind::left, i, 0);
    for (Value* row : {split, open_right, open_left, right, left}) std::fill(row + i, row + width_, Semiring::zero());
    right[i] = left[i] = Semiring::one();
    if (i < words_) extend(split, right[i], row(Kind::left, i + 1), i + 1, words_);
    for (int j = i + 1; j <= words_; ++j) {
      open_right[j] = Semiring::times(split[j], weight(i, j));
      right[j] = Semiring::plus(right[j], open_right[j]);
      if (i > 0) open_left[j] = Semiring::times(split[j], weight(j, i));
      left[j] = Semiring::plus(left[j], open_left[j]);
      if (j == words_) break;
      extend(split, right[j], row(Kind::left, j + 1), j + 1, words_);
      extend(right, open_right[j], row(Kind::right, j), j + 1, words_);
      if (i > 0) extend(left, left[j], row(Kind::open_left, j), j + 1, words_);
    }
  }

  Value single_root_goal() const {
    Value total = Semiring::zero();
    for (int m = 1; m <= words_; ++m) {
      total = Semiring::plus(total, Semiring::times(Semiring::times(left(1)[m], weight(0, m)), right(m)[words_]));
    }
    return total;
  }

  int words_ = 0;
  int first_ = 0;
  std::size_t width_ = 1;
  const Value* weights_ = nullptr;
  std::vector<Value> values_;  // by id
};

}  // namespace accord::trees
