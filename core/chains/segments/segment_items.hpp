// SPDX-License-Identifier: Apache-2.0
// Segments with types that follow one another: a semi-Markov chain as a hypergraph (core/hypergraph/items.hpp; Sarawagi & Cohen 2004).
//
// Set:        all ways to cut `length` tokens into segments, each with a type; a type has a longest segment.
// Score:      sum of scores[(first * reach + size - 1) * types + type] over segments, and of
//             pairs[first][before * types + type] where a segment follows another. -infinity forbids.
// Items:      enter(i, type), before a segment of that type that begins at i; leave(j, type), behind one that ends at j; the goal.
// Complexity: O(length x types x (reach + types)) edges.
// A lattice (lattice.hpp) has the same set with one table of transitions, and edges that are listed; here transitions may change from
// token to token and edges are computed, so that a learner can score a sentence again without listing them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "core/hypergraph/items.hpp"

namespace accord::chains {

struct SegmentItems {
  struct Item {
    size_t place, type;
    bool leaves;  // behind a segment; the goal is the place behind the last token, entered
  };
  using Weight = double;

  size_t length = 0, types = 0, reach = 0;
  std::span<const int> longest;  // by type, at most `reach`
  const double* scores = nullptr;
  const double* const* pairs = nullptr;  // by token, of those behind the first; null: zeros

  // Ids: nothing, then for each place the leaves of segments that end there and the entries of those that begin there.
  size_t id(const Item& item) const { return 1 + item.place * 2 * types + (item.leaves ? 0 : types) + item.type; }
  Item item(size_t id) const {
    const size_t place = (id - 1) / (2 * types), rest = (id - 1) % (2 * types);
    return {place, rest % types, rest < types};
  }
  size_t size() const { return 2 + length * 2 * types + types; }
  size_t goal() const { return length == 0 ? hypergraph::nothing : id({length, 0, false}); }

  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (size_t place = 0; place < length; ++place) {
      if (place > 0)
        for (size_t type = 0; type < types; ++type) visit(Item{place, type, true});
      for (size_t type = 0; type < types; ++type) visit(Item{place, type, false});
    }
    for (size_t type = 0; type < types; ++type) visit(Item{length, type, true});
    visit(Item{length, 0, false});
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    visit(Item{length, 0, false});
    for (size_t place = length; place > 0; --place) {
      for (size_t type = types; type-- > 0;) visit(Item{place, type, true});
      for (size_t type = types; type-- > 0;) visit(Item{place - 1, type, false});
    }
  }

  // An edge is known by the segment that it adds (size > 0), or by the type that comes before (size 0).
  struct Step {
    size_t first, size, type, before;
    double weight;
  };
  size_t segment(size_t first, size_t size) const { return first * reach + size - 1; }
  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    if (item.leaves) {
      const size_t most = std::min(item.place, static_cast<size_t>(longest[item.type]));
      for (size_t size = 1; size <= most; ++size) {
        const size_t first = item.place - size;
        visit(id({first, item.type, false}), hypergraph::nothing,
              Step{first, size, item.type, 0, scores[segment(first, size) * types + item.type]});
      }
    } else if (item.place == 0) {
      visit(hypergraph::nothing, hypergraph::nothing, Step{0, 0, item.type, 0, 0.0});
    } else {
      const double* pair = item.place < length && pairs ? pairs[item.place] : nullptr;
      for (size_t before = 0; before < types; ++before)
        visit(id({item.place, before, true}), hypergraph::nothing,
              Step{item.place, 0, item.type, before, pair ? pair[before * types + item.type] : 0.0});
    }
  }
  static double weight(const Step& step) { return step.weight; }
  static double join(double weight, double left, double) { return left + weight; }
};

}  // namespace accord::chains
