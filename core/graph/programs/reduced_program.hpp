// SPDX-License-Identifier: Apache-2.0
// What is left of a program when columns are fixed: fewer columns, fewer rows, numbers of a moderate size.
//
// Fixed columns go into the bounds of rows. Rows that always hold go, and then columns without rows, which their scores decide. A column
// that need not be integral, with one row that ties it to one integral column alone, is a score of that column. The largest entry of every
// row, and the largest score, lie between one half and one: all are multiplied by powers of two, which rounds nothing. Rows whose numbers
// are not all whole may be exceeded by what rounding costs.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/programs/linear_program.hpp"
#include "core/graph/programs/row_matrix.hpp"

namespace accord::graph {

struct ReducedProgram {
  RowMatrix matrix;
  std::vector<int32_t> column_of;  // of each column of the matrix: in the program
  std::vector<double> values;      // of all columns of the program that are not in the matrix
  double constant = 0;             // the score of those, in the program's own scale
  double scale = 1;                // a score of the program times the scale is one of the matrix
  bool infeasible = false;         // a row cannot hold
};

// `counts`: columns whose scores count; the scores of the others are constants of somebody else.
ReducedProgram reduced(const LinearProgram& program, std::span<const double> low, std::span<const double> high,
                       std::span<const uint8_t> counts);

}  // namespace accord::graph
