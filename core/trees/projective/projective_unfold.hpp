// SPDX-License-Identifier: Apache-2.0
// From a chart back to a tree: walks down the items of projective_chart.hpp, asking at each which of its terms to
// follow. Following the best term gives the best tree; following a term with probability proportional to its value
// gives an exact sample. O(n^2): no back-pointers are kept, the terms of the O(n) items on the way are formed again.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/projective/projective_chart.hpp"

namespace accord::trees {

// choose(from, to, term) returns one index in [from, to), where term(index) is the value of that alternative.
template <class Semiring, class Choose>
class Unfolding {
 public:
  Unfolding(const ProjectiveChart<Semiring>& chart, Choose& choose, std::span<int32_t> heads)
      : chart_(chart),
        choose_(choose),
        heads_(heads) {}

  void run() {
    const int words = chart_.words();
    heads_[0] = -1;
    if (chart_.first() == 0) {
      agenda_.push_back({Kind::kRight, 0, words});
    } else if (words > 0) {
      const int child = choose_(1, words + 1, [&](int m) {
        return Semiring::times(Semiring::times(chart_.left(1)[m], chart_.weight(0, m)), chart_.right(m)[words]);
      });
      attach(child, 0, {Kind::kLeft, 1, child}, {Kind::kRight, child, words});
    }
    while (!agenda_.empty()) {
      const Item item = agenda_.back();
      agenda_.pop_back();
      if (item.i < item.j) follow(item.kind, item.i, item.j);
    }
  }

 private:
  enum class Kind : uint8_t { kSplit, kRight, kLeft };
  struct Item {
    Kind kind;
    int i;
    int j;
  };

  void follow(Kind kind, int i, int j) {
    if (kind == Kind::kRight) {
      const int m = choose_(i + 1, j + 1, [&](int k) { return Semiring::times(chart_.open_right(i)[k], chart_.right(k)[j]); });
      attach(m, i, {Kind::kSplit, i, m}, {Kind::kRight, m, j});
    } else if (kind == Kind::kLeft) {
      const int m = choose_(i, j, [&](int k) { return Semiring::times(chart_.left(i)[k], chart_.open_left(k)[j]); });
      attach(m, j, {Kind::kLeft, i, m}, {Kind::kSplit, m, j});
    } else {
      const int r = choose_(i, j, [&](int k) { return Semiring::times(chart_.right(i)[k], chart_.left(k + 1)[j]); });
      agenda_.push_back({Kind::kRight, i, r});
      agenda_.push_back({Kind::kLeft, r + 1, j});
    }
  }

  void attach(int dependent, int head, Item left, Item right) {
    heads_[static_cast<std::size_t>(dependent)] = head;
    agenda_.push_back(left);
    agenda_.push_back(right);
  }

  const ProjectiveChart<Semiring>& chart_;
  Choose& choose_;
  std::span<int32_t> heads_;
  std::vector<Item> agenda_;
};

template <class Semiring, class Choose>
void unfold(const ProjectiveChart<Semiring>& chart, Choose&& choose, std::span<int32_t> heads) {
  Unfolding(chart, choose, heads).run();
}

}  // namespace accord::trees
