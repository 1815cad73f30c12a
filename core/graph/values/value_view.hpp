// SPDX-License-Identifier: Apache-2.0
// A graph of binary variables, seen as variables with several values.
//
// Groups: literals of which exactly one is on (exactly_one, or a variable of a categorical table) are one variable with a value for each
//         literal. Literals of which at most one is on are a variable with one more value, `none`. Every other binary variable has the
//         two values off and on. A binary variable is in one group at most; factors over the same variables that come later are tables.
// Tables: every other factor is a table over the groups that it touches, if the table is small. Tables over the same groups are added
//         up. A long at_least_one, a budget or a tree over many variables is too large to be a table: such a graph has no view.
// Scores: of variables that are decided alone (scale.hpp) are left out; evidence forbids values.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct ValueLimits {
  size_t tuples = size_t{1} << 14;  // of a table that is made here, at most
  size_t all = size_t{1} << 26;     // of all tables together
  bool alone = false;               // free variables without factors are variables here too
};

class ValueView {
 public:
  // Nothing where the graph has a factor that is too large for a table, or one that is written in Python.
  static std::optional<ValueView> of(const FactorGraph& graph, const ValueLimits& limits = {});

  const ValueGraph& values() const { return values_; }
  // One value for each variable of values(), as an assignment of all binary variables.
  std::vector<uint8_t> assignment(std::span<const int32_t> setting) const;
  // The other way round; empty where the assignment turns on more or less than one literal of a group.
  std::vector<int32_t> setting(std::span<const uint8_t> assignment) const;
  // A number for each value, as one for each binary variable: that of the value which turns the variable on.
  std::vector<double> posteriors(std::span<const double> of_values) const;
  // The other way round: the value that no binary variable turns on has what the others leave.
  std::vector<double> of_values(std::span<const double> posteriors) const;

  // A binary variable within its group: value `on` turns its literal on; `negated`: the variable is off then.
  struct Member {
    int32_t variable = -1;  // of values(); -1: decided alone
    int32_t value = 1;
    bool negated = false;
    uint8_t alone = 0;
  };
  const Member& place(size_t binary) const { return members_[binary]; }

 private:
  friend class ViewBuilder;

  ValueGraph values_;
  std::vector<Member> members_;  // for each binary variable
};

}  // namespace accord::graph
