// SPDX-License-Identifier: Apache-2.0
// The 0/1 knapsack problem, exactly (to a relative 1e-14).
//
// Set:     subsets of items whose costs sum to at most a limit; score: sum of the values of the members.
// Method:  items by falling value per cost; the first ones that fit are the greedy subset. Items are then reconsidered
//          outwards from the first that did not fit (Balas & Zemel 1980, Pisinger 1997), those before it for removal and
//          the others for addition, keeping the subsets that no cheaper and better one dominates. A subset leaves the list
//          when even fractions of the items still to come cannot make it better than the best found (Dantzig 1957).
//          The list usually empties after a few items.
//          Real costs proportional to values (subset sums, which duals drift towards) would let the list double with
//          every item: a long list is paired with all changes by the next few items, sorted by cost (Horowitz & Sahni
//          1974), which finds subsets so close to the bound that little remains.
// Cost:    O(n log n + n L), L the longest list: at most 2 limit + 1 for whole costs, a handful for most real ones. It
//          could double with every item, so it is cut at `longest_list`. Beyond that (real costs, values that are nearly
//          a function of them) the subset found may miss the best one by a hair, and the value returned is an upper
//          bound, so that what is built on it remains true.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::graph {

class Knapsack {
 public:
  explicit Knapsack(size_t longest_list = 65536) : longest_list_(longest_list) {}

  // Marks the best subset in `chosen` and returns its value (an upper bound after a cut, see above). Values may be
  // -infinity; costs and limit are finite and not negative. Of equally good subsets always the same one is found.
  double solve(std::span<const double> values, std::span<const double> costs, double limit, std::span<uint8_t> chosen);

 private:
  struct Item {
    double value, cost;
    uint32_t index;
    double ratio() const { return value / cost; }
  };
  struct State {
    double cost, value;
    uint32_t parent;  // the state that it changes ...
    uint32_t change;  // ... by adding or removing this item
  };
  struct BlockChange {  // of several items at once
    double cost, value;
    uint32_t members;  // bit j: the j-th item after the current one
  };

  void start(double limit);
  void reconsider(uint32_t depth);
  void keep(uint32_t state);
  double bound(const State& state) const;
  void pair_with_block(uint32_t depth);
  void shorten_list(uint32_t depth);
  void forget_states();
  void search();
  void list_block_changes(uint32_t depth, uint32_t width);
  void mark(std::span<uint8_t> chosen) const;
  bool greedy(uint32_t item) const { return item < first_out_; }
  double cost_change(uint32_t item) const { return greedy(item) ? -items_[item].cost : items_[item].cost; }
  double value_change(uint32_t item) const { return greedy(item) ? -items_[item].value : items_[item].value; }

  size_t longest_list_;
  double limit_ = 0;
  std::vector<Item> items_;      // worth considering, by falling ratio
  uint32_t first_out_ = 0;       // the greedy subset is all items before this one
  std::vector<uint32_t> order_;  // in which items are reconsidered
  double add_ratio_ = 0;         // of the next item that may be added; 0 when there is none
  double remove_ratio_ = 0;      // of the next that may be removed; infinite when there is none
  std::vector<State> states_;
  std::vector<uint32_t> list_, next_list_;  // states by rising cost and rising value
  std::vector<BlockChange> block_;
  std::vector<uint32_t> place_;
  double best_value_ = 0, dropped_bound_ = 0;
  uint32_t best_state_ = 0, best_depth_ = 0, best_members_ = 0;  // a state, and a change by the block after a depth
};

}  // namespace accord::graph
