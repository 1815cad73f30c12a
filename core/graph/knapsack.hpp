// The 0/1 knapsack problem, exactly.
//
// Set:     subsets of items whose costs sum to at most a limit; score: sum of the values of the members.
// Method:  items by falling value per cost; after each item the list of subsets that no cheaper and better one dominates
//          (Nemhauser & Ullmann 1969). Every subset on the list yields a solution (fill up in order until an item does not
//          fit) and an upper bound (take the fitting fraction of that item, Dantzig 1957), and leaves the list when its bound
//          does not exceed the best solution. Often the list empties after a few items.
// Cost:    O(n log n + n L log n), L the longest list: at most limit + 1 for whole costs, few in practice for real ones,
//          though exponential in the worst case.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::graph {

class Knapsack {
 public:
  // Marks the best subset in `chosen` and returns its value. Values may be -infinity; costs and limit are finite and
  // not negative. Of equally good subsets always the same one is found.
  double solve(std::span<const double> values, std::span<const double> costs, double limit, std::span<uint8_t> chosen);

 private:
  struct Item {
    double value, cost;
    uint32_t index;
  };
  struct State {
    double cost, value;
    uint32_t parent;  // the state that it extends ...
    uint32_t item;    // ... by this item (none for the first state)
  };
  struct Solution {  // a state, and all items from `from` up to, not including, `to`
    double value;
    uint32_t state;
    size_t from, to;
  };

  void sort_items();
  void extend(size_t item, double limit);
  // Keeps a state on the list that begins at item `from` unless it is dominated by the last kept or cannot win.
  void keep(uint32_t state, size_t from, double limit);
  void mark(std::span<uint8_t> chosen) const;

  std::vector<Item> items_;
  std::vector<double> cost_before_, value_before_;  // sums over items 0..k-1
  std::vector<State> states_;
  std::vector<uint32_t> list_, next_list_;  // states by rising cost and rising value
  Solution best_{};
};

}  // namespace accord::graph
