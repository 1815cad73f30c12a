// SPDX-License-Identifier: Apache-2.0
// All integral solutions of a system of rows with some columns fixed: bounds are tightened row by row until nothing
// moves, then an integral column that is still open is tried both ways. Meant for systems in which the fixed columns
// determine the rest, where the first step does nearly everything.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace check {

class RowSolutions final : public accord::graph::RowSink {
 public:
  explicit RowSolutions(size_t variables) : start_(variables, {0.0, 1.0}), integral_(variables, 1), scores_(variables, 0.0) {}

  int column(double score, bool integral, double high) override {
    start_.push_back({0.0, high});
    integral_.push_back(integral);
    scores_.push_back(score);
    return static_cast<int>(start_.size()) - 1;
  }
  void row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) override {
    rows_.push_back({{columns.begin(), columns.end()}, {coefficients.begin(), coefficients.end()}, {low, high}});
  }
  void add_score(int column, double score) override { scores_[static_cast<size_t>(column)] += score; }
  void add_constant(double score) override { constant_ += score; }

  // Values of all columns, once per solution. Continuous columns stand at the middle of what remains possible.
  std::vector<std::vector<double>> solve(std::span<const uint8_t> fixed) const {
    std::vector<Bounds> bounds = start_;
    for (size_t i = 0; i < fixed.size(); ++i) bounds[i] = {static_cast<double>(fixed[i]), static_cast<double>(fixed[i])};
    std::vector<std::vector<double>> found;
    search(std::move(bounds), found);
    return found;
  }

  double score(std::span<const double> values) const {
    double total = constant_;
    for (size_t j = 0; j < values.size(); ++j) total += values[j] * scores_[j];
    return total;
  }

 private:
  static constexpr double tolerance = 1e-9;
  struct Bounds {
    double low, high;
  };
  struct Row {
    std::vector<int> columns;
    std::vector<double> coefficients;
    Bounds range;
  };

  void search(std::vector<Bounds> bounds, std::vector<std::vector<double>>& found) const {
    if (!propagate(bounds)) return;
    for (size_t j = 0; j < bounds.size(); ++j) {
      if (!integral_[j] || bounds[j].low == bounds[j].high) continue;
      for (const double value : {0.0, 1.0}) {
        std::vector<Bounds> branch = bounds;
        branch[j] = {value, value};
        search(std::move(branch), found);
      }
      return;
    }
    found.emplace_back();
    for (const Bounds& bound : bounds) found.back().push_back((bound.low + bound.high) / 2);
  }

  bool propagate(std::vector<Bounds>& bounds) const {
    for (bool moved = true; moved;) {
      moved = false;
      for (const Row& row : rows_)
        if (!tighten(row, bounds, moved)) return false;
    }
    return true;
  }

  // What the other columns of the row leave for each one.
  bool tighten(const Row& row, std::vector<Bounds>& bounds, bool& moved) const {
    double least = 0, most = 0;
    for (size_t t = 0; t < row.columns.size(); ++t) {
      const Bounds term = scaled(bounds[static_cast<size_t>(row.columns[t])], row.coefficients[t]);
      least += term.low;
      most += term.high;
    }
    if (least > row.range.high + tolerance || most < row.range.low - tolerance) return false;
    for (size_t t = 0; t < row.columns.size(); ++t) {
      const auto j = static_cast<size_t>(row.columns[t]);
      const Bounds term = scaled(bounds[j], row.coefficients[t]);
      const Bounds room = {row.range.low - (most - term.high), row.range.high - (least - term.low)};
      if (!shrink(bounds[j], scaled(room, 1 / row.coefficients[t]), integral_[j], moved)) return false;
      const Bounds now = scaled(bounds[j], row.coefficients[t]);
      least += now.low - term.low;
      most += now.high - term.high;
    }
    return true;
  }

  static bool shrink(Bounds& bound, Bounds room, bool integral, bool& moved) {
    if (integral) room = {std::ceil(room.low - tolerance), std::floor(room.high + tolerance)};
    if (room.low > bound.low + tolerance) bound.low = room.low, moved = true;
    if (room.high < bound.high - tolerance) bound.high = room.high, moved = true;
    return bound.low <= bound.high + tolerance;
  }

  static Bounds scaled(Bounds bounds, double factor) {
    const double low = bounds.low * factor, high = bounds.high * factor;
    return factor >= 0 ? Bounds{low, high} : Bounds{high, low};
  }

  std::vector<Bounds> start_;
  std::vector<uint8_t> integral_;
  std::vector<double> scores_;
  std::vector<Row> rows_;
  double constant_ = 0;
};

}  // namespace check
