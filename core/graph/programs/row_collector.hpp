// SPDX-License-Identifier: Apache-2.0
// Writes the rows of one factor after the other into a linear program: a factor's columns become those of the program.
#pragma once
#include <span>

#include "core/graph/programs/linear_program.hpp"

namespace accord::graph {

class RowCollector final : public RowSink {
 public:
  RowCollector(const FactorGraph& graph, LinearProgram& program);

  // What comes next is written by this factor. Throws std::invalid_argument where it cannot write rows.
  void enter(size_t factor);

  int column(double score, bool integral, double high) override;
  void row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) override;
  void add_score(int column, double score) override;
  void add_constant(double score) override;

 private:
  size_t translate(int column) const;
  [[noreturn]] void fail(const char* what) const;

  const FactorGraph& graph_;
  LinearProgram& program_;
  size_t factor_ = 0;
  std::span<const int32_t> variables_;
  size_t first_own_ = 0;
};

}  // namespace accord::graph
