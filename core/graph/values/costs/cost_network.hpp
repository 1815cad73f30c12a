// SPDX-License-Identifier: Apache-2.0
// A value graph as costs that are whole numbers, to be minimised.
//
// Why:     solvers on values move costs between tables and values many thousand times. Whole numbers (kept in doubles, below 2^52 in all)
//          are added, subtracted and compared without rounding, so that a bound stays a bound however long the solver works.
// Unit:    score = top - unit * cost. The unit is a power of two, as small as 2^-50 of what is at stake where no gap is allowed, and
//          otherwise just small enough that all roundings together stay within a share of the gap.
// Quantum: where all scores are whole multiples of one number (scores that are integers, say), costs are multiples of a quantum, and no
//          rounding happens. Then a search may stop one quantum short of its best assignment.
// Forbidden values and tuples have infinite cost; nothing infinite is ever moved.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

inline constexpr double forbidden = std::numeric_limits<double>::infinity();

using SharedCosts = std::shared_ptr<const std::vector<double>>;

struct CostTable {
  std::vector<int32_t> scope;   // rising
  std::vector<size_t> strides;  // the last variable runs fastest
  SharedCosts costs;

  double cost(std::span<const int32_t> setting) const {
    size_t entry = 0;
    for (size_t k = 0; k < scope.size(); ++k) entry += strides[k] * static_cast<size_t>(setting[static_cast<size_t>(scope[k])]);
    return (*costs)[entry];
  }
};

struct CostNetwork {
  std::vector<size_t> first = {0};  // of each variable's values in `values`
  std::vector<double> values;       // costs of values
  std::vector<CostTable> tables;    // over two or more variables
  double base = 0;                  // a cost that every setting has

  size_t variables() const { return first.size() - 1; }
  size_t domain(size_t variable) const { return first[variable + 1] - first[variable]; }
  double cost(std::span<const int32_t> setting) const;
  double sum_of_largest() const;  // of finite costs: no setting of finite cost has more
  // The tables of each variable, by number.
  std::vector<std::vector<int32_t>> tables_of_variables() const;
};

struct CostScale {
  double unit = 1;
  double top = 0;      // the score of cost zero
  double error = 0;    // by which a cost may differ from the true one through rounding, in units
  double quantum = 0;  // all costs are multiples of it; 0: of nothing but one

  // No setting of at least this cost has a larger score.
  double bound(double cost) const;
  double score(double cost) const { return top - unit * cost; }
};

struct Quantised {
  CostNetwork network;
  CostScale scale;
};

// tolerance: by how much an answer may miss the best score.
Quantised quantised(const ValueGraph& graph, double tolerance);

// Row-major strides of a scope.
std::vector<size_t> strides_of(const CostNetwork& network, std::span<const int32_t> scope);

}  // namespace accord::graph
