// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/reduced_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

constexpr double sum_rounding = 1e-11;  // of rows whose numbers are not whole, in units of their size
constexpr double largest_whole = 1e12;  // sums of these are exact

bool is_whole(double number) { return std::isinf(number) || (std::fabs(number) < largest_whole && number == std::round(number)); }

double power_of_two_near(double size) { return size > 0 ? std::ldexp(1.0, -std::ilogb(size) - 1) : 1.0; }

class Reduction {
 public:
  Reduction(const LinearProgram& program, std::span<const double> low, std::span<const double> high, std::span<const uint8_t> counts)
      : program_(program),
        low_(low),
        high_(high),
        counts_(counts),
        needed_(low.size(), 0),
        joined_(low.size(), 0.0) {}

  ReducedProgram run() {
    for (size_t i = 0; i < program_.rows(); ++i) look_at(i);
    std::erase_if(rows_, [&](const Row& row) { return join_tied(row); });
    place_columns();
    for (const Row& row : rows_) write(row);
    out_.matrix.columns = out_.matrix.rows.transposed(out_.matrix.width());
    return std::move(out_);
  }

 private:
  struct Row {
    size_t index;
    double low, high;  // for the columns that are left
    double size;       // of the largest entry
  };

  double score(size_t j) const { return (counts_[j] ? program_.scores[j] : 0.0) + joined_[j]; }

  void look_at(size_t i) {
    double fixed = 0, least = 0, most = 0, size = 0, sizes = 0;
    bool whole = is_whole(program_.row_low[i]) && is_whole(program_.row_high[i]);
    int64_t step = 0;  // the greatest common divisor, where the sum is a whole number
    for_entries(i, [&](size_t j, double a) {
      whole = whole && is_whole(a);
      sizes += std::fabs(a) * std::max(std::fabs(low_[j]), std::fabs(high_[j]));
      if (low_[j] == high_[j]) {
        fixed += a * low_[j];
        return;
      }
      least += std::min(a * low_[j], a * high_[j]);
      most += std::max(a * low_[j], a * high_[j]);
      size = std::max(size, std::fabs(a));
      if (whole) step = program_.integral[j] && step >= 0 ? std::gcd(step, static_cast<int64_t>(a)) : -1;
    });
    const auto spare = [&](double limit) { return whole || std::isinf(limit) ? 0.0 : sum_rounding * (sizes + std::fabs(limit)); };
    double low = program_.row_low[i] - fixed - spare(program_.row_low[i]);
    double high = program_.row_high[i] - fixed + spare(program_.row_high[i]);
    if (whole && step > 1) {
      const auto by = static_cast<double>(step);
      low = std::ceil(low / by) * by;
      high = std::floor(high / by) * by;
    }
    const double margin = whole ? 0.0 : sum_rounding * sizes;
    if (least > high + margin || most < low - margin || low > high) out_.infeasible = true;
    if (least >= low && most <= high) return;
    rows_.push_back({i, low, high, size});
    for_entries(i, [&](size_t j, double) { ++needed_[j]; });
  }

  // Whether the row ties a column that need not be integral to an integral one, and the first stands nowhere else. What the first is worth
  // at its best is then a score of the second.
  bool join_tied(const Row& row) {
    size_t free = 0, tied = 0, other = 0;
    double tied_entry = 0, other_entry = 0;
    for_entries(row.index, [&](size_t j, double a) {
      if (low_[j] == high_[j]) return;
      ++free;
      if (!program_.integral[j] && needed_[j] == 1) tied = j, tied_entry = a;
      else other = j, other_entry = a;
    });
    if (free != 2 || tied_entry == 0 || other_entry == 0 || !program_.integral[other] || score(tied) == 0) return false;
    const double side = score(tied) > 0 ? 1 : -1;  // where the tied column wants to go
    const double limit = side * tied_entry > 0 ? row.high : row.low, loose = side * tied_entry > 0 ? row.low : row.high;
    if (std::isinf(limit) || !std::isinf(loose)) return false;
    double ends[2];
    for (const int at : {0, 1}) {
      const double most = (limit - other_entry * (at ? high_[other] : low_[other])) / tied_entry;
      ends[at] = side > 0 ? std::min(high_[tied], most) : std::max(low_[tied], most);
      if (ends[at] < low_[tied] || ends[at] > high_[tied]) return false;
    }
    const double rate = (ends[1] - ends[0]) / (high_[other] - low_[other]);
    tied_constant_.add(score(tied) * (ends[0] - rate * low_[other]));
    joined_[other] += score(tied) * rate;
    joined_[tied] = -score(tied);
    needed_[tied] = 0;
    --needed_[other];
    return true;
  }

  template <typename Visit>
  void for_entries(size_t i, Visit&& visit) const {
    for (auto k = static_cast<size_t>(program_.row_starts[i]); k < static_cast<size_t>(program_.row_starts[i + 1]); ++k)
      visit(static_cast<size_t>(program_.columns[k]), program_.coefficients[k]);
  }

  void place_columns() {
    out_.values.assign(low_.begin(), low_.end());
    place_.assign(low_.size(), -1);
    double largest = 0;
    CarefulSum constant;
    for (size_t j = 0; j < low_.size(); ++j) {
      if (needed_[j] && low_[j] < high_[j]) {
        place_[j] = static_cast<int32_t>(out_.column_of.size());
        out_.column_of.push_back(static_cast<int32_t>(j));
        largest = std::max(largest, std::fabs(score(j)));
        continue;
      }
      if (low_[j] < high_[j] && score(j) > 0) out_.values[j] = high_[j];
      if (score(j) != 0) constant.add(score(j) * out_.values[j]);
    }
    constant.add(tied_constant_.value());
    out_.constant = constant.value();
    out_.scale = power_of_two_near(largest);
    for (const int32_t column : out_.column_of) {
      const auto j = static_cast<size_t>(column);
      out_.matrix.scores.push_back(score(j) * out_.scale);
      out_.matrix.low.push_back(low_[j]);
      out_.matrix.high.push_back(high_[j]);
      out_.matrix.integral.push_back(program_.integral[j]);
    }
  }

  void write(const Row& row) {
    const double factor = power_of_two_near(row.size);
    for_entries(row.index, [&](size_t j, double a) {
      if (place_[j] >= 0 && a != 0) out_.matrix.rows.add(place_[j], a * factor);
    });
    out_.matrix.rows.end_line();
    out_.matrix.row_low.push_back(row.low * factor);
    out_.matrix.row_high.push_back(row.high * factor);
  }

  const LinearProgram& program_;
  std::span<const double> low_, high_;
  std::span<const uint8_t> counts_;
  std::vector<int32_t> needed_;  // rows of each column
  std::vector<double> joined_;   // scores that columns have for others
  CarefulSum tied_constant_;
  std::vector<Row> rows_;
  std::vector<int32_t> place_;
  ReducedProgram out_;
};

}  // namespace

ReducedProgram reduced(const LinearProgram& program, std::span<const double> low, std::span<const double> high,
                       std::span<const uint8_t> counts) {
  return Reduction(program, low, high, counts).run();
}

}  // namespace accord::graph
