// SPDX-License-Identifier: Apache-2.0
// Joint compression (span_chart.hpp) as a hypergraph (core/hypergraph/items.hpp): what best compressions are read from, and what sums,
// ranked compressions and samples are made of. left(i, i) is `nothing`. An edge knows the arc and the neighbours that it adds.
#pragma once
#include <cstdint>

#include "core/compressions/span_chart.hpp"
#include "core/hypergraph/items.hpp"

namespace accord::compressions {

class SpanItems {
 public:
  using Kind = SpanChart::Kind;
  enum class Sort : uint8_t { split, right, left, goal };
  struct Item {
    Sort sort;
    int i, j;
  };
  // The dependent is 0 where no arc is added; `last` is -1 where no neighbours are, and otherwise the word or boundary that is followed
  // by word `following`, or by the boundary where that is n + 1.
  struct Weight {
    double score;
    int head, dependent, last, following;
  };

  // The scores must outlive the items.
  explicit SpanItems(const SpanScores& scores) : scores_(&scores), words_(scores.words()) {}

  std::size_t size() const { return goal() + 1; }
  std::size_t goal() const { return SpanChart::goal_id(words_); }
  std::size_t id(const Item& item) const {
    return item.sort == Sort::goal ? goal() : SpanChart::id(static_cast<Kind>(item.sort), words_, item.i, item.j);
  }
  Item item(std::size_t id) const {
    if (id == goal()) return {Sort::goal, 0, words_};
    const std::size_t width = static_cast<std::size_t>(words_) + 1, cell = (id - 1) % (width * width);
    return {static_cast<Sort>((id - 1) / (width * width)), static_cast<int>(cell / width), static_cast<int>(cell % width)};
  }

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int i = words_; i >= 1; --i) {
      visit(Item{Sort::right, i, i});
      for (int j = i + 1; j <= words_; ++j)
        for (const Sort sort : {Sort::split, Sort::right, Sort::left}) visit(Item{sort, i, j});
    }
    visit(Item{Sort::goal, 0, words_});
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    visit(Item{Sort::goal, 0, words_});
    for (int i = 1; i <= words_; ++i) {
      for (int j = words_; j > i; --j)
        for (const Sort sort : {Sort::left, Sort::right, Sort::split}) visit(Item{sort, i, j});
      visit(Item{Sort::right, i, i});
    }
  }

  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    const int i = item.i, j = item.j;
    switch (item.sort) {
      case Sort::split:
        for (int r = i; r < j; ++r) visit(tail(Sort::right, i, r), tail(Sort::left, r + 1, j), Weight{0, 0, 0, -1, 0});
        return;
      case Sort::right:
        if (j <= scores_->reach(i)) visit(hypergraph::nothing, hypergraph::nothing, Weight{scores_->next(i, j), 0, 0, i, j + 1});
        for (int m = i + 1; m <= j; ++m) visit(tail(Sort::split, i, m), tail(Sort::right, m, j), arc(i, m));
        return;
      case Sort::left:
        for (int m = i; m < j; ++m) visit(tail(Sort::left, i, m), tail(Sort::split, m, j), arc(j, m));
        return;
      case Sort::goal:
        return goal_edges(visit);
    }
  }
  static const Weight& weight(const Weight& edge) { return edge; }
  static double join(const Weight& weight, double left, double right) { return left + (weight.score + right); }

 private:
  std::size_t tail(Sort sort, int i, int j) const {
    return sort == Sort::left && i == j ? hypergraph::nothing : SpanChart::id(static_cast<Kind>(sort), words_, i, j);
  }
  Weight arc(int head, int dependent) const { return {scores_->arc(head, dependent), head, dependent, -1, 0}; }
  template <class Visit>
  void goal_edges(Visit& visit) const {
    if (scores_->may_be_empty() && scores_->empty() != forbidden)
      visit(hypergraph::nothing, hypergraph::nothing, Weight{scores_->empty(), 0, 0, 0, words_ + 1});
    for (int s = 1; s <= words_ && s - 1 <= scores_->reach(0); ++s)
      for (int r = s; r <= words_; ++r)
        visit(tail(Sort::left, s, r), tail(Sort::right, r, words_), Weight{scores_->next(0, s - 1) + scores_->arc(0, r), 0, r, 0, s});
  }

  const SpanScores* scores_;
  int words_;
};

}  // namespace accord::compressions
