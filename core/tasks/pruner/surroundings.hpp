// SPDX-License-Identifier: Apache-2.0
// Where an arc would stand among the heads that words have now, as a first look at the sentence finds them.
//
// Words:     the head of the arc's head (grandparent); the nearest words that have the arc's head, too, between head and dependent
//            (inner) and beyond the dependent (outer).
// Crossings: how many words have arcs that cross this one.
// Only words up to `reach` away from the dependent are asked, so that an arc costs no more in long sentences. Nothing asks that
// heads make a tree.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace accord::tasks {

struct Surroundings {
  static constexpr int reach = 30;

  int grandparent, inner, outer;  // words, or `nowhere`
  int crossings = 0;

  // Heads of words 1..n by number (0: the root); size n+1.
  Surroundings(std::span<const int32_t> heads, int head, int dependent, int nowhere)
      : grandparent(head == 0 ? nowhere : heads[static_cast<size_t>(head)]),
        inner(nowhere),
        outer(nowhere) {
    const int words = static_cast<int>(heads.size()) - 1;
    const int low = std::min(head, dependent), high = std::max(head, dependent);
    const int first = std::max(1, dependent - reach), last = std::min(words, dependent + reach);
    int inner_distance = reach + 1, outer_distance = reach + 1;
    for (int word = first; word <= last; ++word) {
      const int other = heads[static_cast<size_t>(word)], distance = std::abs(word - dependent);
      const bool between = word > low && word < high;
      if (other == head && word != dependent && word != head) {
        const bool beyond = (word > dependent) == (dependent > head);
        if (between && distance < inner_distance) inner = word, inner_distance = distance;
        if (beyond && distance < outer_distance) outer = word, outer_distance = distance;
      }
      if (between) crossings += other < low || other > high;
      else if (word < low || word > high) crossings += other > low && other < high;
    }
  }
};

}  // namespace accord::tasks
