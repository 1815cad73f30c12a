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
// carries nothing from one step to the next: vector code in every semiring.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/trees/number.hpp"

namespace accord::trees {

// Sums over trees, in double or WideReal.
template <class Number>
struct SumProduct {
  using Value = Number;
  static Value zero() { return Number(0.0); }
  static Value one() { return Number(1.0); }
  static Value plus(Value a, Value b) { return a + b; }
  static Value times(Value a, Value b) { return a * b; }
  static bool absent(Value a) { return is_zero(a); }
};

// Best tree: values are scores.
struct MaxPlus {
  using Value = double;
  static Value zero() { return -std::numeric_limits<double>::infinity(); }
  static Value one() { return 0.0; }
  static Value plus(Value a, Value b) { return a > b ? a : b; }
  static Value times(Value a, Value b) { return a + b; }
  static bool absent(Value a) { return a == zero(); }
};

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
    const std::size_t cells = width_ * width_;
    for (auto* items : {&split_, &open_right_, &open_left_, &right_, &left_}) {
      if (items->size() < cells) items->resize(cells);
    }
    for (int i = words; i >= first_; --i) fill_row(i);
    goal_ = words == 0 ? Semiring::one() : single_root ? single_root_goal() : right(0)[words];
  }

  Value goal() const { return goal_; }
  int words() const { return words_; }
  int first() const { return first_; }
  Value weight(int head, int dependent) const { return weights_[at(head) + static_cast<std::size_t>(dependent)]; }
  const Value* split(int i) const { return split_.data() + at(i); }
  const Value* open_right(int i) const { return open_right_.data() + at(i); }
  const Value* open_left(int i) const { return open_left_.data() + at(i); }
  const Value* right(int i) const { return right_.data() + at(i); }
  const Value* left(int i) const { return left_.data() + at(i); }

 private:
  std::size_t at(int row) const { return static_cast<std::size_t>(row) * width_; }

  // target[j] += factor source[j] for j in [from, n].
  static void extend(Value* __restrict target, Value factor, const Value* __restrict source, int from, int words) {
    if (Semiring::absent(factor)) return;
    for (int j = from; j <= words; ++j) target[j] = Semiring::plus(target[j], Semiring::times(factor, source[j]));
  }

  void fill_row(int i) {
    Value* split = split_.data() + at(i);
    Value* open_right = open_right_.data() + at(i);
    Value* open_left = open_left_.data() + at(i);
    Value* right = right_.data() + at(i);
    Value* left = left_.data() + at(i);
    for (Value* row : {split, open_right, open_left, right, left}) std::fill(row + i, row + width_, Semiring::zero());
    right[i] = left[i] = Semiring::one();
    if (i < words_) extend(split, right[i], left_.data() + at(i + 1), i + 1, words_);
    for (int j = i + 1; j <= words_; ++j) {
      open_right[j] = Semiring::times(split[j], weight(i, j));
      right[j] = Semiring::plus(right[j], open_right[j]);
      if (i > 0) open_left[j] = Semiring::times(split[j], weight(j, i));
      left[j] = Semiring::plus(left[j], open_left[j]);
      if (j == words_) break;
      extend(split, right[j], left_.data() + at(j + 1), j + 1, words_);
      extend(right, open_right[j], right_.data() + at(j), j + 1, words_);
      if (i > 0) extend(left, left[j], open_left_.data() + at(j), j + 1, words_);
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
  Value goal_{};
  std::vector<Value> split_, open_right_, open_left_, right_, left_;
};

}  // namespace accord::trees
