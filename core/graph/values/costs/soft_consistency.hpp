// SPDX-License-Identifier: Apache-2.0
// What follows below a limit: values that are out, and a lower bound, kept up to date while a search fixes variables.
//
// Costs:  a table's cost of a tuple is its entry less what was moved out of it (held). Moving a cost from a table to a value, or back, and
// from
//         all values of a variable to the lower bound leaves the cost of every setting as it was. All costs stay at zero or above.
// Rules:  EDAC (de Givry, Heras, Zytnicki and Larrosa 2005), for tables with two open variables i < j:
//           node        a value whose cost reaches the limit is out; the least cost of a variable's values moves to the lower bound
//           arc         every value of j has a value of i at no cost in the table
//           directed    every value of i has a value of j at no cost, that of the value of j included
//           existential some value of each variable has this with respect to all neighbours
//         Tables with more open variables keep every value in a tuple at no cost, where they have few tuples left.
//         Forbidden tuples have infinite cost, so the same rules take values out that break hard constraints.
// Trail:  every change is written down; undo(mark) takes changes back in O(changes).
// Amounts below `ignored` count as nothing: chasing them costs more than they raise the bound.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/reparametrisation.hpp"

namespace accord::graph {

// Variables in a queue, each once; taken from either end of their order.
class VariableQueue {
 public:
  explicit VariableQueue(size_t size) : words_((size + 63) / 64, 0) {}

  void push(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  int32_t pop_lowest();
  int32_t pop_highest();
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<uint64_t> words_;
};

class SoftConsistency {
 public:
  // The network must be arc consistent. `start`: shifts that give a good bound, in whole numbers.
  SoftConsistency(const CostNetwork& network, const Reparametrisation* start);

  double lower() const { return lower_; }
  double limit() const { return limit_; }
  // Settings of this cost or more are of no interest. It may only fall while changes stand that were made under it.
  void set_limit(double limit);
  // What is too small to be moved, from the distance between the bound and the limit.
  void choose_precision();

  struct Mark {
    size_t numbers = 0, counts = 0;
  };
  Mark mark() const { return {numbers_.size(), counts_.size()}; }
  void undo(const Mark& mark);

  void remove(size_t variable, int32_t value);
  void assign(size_t variable, int32_t value);
  void clear(size_t variable);  // takes all values out: a dead end
  // False: no setting below the limit is left.
  bool propagate();
  // Everything has to be looked at once at the beginning.
  void wake_all();

  size_t variables() const { return network_.variables(); }
  size_t left(size_t variable) const { return static_cast<size_t>(alive_[variable]); }
  // The values that are left, in any order.
  std::span<const int32_t> values(size_t variable) const { return {order_.data() + network_.first[variable], left(variable)}; }
  double cost(size_t variable, int32_t value) const { return unary_[network_.first[variable] + static_cast<size_t>(value)]; }
  bool has(size_t variable, int32_t value) const {
    return place_[network_.first[variable] + static_cast<size_t>(value)] < alive_[variable];
  }
  int32_t best_value(size_t variable) const;                           // of least cost; the existential support where it is one
  double weight(size_t variable) const { return weights_[variable]; }  // dead ends of its tables
  void decay_weights(double factor);
  std::vector<int32_t> setting() const;  // where every variable has one value left

 private:
  struct Table {
    const double* costs;
    size_t first_edge;
    int32_t arity;
    int32_t open;     // variables with several values
    int32_t base;     // the entry that fixed variables lead to
    int32_t pair[2];  // the edges of the two open variables
    double moved;     // what was moved out for the values of fixed variables
    double weight;
  };
  struct Edge {
    int32_t table, variable, stride;
    size_t at;  // of the first value in held_ and support_
  };

  void trail(double& number) { numbers_.push_back({&number, number}); }
  void trail(int32_t& count) { counts_.push_back({&count, count}); }
  void raise(size_t variable, int32_t value, double amount);
  void fail() { failed_ = true; }
  void settle(size_t variable);
  void close(Table& table);
  void normalise(size_t variable);
  void prune(size_t variable);
  void prune_all();
  void arcs_from(size_t variable);
  void directed_from(size_t variable);
  void existential(size_t variable);
  void simple_supports(const Table& table, const Edge& to, const Edge& from);
  void full_supports(const Table& table, const Edge& to, const Edge& from);
  double least_with(const Table& table, const Edge& to, const Edge& from, int32_t value, int32_t& support) const;
  double least_alone(const Table& table, const Edge& to, const Edge& from, int32_t value, int32_t& support) const;
  template <typename Visit>
  bool for_each_earlier(size_t variable, Visit&& visit);
  void project_many(Table& table);
  void wake(size_t variable);
  double seen(double amount) const { return amount > ignored_ ? amount : 0.0; }
  const Edge& other_of(const Table& table, const Edge& edge) const {
    const Edge& first = edges_[static_cast<size_t>(table.pair[0])];
    return &first == &edge ? edges_[static_cast<size_t>(table.pair[1])] : first;
  }
  double pair_cost(const Table& table, const Edge& a, int32_t va, const Edge& b, int32_t vb) const {
    return table.costs[static_cast<ptrdiff_t>(table.base) + static_cast<ptrdiff_t>(a.stride) * va + static_cast<ptrdiff_t>(b.stride) * vb] -
           table.moved - held_[a.at + static_cast<size_t>(va)] - held_[b.at + static_cast<size_t>(vb)];
  }

  const CostNetwork& network_;
  double lower_ = 0, limit_ = forbidden;
  double ignored_ = 0, coarse_ = 0;  // amounts: of any move, and of one to the lower bound, against the order of variables
  double pruned_at_ = -1;            // the lower bound at which all values were last compared with the limit
  bool failed_ = false;
  std::vector<Table> tables_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int32_t>> edges_of_;
  std::vector<double> unary_, held_;
  std::vector<int32_t> support_;
  std::vector<int32_t> order_, place_, alive_;  // sparse sets of values
  std::vector<int32_t> settled_;                // variables whose value is in the base of their tables
  std::vector<int32_t> existential_;            // a value of each variable
  std::vector<double> weights_;
  std::vector<int64_t> met_;  // the last round in which a neighbour was met
  int64_t round_ = 0;
  size_t moves_ = 0;
  Table* blamed_ = nullptr;
  struct OldNumber {
    double* where;
    double old;
  };
  struct OldCount {
    int32_t* where;
    int32_t old;
  };
  std::vector<OldNumber> numbers_;
  std::vector<OldCount> counts_;
  VariableQueue unsettled_, least_, arcs_, directed_, exist_, many_;
  std::vector<double> projected_, extended_, sums_;
  std::vector<int32_t> partners_;
};

}  // namespace accord::graph
