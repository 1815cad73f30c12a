// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/row_propagation.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {
constexpr double row_rounding = 1e-11;  // of the sums of a row
}

RowPropagation::RowPropagation(const RowMatrix& matrix)
    : matrix_(matrix),
      low_(matrix.low),
      high_(matrix.high),
      queued_(matrix.height(), 0) {
  for (size_t i = 0; i < matrix.height(); ++i) {
    double sizes = 0;
    for (const MatrixEntry& entry : matrix.rows[i]) {
      const auto j = static_cast<size_t>(entry.index);
      sizes += std::fabs(entry.value) * std::max(std::fabs(low_[j]), std::fabs(high_[j]));
    }
    margins_.push_back(row_rounding * (1 + sizes));
  }
}

void RowPropagation::queue(size_t row) {
  if (queued_[row]) return;
  queued_[row] = 1;
  waiting_.push_back(row);
}

void RowPropagation::look_at_all() {
  for (size_t i = 0; i < matrix_.height(); ++i) queue(i);
}

void RowPropagation::fix(size_t column, double value) {
  changed_.push_back(static_cast<int32_t>(column));
  before_.emplace_back(low_[column], high_[column]);
  low_[column] = high_[column] = value;
  for (const MatrixEntry& entry : matrix_.columns[column]) queue(static_cast<size_t>(entry.index));
}

void RowPropagation::undo(size_t length) {
  while (changed_.size() > length) {
    const auto column = static_cast<size_t>(changed_.back());
    low_[column] = before_.back().first;
    high_[column] = before_.back().second;
    changed_.pop_back();
    before_.pop_back();
  }
}

bool RowPropagation::look_at(size_t row) {
  double least = 0, most = 0, widest = 0;
  for (const MatrixEntry& entry : matrix_.rows[row]) {
    const auto j = static_cast<size_t>(entry.index);
    const double at_low = entry.value * low_[j], at_high = entry.value * high_[j];
    least += std::min(at_low, at_high);
    most += std::max(at_low, at_high);
    if (matrix_.integral[j]) widest = std::max(widest, std::fabs(at_high - at_low));
  }
  const double high = matrix_.row_high[row] + margins_[row], low = matrix_.row_low[row] - margins_[row];
  if (least > high || most < low) return false;
  if (least + widest <= high && most - widest >= low) return true;
  for (const MatrixEntry& entry : matrix_.rows[row]) {
    const auto j = static_cast<size_t>(entry.index);
    if (!matrix_.integral[j] || is_fixed(j)) continue;
    const double width = std::fabs(entry.value) * (high_[j] - low_[j]);
    const bool too_much = least + width > high, too_little = most - width < low;
    if (too_much && too_little) return false;
    if (too_much) fix(j, entry.value > 0 ? low_[j] : high_[j]);
    if (too_little) fix(j, entry.value > 0 ? high_[j] : low_[j]);
    if (too_much) most -= width;
    if (too_little) least += width;
  }
  return true;
}

bool RowPropagation::propagate() {
  bool holds = true;
  while (!waiting_.empty() && holds) {
    const size_t row = waiting_.back();
    waiting_.pop_back();
    queued_[row] = 0;
    holds = look_at(row);
  }
  for (const size_t row : waiting_) queued_[row] = 0;
  waiting_.clear();
  return holds;
}

}  // namespace accord::graph
