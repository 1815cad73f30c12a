// SPDX-License-Identifier: Apache-2.0
// A linear program of a few dozen columns, solved by the plainest simplex method: the reference against which the rows of
// factors are held. Dense dictionary, two phases, Bland's rule (so it always ends), long double.
//
// `Program` collects what a factor writes with rows() and answers two questions: what is the best own score when the
// variables are fixed (an integer program over the factor's own columns), and what is the optimum of the relaxation.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace contract {

using Real = long double;

// Maximises cost . x over matrix x <= limits, x >= 0.
class Simplex {
 public:
  Simplex(std::vector<std::vector<Real>> matrix, std::vector<Real> limits, std::vector<Real> costs)
      : rows_(matrix.size()),
        columns_(costs.size() + 1),
        table_(std::move(matrix)) {
    // The last column but one is the artificial variable of phase one; the last one holds the values.
    for (size_t i = 0; i < rows_; ++i) {
      table_[i].push_back(-1);
      table_[i].push_back(limits[i]);
      basic_.push_back(columns_ + i);
    }
    for (size_t j = 0; j < columns_; ++j) free_.push_back(j);
    costs.insert(costs.end(), {0, 0});
    table_.push_back(std::move(costs));
    table_.emplace_back(columns_ + 1, 0);
    table_.back()[columns_ - 1] = -1;
  }

  // False when nothing satisfies the rows. The program must be bounded.
  bool solve(std::vector<Real>& solution) {
    if (!reach_feasibility()) return false;
    climb(rows_, columns_ - 1);
    solution.assign(columns_ - 1, 0);
    for (size_t i = 0; i < rows_; ++i)
      if (basic_[i] < solution.size()) solution[basic_[i]] = table_[i][columns_];
    return true;
  }

 private:
  static constexpr Real tiny = 1e-12L;

  bool reach_feasibility() {
    size_t worst = 0;
    for (size_t i = 1; i < rows_; ++i)
      if (table_[i][columns_] < table_[worst][columns_]) worst = i;
    if (rows_ == 0 || table_[worst][columns_] >= -tiny) return true;
    pivot(worst, columns_ - 1);
    climb(rows_ + 1, std::numeric_limits<size_t>::max());
    for (size_t i = 0; i < rows_; ++i) {
      if (basic_[i] != columns_ - 1) continue;
      if (table_[i][columns_] > 1e-9L) return false;
      size_t widest = 0;  // the artificial variable leaves at value zero, through the largest entry of its row
      for (size_t j = 1; j < columns_; ++j)
        if (std::fabs(table_[i][j]) > std::fabs(table_[i][widest])) widest = j;
      pivot(i, widest);
    }
    return true;
  }

  // Improves the objective that stands in a row of the table; the variable `barred` stays out.
  void climb(size_t objective, size_t barred) {
    while (true) {
      size_t entering = columns_, leaving = rows_;
      for (size_t j = 0; j < columns_; ++j)
        if (free_[j] != barred && table_[objective][j] > tiny && (entering == columns_ || free_[j] < free_[entering])) entering = j;
      if (entering == columns_) return;
      for (size_t i = 0; i < rows_; ++i) {
        if (table_[i][entering] <= tiny) continue;
        if (leaving == rows_) {
          leaving = i;
          continue;
        }
        const Real gain = table_[i][columns_] / table_[i][entering] - table_[leaving][columns_] / table_[leaving][entering];
        if (gain < -tiny || (gain <= tiny && basic_[i] < basic_[leaving])) leaving = i;
      }
      if (leaving == rows_) return;
      pivot(leaving, entering);
    }
  }

  void pivot(size_t row, size_t column) {
    const Real inverse = 1 / table_[row][column];
    for (Real& entry : table_[row]) entry *= inverse;
    table_[row][column] = inverse;
    for (size_t i = 0; i < table_.size(); ++i) {
      const Real factor = table_[i][column];
      if (i == row || factor == 0) continue;
      table_[i][column] = 0;
      for (size_t j = 0; j <= columns_; ++j) table_[i][j] -= factor * table_[row][j];
    }
    std::swap(basic_[row], free_[column]);
  }

  size_t rows_, columns_;
  std::vector<std::vector<Real>> table_;  // constraints, then the objective, then the objective of phase one
  std::vector<size_t> basic_, free_;      // which variable stands in a row, in a column
};

class Program final : public accord::graph::RowSink {
 public:
  explicit Program(size_t variables)
      : variables_(variables),
        scores_(variables, 0),
        low_(variables, 0),
        high_(variables, 1),
        integral_(variables, false) {}

  int column(double score, bool integral, double high) override {
    scores_.push_back(score);
    low_.push_back(0);
    high_.push_back(high);
    integral_.push_back(integral);
    return static_cast<int>(scores_.size()) - 1;
  }

  void row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) override {
    sound_ = sound_ && columns.size() == coefficients.size() && low <= high;
    for (const int column : columns) sound_ = sound_ && column >= 0 && static_cast<size_t>(column) < scores_.size();
    rows_.push_back({{columns.begin(), columns.end()}, {coefficients.begin(), coefficients.end()}, low, high});
  }

  void add_score(int column, double score) override { scores_[static_cast<size_t>(column)] += score; }
  void add_constant(double score) override { constant_ += score; }

  bool sound() const { return sound_; }  // every row named columns that exist

  // Best own score of the rows with the variables fixed; -infinity when they forbid it.
  double own_score(std::span<const uint8_t> configuration) const {
    std::vector<double> low = low_, high = high_;
    for (size_t i = 0; i < variables_; ++i) low[i] = high[i] = configuration[i];
    return best_integral(low, high);
  }

  // Optimum of own + scores . v over the relaxation, variables in [0, 1].
  double relaxation(std::span<const double> scores) const {
    std::vector<double> total = scores_, solution;
    for (size_t i = 0; i < variables_; ++i) total[i] += scores[i];
    return maximum(total, low_, high_, solution);
  }

 private:
  struct Row {
    std::vector<int> columns;
    std::vector<double> coefficients;
    double low, high;
  };

  double best_integral(std::vector<double> low, std::vector<double> high) const {
    std::vector<double> solution;
    const double value = maximum(scores_, low, high, solution);
    if (value == accord::graph::impossible) return value;
    for (size_t j = variables_; j < solution.size(); ++j) {
      if (!integral_[j] || std::fabs(solution[j] - std::round(solution[j])) < 1e-9) continue;
      std::vector<double> below = high, above = low;
      below[j] = std::floor(solution[j]);
      above[j] = std::ceil(solution[j]);
      return std::max(best_integral(low, below), best_integral(above, high));
    }
    return value;
  }

  double maximum(std::span<const double> scores, std::span<const double> low, std::span<const double> high,
                 std::vector<double>& solution) const {
    std::vector<size_t> open;  // columns that are not fixed
    std::vector<size_t> place(scores.size(), scores.size());
    Real value = constant_;
    for (size_t j = 0; j < scores.size(); ++j) {
      value += static_cast<Real>(scores[j]) * low[j];
      if (high[j] > low[j]) place[j] = open.size(), open.push_back(j);
    }
    std::vector<std::vector<Real>> matrix;
    std::vector<Real> limits, costs, shifted;
    for (const size_t j : open) {
      costs.push_back(scores[j]);
      if (std::isinf(high[j])) continue;
      matrix.emplace_back(open.size(), 0);
      matrix.back()[place[j]] = 1;
      limits.push_back(static_cast<Real>(high[j]) - low[j]);
    }
    for (const Row& row : rows_) append(row, low, place, open.size(), matrix, limits);
    if (!Simplex(std::move(matrix), std::move(limits), costs).solve(shifted)) return accord::graph::impossible;
    solution.assign(low.begin(), low.end());
    for (size_t j = 0; j < open.size(); ++j) {
      solution[open[j]] += static_cast<double>(shifted[j]);
      value += costs[j] * shifted[j];
    }
    return static_cast<double>(value);
  }

  static void append(const Row& row, std::span<const double> low, std::span<const size_t> place, size_t open,
                     std::vector<std::vector<Real>>& matrix, std::vector<Real>& limits) {
    std::vector<Real> dense(open, 0);
    Real fixed = 0;
    for (size_t t = 0; t < row.columns.size(); ++t) {
      const auto j = static_cast<size_t>(row.columns[t]);
      fixed += static_cast<Real>(row.coefficients[t]) * low[j];
      if (place[j] < open) dense[place[j]] += row.coefficients[t];
    }
    if (!std::isinf(row.high)) matrix.push_back(dense), limits.push_back(row.high - fixed);
    if (std::isinf(row.low)) return;
    for (Real& entry : dense) entry = -entry;
    matrix.push_back(std::move(dense));
    limits.push_back(fixed - row.low);
  }

  size_t variables_;
  std::vector<double> scores_, low_, high_;
  std::vector<bool> integral_;
  std::vector<Row> rows_;
  double constant_ = 0;
  bool sound_ = true;
};

}  // namespace contract
