// SPDX-License-Identifier: Apache-2.0
// A factor graph as a linear program, in the arrays that LP and ILP solvers read.
//
// Problem:  maximise  scores . x + constant  over low <= x <= high,  row_low <= A x <= row_high;  x(j) in {0,1} where integral(j)
//           is set and an ILP is wanted. Columns 0..variables-1 are the graph's variables (evidence fixes them: low = high);
//           the others belong to factors, in their order. A is stored row after row (CSR).
// Exactness: the integral points, restricted to the variables, are the assignments the graph allows, with their values; when
//           every factor is tight, the LP is the relaxation that message passing solves. (Martins, Smith & Xing 2009.)
// Cost:     one pass over the factors, linear in the entries.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

struct LinearProgram {
  size_t variables = 0;  // of the graph: the first columns
  double constant = 0;
  std::vector<double> scores, low, high;  // per column
  std::vector<uint8_t> integral;          // per column: 0/1 in an ILP

  std::vector<int32_t> row_starts = {0};  // rows + 1
  std::vector<int32_t> columns;           // per entry
  std::vector<double> coefficients;       // per entry
  std::vector<double> row_low, row_high;  // per row

  size_t rows() const { return row_low.size(); }
};

// Throws std::invalid_argument, naming the factor, when one cannot write its rows or writes a row that is none. A score of
// -infinity on a column closes the column.
LinearProgram collect(const FactorGraph& graph);

}  // namespace accord::graph
