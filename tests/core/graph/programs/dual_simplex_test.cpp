// SPDX-License-Identifier: Apache-2.0
// The dual simplex method certifies itself: a point within all bounds whose value meets a bound that holds for all points is the best one.
#include "core/graph/programs/dual_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/graph/programs/kernel_inverse.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

using Random = std::mt19937_64;

double number(Random& random) { return std::normal_distribution<double>()(random); }

RowMatrix random_matrix(Random& random, size_t columns, size_t rows, double density) {
  RowMatrix matrix;
  for (size_t j = 0; j < columns; ++j) {
    matrix.scores.push_back(number(random));
    matrix.low.push_back(0);
    matrix.high.push_back(1);
    matrix.integral.push_back(1);
  }
  for (size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (size_t j = 0; j < columns; ++j) {
      if (std::uniform_real_distribution<double>()(random) > density) continue;
      const double entry = number(random);
      matrix.rows.add(static_cast<int32_t>(j), entry);
      sum += std::max(0.0, entry);
    }
    matrix.rows.end_line();
    matrix.row_high.push_back(0.3 * sum);
    matrix.row_low.push_back(i % 3 == 0 ? -0.1 * sum : -std::numeric_limits<double>::infinity());
  }
  matrix.columns = matrix.rows.transposed(columns);
  return matrix;
}

bool is_best(const RowMatrix& matrix, DualSimplex& simplex) {
  double value = 0;
  for (size_t j = 0; j < matrix.width(); ++j) {
    value += matrix.scores[j] * simplex.value(j);
    if (simplex.value(j) < simplex.low(j) - 1e-7 || simplex.value(j) > simplex.high(j) + 1e-7) return false;
  }
  for (size_t i = 0; i < matrix.height(); ++i) {
    double sum = 0;
    for (const MatrixEntry& entry : matrix.rows[i]) sum += entry.value * simplex.value(static_cast<size_t>(entry.index));
    if (sum < matrix.row_low[i] - 1e-7 || sum > matrix.row_high[i] + 1e-7) return false;
  }
  return check::near(value, simplex.bound(), 1e-7);
}

// Whether some corner of the box satisfies all rows, which is possible for few columns alone.
bool has_corner(const RowMatrix& matrix, const DualSimplex& simplex) {
  for (uint32_t bits = 0; bits < 1u << matrix.width(); ++bits) {
    bool holds = true;
    for (size_t j = 0; j < matrix.width(); ++j) holds = holds && (bits >> j & 1) >= simplex.low(j) && (bits >> j & 1) <= simplex.high(j);
    for (size_t i = 0; i < matrix.height() && holds; ++i) {
      double sum = 0;
      for (const MatrixEntry& entry : matrix.rows[i]) sum += bits >> entry.index & 1 ? entry.value : 0.0;
      holds = sum >= matrix.row_low[i] && sum <= matrix.row_high[i];
    }
    if (holds) return true;
  }
  return false;
}

}  // namespace

TEST("the point of a solved relaxation is feasible, and its value meets the bound") {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const RowMatrix matrix = random_matrix(random, 1 + random() % 40, 1 + random() % 30, 0.1 + 0.2 * static_cast<double>(random() % 4));
    DualSimplex simplex(matrix);
    const DualSimplex::Outcome outcome = simplex.solve(-1e300, 10000);
    CHECK(outcome == DualSimplex::Outcome::infeasible || (outcome == DualSimplex::Outcome::optimal && is_best(matrix, simplex)));
  }
}

TEST("bounds may change in any order, and a state can be taken back") {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    const RowMatrix matrix = random_matrix(random, 25, 15, 0.4);
    DualSimplex simplex(matrix);
    simplex.solve(-1e300, 10000);
    for (int change = 0; change < 40; ++change) {
      const DualSimplex::State before = simplex.state();
      const size_t j = random() % 25;
      const bool free = random() % 3 == 0;
      const double value = static_cast<double>(random() % 2);
      simplex.set_bounds(j, free ? 0.0 : value, free ? 1.0 : value);
      const DualSimplex::Outcome outcome = simplex.solve(-1e300, 10000);
      CHECK(outcome == DualSimplex::Outcome::infeasible || (outcome == DualSimplex::Outcome::optimal && is_best(matrix, simplex)));
      if (outcome == DualSimplex::Outcome::infeasible) simplex.restore(before);
    }
  }
}

TEST("what is proved to be infeasible has no integral point") {
  Random random(3);
  int proved = 0;
  for (int round = 0; round < 300; ++round) {
    const RowMatrix matrix = random_matrix(random, 8, 6, 0.6);
    DualSimplex simplex(matrix);
    for (size_t j = 0; j < 4; ++j) {
      const double value = static_cast<double>(random() % 2);
      simplex.set_bounds(j, value, value);
    }
    if (simplex.solve(-1e300, 1000) != DualSimplex::Outcome::infeasible) continue;
    ++proved;
    CHECK(!has_corner(matrix, simplex));
  }
  CHECK(proved > 20);
}

TEST("a bound holds after any number of steps") {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const RowMatrix matrix = random_matrix(random, 30, 20, 0.3);
    DualSimplex whole(matrix);
    if (whole.solve(-1e300, 10000) != DualSimplex::Outcome::optimal) continue;
    DualSimplex simplex(matrix);
    double last = 1e300;
    for (int step = 0; step < 30; ++step) {
      simplex.solve(-1e300, 1);
      CHECK(simplex.bound() >= whole.objective() - 1e-9);
      CHECK(simplex.objective() <= last + 1e-9);
      last = simplex.objective();
    }
  }
}

TEST("the inverse of a kernel follows every change of the kernel") {
  Random random(5);
  size_t size = 3;
  std::vector<std::vector<double>> kernel(size, std::vector<double>(size));
  const auto fill = [&](std::vector<double>& line, size_t length) {
    line.resize(length);
    for (double& entry : line) entry = number(random);
  };
  for (auto& row : kernel) fill(row, size);
  const auto flat = [&] {
    std::vector<double> all;
    for (const auto& row : kernel) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  KernelInverse inverse;
  CHECK(inverse.invert(flat(), size));
  const auto times_column = [&](const std::vector<double>& column) {
    std::vector<double> out(size, 0.0);
    for (size_t p = 0; p < size; ++p)
      for (size_t r = 0; r < size; ++r) out[p] += inverse.row(p)[r] * column[r];
    return out;
  };
  const auto row_times = [&](const std::vector<double>& row) {
    std::vector<double> out(size, 0.0);
    for (size_t r = 0; r < size; ++r)
      for (size_t p = 0; p < size; ++p) out[r] += row[p] * inverse.row(p)[r];
    return out;
  };
  for (int change = 0; change < 200; ++change) {
    std::vector<double> column, row;
    fill(column, size);
    fill(row, size);
    const size_t p = random() % size, r = random() % size;
    const uint64_t kind = random() % 4;
    if (kind == 0) {
      const std::vector<double> transformed = times_column(column);
      if (std::fabs(transformed[p]) < 0.05) continue;
      for (size_t i = 0; i < size; ++i) kernel[i][p] = column[i];
      inverse.replace_column(p, transformed);
    } else if (kind == 1) {
      const std::vector<double> transformed = row_times(row);
      if (std::fabs(transformed[r]) < 0.05) continue;
      kernel[r] = row;
      inverse.replace_row(r, transformed);
    } else if (kind == 2 && size < 12) {
      const std::vector<double> with_column = times_column(column), with_row = row_times(row);
      const double corner = number(random);
      double pivot = corner;
      for (size_t q = 0; q < size; ++q) pivot -= row[q] * with_column[q];
      if (std::fabs(pivot) < 0.05) continue;
      inverse.grow(with_column, with_row, pivot);
      for (size_t i = 0; i < size; ++i) kernel[i].push_back(column[i]);
      row.push_back(corner);
      kernel.push_back(row);
      ++size;
    } else if (kind == 3 && size > 1) {
      if (std::fabs(inverse.row(p)[r]) < 0.05) continue;
      inverse.shrink(p, r);
      std::swap(kernel[r], kernel.back());
      kernel.pop_back();
      for (auto& line : kernel) std::swap(line[p], line.back()), line.pop_back();
      --size;
    }
    KernelInverse fresh;
    CHECK(fresh.invert(flat(), size));
    double off = 0;
    for (size_t q = 0; q < size; ++q)
      for (size_t i = 0; i < size; ++i)
        off = std::max(off, std::fabs(fresh.row(q)[i] - inverse.row(q)[i]) / (1 + std::fabs(fresh.row(q)[i])));
    CHECK(off < 1e-4);
    inverse = fresh;
  }
}
