// SPDX-License-Identifier: Apache-2.0
// Integral points near a fractional one: rounded so that rows hold, then filled up.
//
// Columns are taken in the order of their values, and of their reduced costs where these are equal. A column is raised where all rows over
// integral columns still hold. Rows with other columns, which follow from the integral ones, do not count. Meant for budgets.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/programs/row_matrix.hpp"

namespace accord::graph {

class GreedyPoints {
 public:
  explicit GreedyPoints(const RowMatrix& matrix) : matrix_(matrix), counts_(matrix.height(), 1), sums_(matrix.height()) {
    for (size_t i = 0; i < matrix.height(); ++i)
      for (const MatrixEntry& entry : matrix.rows[i]) counts_[i] = counts_[i] && matrix.integral[static_cast<size_t>(entry.index)];
  }

  // Rounds the point; false where some row does not hold.
  bool round(std::vector<double>& point, std::span<const double> costs, std::span<const double> low, std::span<const double> high) {
    order_.clear();
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (size_t j = 0; j < point.size(); ++j) {
      if (!matrix_.integral[j]) continue;
      if (low[j] < high[j]) order_.push_back(static_cast<int32_t>(j));
      else add(j, low[j]);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](int32_t a, int32_t b) {
      const double x = point[static_cast<size_t>(a)], y = point[static_cast<size_t>(b)];
      return x != y ? x > y : costs[static_cast<size_t>(a)] > costs[static_cast<size_t>(b)];
    });
    for (const int32_t column : order_) {
      const auto j = static_cast<size_t>(column);
      const double value = point[j];
      point[j] = low[j];
      if (low[j] != 0) add(j, low[j]);
      if ((value > 0 || matrix_.scores[j] >= 0) && fits(j, high[j] - low[j])) add(j, high[j] - low[j]), point[j] = high[j];
    }
    for (size_t j = 0; j < point.size(); ++j)
      if (matrix_.integral[j] && low[j] == high[j]) point[j] = low[j];
    for (size_t i = 0; i < matrix_.height(); ++i)
      if (counts_[i] && (sums_[i] < matrix_.row_low[i] - margin || sums_[i] > matrix_.row_high[i] + margin)) return false;
    return true;
  }

 private:
  static constexpr double margin = 1e-9;

  void add(size_t j, double by) {
    for (const MatrixEntry& entry : matrix_.columns[j]) sums_[static_cast<size_t>(entry.index)] += entry.value * by;
  }
  bool fits(size_t j, double by) const {
    for (const MatrixEntry& entry : matrix_.columns[j]) {
      const auto i = static_cast<size_t>(entry.index);
      if (counts_[i] && entry.value * by > 0 && sums_[i] + entry.value * by > matrix_.row_high[i] + margin) return false;
    }
    return true;
  }

  const RowMatrix& matrix_;
  std::vector<uint8_t> counts_;  // of rows: all of its columns are integral
  std::vector<double> sums_;
  std::vector<int32_t> order_;
};

}  // namespace accord::graph
