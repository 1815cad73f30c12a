// SPDX-License-Identifier: Apache-2.0
// Compressions by the statuses of words and heads as a hypergraph (core/hypergraph/items.hpp).
//
// Item:        (word, status of its head, whether a word is kept, total of costs): what stands below the word and below its siblings to
//              the right. An edge decides the status of the word; its tails are the first dependent and the next sibling.
// Complexity:  O(n) items and edges without lengths. With lengths, a pair of totals for each edge: O(n L) for totals up to L, as a pair of
//              words meets once (costs of 1).
// The tree may have crossing arcs: neighbours are not looked at.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/compressions/forest.hpp"
#include "core/compressions/length_search.hpp"
#include "core/compressions/statuses/status_scores.hpp"

namespace accord::compressions {

class StatusItems {
 public:
  struct Item {
    int place, above, some, total;  // place in the forest's order, -1 for the goal
  };
  // Word 0 where the edge decides nothing.
  struct Weight {
    double score;
    int word, status, above;
  };

  // The scores must outlive the items. Throws std::invalid_argument where there would be too many items.
  StatusItems(const StatusScores& scores, const Forest& forest, std::span<const int> costs, Window window);

  // Which totals the goal may have from now on, within those at the start.
  void ask_for(Window window) { window_ = window; }

  std::size_t size() const { return goal() + 1; }
  std::size_t goal() const { return offsets_.back(); }
  std::size_t id(const Item& item) const {
    if (item.place < 0) return goal();
    const std::size_t table = 2 * index(item.above) + index(item.some);
    return offsets_[index(item.place)] + table * (index(most_[index(item.place)]) + 1) + index(item.total);
  }
  Item item(std::size_t id) const;

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int place = static_cast<int>(most_.size()); place-- > 0;) visit_place(place, visit);
    visit(Item{-1, 1, 1, 0});
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    visit(Item{-1, 1, 1, 0});
    for (int place = 0; place < static_cast<int>(most_.size()); ++place) visit_place(place, visit);
  }

  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    if (item.place < 0) return goal_edges(visit);
    if (item.some == 0 && item.total > 0) return;
    const int32_t word = forest_->words[index(item.place)];
    const int32_t down = forest_->first[index(word)], next = forest_->next[index(word)];
    for (int status = 0; status <= item.some; ++status) {
      const Weight weight{scores_->gain(word, status, item.above), word, status, item.above};
      const int total = item.total - (status ? costs_[index(word)] : 0);
      if (weight.score == forbidden || total < 0) continue;
      for (int below = 0; below <= (item.some && down ? 1 : 0); ++below)
        for (int beside = 0; beside <= (item.some && next ? 1 : 0); ++beside) {
          if (item.some && !(status || below || beside)) continue;
          splits({down, status, below}, {next, item.above, beside}, total, weight, visit);
        }
    }
  }
  static const Weight& weight(const Weight& edge) { return edge; }
  static double join(const Weight& weight, double left, double right) { return left + (weight.score + right); }

 private:
  struct Part {
    int32_t word;  // 0: nothing there
    int above, some;
  };

  template <class Visit>
  void visit_place(int place, Visit& visit) const {
    for (int above = 0; above < 2; ++above)
      for (int some = 0; some < 2; ++some)
        for (int total = 0; total <= most_[index(place)]; ++total) visit(Item{place, above, some, total});
  }
  int most(const Part& part) const { return part.word == 0 || part.some == 0 ? 0 : most_[index(forest_->places[index(part.word)])]; }
  std::size_t tail(const Part& part, int total) const {
    return part.word == 0 ? hypergraph::nothing : id({forest_->places[index(part.word)], part.above, part.some, total});
  }
  template <class Visit>
  void splits(const Part& below, const Part& beside, int total, const Weight& weight, Visit& visit) const {
    for (int part = std::max(0, total - most(beside)), last = std::min(total, most(below)); part <= last; ++part)
      visit(tail(below, part), tail(beside, total - part), weight);
  }
  template <class Visit>
  void goal_edges(Visit& visit) const {
    const Part all{forest_->first[0], 1, 1}, none{forest_->first[0], 1, 0};
    if (scores_->empty() != forbidden && window_.holds(0)) visit(tail(none, 0), hypergraph::nothing, Weight{scores_->empty(), 0, 0, 1});
    if (all.word == 0) return;
    for (int total = std::max(window_.low, 0); total <= std::min(window_.high, most(all)); ++total)
      visit(tail(all, total), hypergraph::nothing, Weight{0, 0, 0, 1});
  }

  const StatusScores* scores_;
  const Forest* forest_;
  std::vector<int> costs_;  // all zero where lengths are free
  Window window_;
  std::vector<int> most_;             // by place: the largest total of its items
  std::vector<std::size_t> offsets_;  // by place: the first id; the last entry is the goal
};

}  // namespace accord::compressions
