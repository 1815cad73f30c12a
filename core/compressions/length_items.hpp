// SPDX-License-Identifier: Apache-2.0
// Joint compression of given lengths as a hypergraph (core/hypergraph/items.hpp): the items of span_items.hpp, each once for every total
// of the costs that are deleted inside. What sums, ranked compressions and samples of a length are made of; best compressions alone come
// faster from length_chart.hpp. With costs of 1, O(n^3) items and O(n^5) edges.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/compressions/length_search.hpp"
#include "core/compressions/span_items.hpp"
#include "core/hypergraph/items.hpp"

namespace accord::compressions {

class LengthItems {
 public:
  using Sort = SpanItems::Sort;
  using Weight = SpanItems::Weight;
  struct Item {
    Sort sort;
    int i, j, deleted;
  };

  // The scores must outlive the items. The window is that of the kept words. Throws std::invalid_argument where there would be too many
  // edges.
  LengthItems(const SpanScores& scores, std::span<const int> costs, Window window);

  std::size_t size() const { return items_.size(); }
  std::size_t goal() const { return items_.size() - 1; }
  std::size_t id(const Item& item) const {
    return item.sort == Sort::goal ? goal() : first_[cell(item.sort, item.i, item.j)] + static_cast<std::size_t>(item.deleted);
  }
  const Item& item(std::size_t id) const { return items_[id]; }

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (std::size_t id = 1; id < items_.size(); ++id) visit(items_[id]);
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    for (std::size_t id = items_.size() - 1; id > 0; --id) visit(items_[id]);
  }

  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    const auto [sort, i, j, deleted] = item;
    if (sort == Sort::goal) return goal_edges(visit);
    if (sort == Sort::right && j <= scores_->reach(i) && deleted == cost(i + 1, j))
      visit(hypergraph::nothing, hypergraph::nothing, Weight{scores_->next(i, j), 0, 0, i, j + 1});
    if (sort == Sort::split)
      for (int r = i; r < j; ++r) pairs(Item{Sort::right, i, r, 0}, Item{Sort::left, r + 1, j, 0}, deleted, {0, 0, 0, -1, 0}, visit);
    if (sort == Sort::right)
      for (int m = i + 1; m <= j; ++m) pairs(Item{Sort::split, i, m, 0}, Item{Sort::right, m, j, 0}, deleted, arc(i, m), visit);
    if (sort == Sort::left)
      for (int m = i; m < j; ++m) pairs(Item{Sort::left, i, m, 0}, Item{Sort::split, m, j, 0}, deleted, arc(j, m), visit);
  }
  static const Weight& weight(const Weight& edge) { return edge; }
  static double join(const Weight& weight, double left, double right) { return SpanItems::join(weight, left, right); }

 private:
  std::size_t cell(Sort sort, int i, int j) const {
    const std::size_t width = static_cast<std::size_t>(words_) + 1;
    return (static_cast<std::size_t>(sort) * width + static_cast<std::size_t>(i)) * width + static_cast<std::size_t>(j);
  }
  // Of the words from..to, none where to is smaller.
  int cost(int from, int to) const {
    return to < from ? 0 : sums_[static_cast<std::size_t>(to)] - sums_[static_cast<std::size_t>(from) - 1];
  }
  // The most that can be deleted in an item, within what may be deleted in all. Both ends are kept where the item is no right(i, j).
  int most(const Item& item) const { return std::min(cost(item.i + 1, item.sort == Sort::right ? item.j : item.j - 1), deletable_); }
  std::size_t tail(const Item& item, int deleted) const {
    if (item.sort == Sort::left && item.i == item.j) return hypergraph::nothing;
    return first_[cell(item.sort, item.i, item.j)] + static_cast<std::size_t>(deleted);
  }
  Weight arc(int head, int dependent) const { return {scores_->arc(head, dependent), head, dependent, -1, 0}; }
  void add(Sort sort, int i, int j);

  // All ways to divide what is deleted between two items.
  template <class Visit>
  void pairs(const Item& left, const Item& right, int deleted, const Weight& weight, Visit& visit) const {
    if (weight.score == forbidden) return;
    for (int part = std::max(0, deleted - most(right)), last = std::min(deleted, most(left)); part <= last; ++part)
      visit(tail(left, part), tail(right, deleted - part), weight);
  }
  template <class Visit>
  void goal_edges(Visit& visit) const {
    if (scores_->may_be_empty() && scores_->empty() != forbidden && cost(1, words_) >= least_ && cost(1, words_) <= deletable_)
      visit(hypergraph::nothing, hypergraph::nothing, Weight{scores_->empty(), 0, 0, 0, words_ + 1});
    for (int s = 1; s <= words_ && s - 1 <= scores_->reach(0); ++s)
      for (int r = s; r <= words_; ++r) {
        const Weight weight{scores_->next(0, s - 1) + scores_->arc(0, r), 0, r, 0, s};
        for (int deleted = least_; deleted <= deletable_; ++deleted)
          if (const int inside = deleted - cost(1, s - 1); inside >= 0)
            pairs(Item{Sort::left, s, r, 0}, Item{Sort::right, r, words_, 0}, inside, weight, visit);
      }
  }

  const SpanScores* scores_;
  int words_, least_ = 0, deletable_ = 0;  // of the totals of deleted costs
  std::vector<int> sums_;                  // of costs, up to each word
  std::vector<std::size_t> first_;         // by cell: the id of the item that deletes nothing
  std::vector<Item> items_;                // by id, from the smallest to the goal; the first is nothing
};

}  // namespace accord::compressions
