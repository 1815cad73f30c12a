// SPDX-License-Identifier: Apache-2.0
// Writes one row at a time into a RowSink: row.add(column, coefficient).add(...).at_most(1).
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class RowBuilder {
 public:
  explicit RowBuilder(RowSink& sink) : sink_(sink) {}

  // A column may be added once per row.
  RowBuilder& add(int column, double coefficient) {
    columns_.push_back(column);
    coefficients_.push_back(coefficient);
    return *this;
  }
  RowBuilder& add(std::span<const int> columns, double coefficient) {
    for (const int column : columns) add(column, coefficient);
    return *this;
  }

  // Each of these ends the row and starts an empty one.
  void equals(double value) { between(value, value); }
  void at_most(double high) { between(-std::numeric_limits<double>::infinity(), high); }
  void at_least(double low) { between(low, std::numeric_limits<double>::infinity()); }

 private:
  void between(double low, double high) {
    sink_.row(low, columns_, coefficients_, high);
    columns_.clear();
    coefficients_.clear();
  }

  RowSink& sink_;
  std::vector<int> columns_;
  std::vector<double> coefficients_;
};

}  // namespace accord::graph
