// From a chart back to a tree: walks down the items of projective_chart.hpp, asking at each which of its terms to follow.
// Following the best term gives the best tree; following a term with probability proportional to its value gives an
// exact sample. O(n^2): no back-pointers are kept, the terms of the O(n) items on the way are simply formed again.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/projective_chart.hpp"

namespace accord::trees {

// choose(from, to, term) returns one index in [from, to), where term(index) is the value of that alternative.
template <class Semiring, class Choose>
void unfold(const ProjectiveChart<Semiring>& chart, Choose&& choose, std::span<int32_t> heads) {
  enum class Kind : uint8_t { kSplit, kRight, kLeft };
  struct Item {
    Kind kind;
    int i;
    int j;
  };
  const int words = chart.words();
  const auto attach = [&](int dependent, int head) { heads[static_cast<std::size_t>(dependent)] = head; };
  heads[0] = -1;
  std::vector<Item> agenda;
  if (chart.first() == 0) {
    agenda.push_back({Kind::kRight, 0, words});
  } else if (words > 0) {
    const int child = choose(1, words + 1, [&](int m) {
      return Semiring::times(Semiring::times(chart.left(1)[m], chart.weight(0, m)), chart.right(m)[words]);
    });
    attach(child, 0);
    agenda.push_back({Kind::kLeft, 1, child});
    agenda.push_back({Kind::kRight, child, words});
  }
  while (!agenda.empty()) {
    const Item item = agenda.back();
    agenda.pop_back();
    const int left_end = item.i;
    const int right_end = item.j;
    if (left_end == right_end) continue;
    if (item.kind == Kind::kRight) {
      const int m = choose(left_end + 1, right_end + 1, [&](int k) {
        return Semiring::times(chart.open_right(left_end)[k], chart.right(k)[right_end]);
      });
      attach(m, left_end);
      agenda.push_back({Kind::kSplit, left_end, m});
      agenda.push_back({Kind::kRight, m, right_end});
    } else if (item.kind == Kind::kLeft) {
      const int m = choose(left_end, right_end, [&](int k) {
        return Semiring::times(chart.left(left_end)[k], chart.open_left(k)[right_end]);
      });
      attach(m, right_end);
      agenda.push_back({Kind::kLeft, left_end, m});
      agenda.push_back({Kind::kSplit, m, right_end});
    } else {
      const int r = choose(left_end, right_end, [&](int k) {
        return Semiring::times(chart.right(left_end)[k], chart.left(k + 1)[right_end]);
      });
      agenda.push_back({Kind::kRight, left_end, r});
      agenda.push_back({Kind::kLeft, r + 1, right_end});
    }
  }
}

}  // namespace accord::trees
