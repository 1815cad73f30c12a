// SPDX-License-Identifier: Apache-2.0
// Lower bounds on a cost network by moving costs between variables and tables, one variable after the other.
//
// Bound:   any shift of costs q(t, i, a) from value a of variable i into table t leaves all costs of settings as they are; the sum of all
//          least entries is a lower bound. Passes forwards and backwards over the variables raise it:
//            collect    what each table has for the variable's values, given what it holds: M(t, i, a) = min over tuples with x_i = a
//            distribute the sum evenly to the tables that the pass has yet to come to.
//          On pairwise networks this is TRW-S (Kolmogorov 2006); tables over more variables are treated as in SRMP (Kolmogorov 2015). The
//          bound never falls, and a pass costs about as much as looking at every entry once for each variable of its table.
// Setting: each forward pass also gives every variable in turn the value that is best for the tables behind it, and for the messages of
//          those before it.
// Numbers: shifts are fractions while passes run; round() makes whole numbers of them, for which the bound is exact.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/values/costs/cost_network.hpp"

namespace accord::graph {

class Reparametrisation {
 public:
  // All costs of values must be finite, and every value must be in some tuple of each table that is not forbidden.
  explicit Reparametrisation(const CostNetwork& network);

  // A pass over all variables; returns the lower bound after it.
  double pass(bool forwards);
  // The setting of the last forward pass.
  const std::vector<int32_t>& setting() const { return setting_; }

  // What variable k of a table has shifted into it, one number a value.
  std::span<const double> shifts(size_t table, size_t k) const {
    return {shifts_.data() + edges_[first_edge_[table] + k].at, count(table, k)};
  }
  // Whole numbers from now on.
  void round();

 private:
  struct Edge {
    int32_t table, place;  // the variable's place in the scope
    size_t at;             // of the first value in shifts_ and messages_
  };

  size_t count(size_t table, size_t k) const { return network_.domain(static_cast<size_t>(network_.tables[table].scope[k])); }
  void collect(const Edge& edge);
  void collect_pair(const CostTable& table, const Edge& edge);
  void collect_many(const CostTable& table, const Edge& edge);
  void choose(size_t variable);
  const std::vector<double>& transposed(const CostTable& table);

  const CostNetwork& network_;
  std::vector<Edge> edges_;                     // table after table
  std::vector<size_t> first_edge_;              // of each table
  std::vector<std::vector<int32_t>> edges_of_;  // of each variable
  std::vector<double> shifts_, messages_;
  std::vector<SharedCosts> turned_;  // of pairs, by table: the transposed costs
  std::vector<double> sum_, total_;
  std::vector<int32_t> setting_;
};

}  // namespace accord::graph
