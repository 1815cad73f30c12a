// SPDX-License-Identifier: Apache-2.0
// Weights that proximal steps shrink, against dense vectors that are shrunk one entry at a time.
#include <cmath>
#include <map>
#include <random>

#include "core/learn/sparsity.hpp"
#include "core/text/hash.hpp"
#include "tests/core/check.hpp"

using namespace accord::learn;
using accord::text::mix;

namespace {

constexpr int cells = 5, rows_of_a_cell = 7, width = 3, row_count = cells * rows_of_a_cell;

uint64_t key_of(int row) { return mix(static_cast<uint64_t>(row) + 1); }

// The same weights as a table, all of them, with every operation written out.
struct Dense {
  std::vector<double> weights = std::vector<double>(static_cast<size_t>(row_count * width));

  double& at(int row, int column) { return weights[static_cast<size_t>(row * width + column)]; }
  void shrink_cell(int cell, double threshold) {
    shrink(std::span(weights).subspan(static_cast<size_t>(cell * rows_of_a_cell * width), rows_of_a_cell * width), threshold);
  }
  void shrink_row(int row, double threshold) { shrink(std::span(weights).subspan(static_cast<size_t>(row * width), width), threshold); }
};

double difference(const GroupedTable& table, Dense& dense) {
  double largest = 0, scale = 1e-300;
  for (int row = 0; row < row_count; ++row) {
    std::vector<float> sums(width, 0.0f);
    const uint64_t keys[] = {key_of(row)};
    table.sum_rows(keys, sums);
    for (int column = 0; column < width; ++column) {
      scale = std::max(scale, std::fabs(dense.at(row, column)));
      largest = std::max(largest, std::fabs(dense.at(row, column) - static_cast<double>(sums[static_cast<size_t>(column)])));
    }
  }
  return largest / scale;
}

// Norms and squares are exact to the last bits, unlike sums, which are single.
double cell_norm(Dense& dense, int cell) {
  double squares = 0;
  for (int row = cell * rows_of_a_cell; row < (cell + 1) * rows_of_a_cell; ++row)
    for (int column = 0; column < width; ++column) squares += dense.at(row, column) * dense.at(row, column);
  return std::sqrt(squares);
}

void random_step(GroupedTable& table, Dense& dense, std::mt19937_64& random, double rate) {
  for (int i = 0; i < 6; ++i) {
    const int row = static_cast<int>(random() % row_count), column = static_cast<int>(random() % width);
    const double amount = static_cast<double>(random() % 5) - 2;
    table.add_gradient(key_of(row), column, amount, row / rows_of_a_cell);
    dense.at(row, column) += rate * amount;
  }
  table.step(rate);
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::max({1e-3, std::fabs(a), std::fabs(b)}); }

}  // namespace

TEST("cells as multiplier, vector and norm are the cells of a dense vector") {
  for (double scale : {1.0, 1e-6, 1e6}) {
    std::mt19937_64 random(7);
    GroupedTable table(width, cells, Shrinking::cells);
    Dense dense;
    for (int round = 0; round < 400; ++round) {
      random_step(table, dense, random, scale * (round % 3 == 0 ? 0.5 : 1.0));
      if (round % 7 == 0) {
        const int cell = static_cast<int>(random() % cells);
        const double threshold = scale * static_cast<double>(random() % 40) / 10, before = table.norm(cell);
        table.set_norm(cell, std::max(0.0, before - threshold));
        dense.shrink_cell(cell, threshold);
      }
      if (round % 50 == 0) table.sweep();
      for (int cell = 0; cell < cells; ++cell) CHECK(close(table.norm(cell) / scale, cell_norm(dense, cell) / scale));
      CHECK(difference(table, dense) < 1e-6);
    }
    CHECK(std::fabs(std::sqrt(table.norm_squared()) -
                    std::sqrt(std::inner_product(dense.weights.begin(), dense.weights.end(), dense.weights.begin(), 0.0))) <= 1e-9 * scale);
  }
}

TEST("lazy shrinking of rows and entries is that of a dense vector") {
  for (Shrinking shrinking : {Shrinking::rows, Shrinking::entries}) {
    std::mt19937_64 random(11);
    GroupedTable table(width, cells, shrinking);
    Dense dense;
    for (int round = 0; round < 600; ++round) {
      random_step(table, dense, random, 1.0);
      const double threshold = static_cast<double>(random() % 10) / 100;
      table.shrink_later(threshold);
      for (int row = 0; row < row_count; ++row)
        if (shrinking == Shrinking::rows) dense.shrink_row(row, threshold);
        else
          for (int column = 0; column < width; ++column) dense.at(row, column) = soft_threshold(dense.at(row, column), threshold);
      CHECK(difference(table, dense) < 1e-6);
      if (round % 100 == 99) table.sweep();
    }
    table.sweep();
    const double all = std::inner_product(dense.weights.begin(), dense.weights.end(), dense.weights.begin(), 0.0);
    CHECK(close(table.norm_squared(), all));
    CHECK(table.support().size() == table.features());
    if (shrinking == Shrinking::rows) continue;
    constexpr double rounding = 1e-12;  // sums of thresholds leave that much of an entry that is zero
    std::vector<double> norms;
    table.append_norms(norms);
    const auto visible = [](double weight) { return std::fabs(weight) > rounding; };
    CHECK(std::count_if(norms.begin(), norms.end(), visible) == std::count_if(dense.weights.begin(), dense.weights.end(), visible));
  }
}

TEST("features that a step brings back after their cell died start from zero") {
  GroupedTable table(1, 2, Shrinking::cells);
  table.add_gradient(key_of(0), 0, 2.0, 0);
  table.add_gradient(key_of(1), 0, 3.0, 1);
  table.step(1.0);
  table.set_norm(0, 0.0);
  const uint64_t keys[] = {key_of(0)};
  CHECK(table.sum(keys) == 0);
  table.add_gradient(key_of(0), 0, 0.5, 0);
  table.step(1.0);
  CHECK(table.sum(keys) == 0.5);
  CHECK(table.norm(0) == 0.5);
  CHECK(table.norm(1) == 3.0);
}

TEST("after every proximal step at most the budget of groups is left") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    GroupedTable table(width, cells, Shrinking::cells);
    Dense dense;
    std::vector<std::vector<int32_t>> groups;
    for (int32_t cell = 0; cell < cells; ++cell) groups.push_back({cell});
    if (trial % 3 == 1) groups.push_back({0, 1, 2});
    if (trial % 3 == 2) groups.insert(groups.end(), {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
    const size_t budget = 1 + random() % 4;
    Sparsity sparsity({&table}, {1}, {Shrinking::cells, groups, groups.size(), budget, 0, 0, 1.0, 3, 20, trial % 4 / 3.0});
    for (int round = 0; round < 60; ++round) {
      random_step(table, dense, random, sparsity.rate());
      sparsity.count(1);
    }
    sparsity.finish();
    CHECK(!sparsity.history().empty());
    for (const ShrinkReport& step : sparsity.history()) CHECK(step.groups <= budget);
    for (const bool strongest : {false, true}) {
      const std::vector<uint8_t> chosen = sparsity.chosen(strongest);
      CHECK(static_cast<size_t>(std::count(chosen.begin(), chosen.end(), 1)) <= budget);
    }
  }
}

TEST("a table of one column is shrunk the same by rows and by entries, bit for bit") {
  std::mt19937_64 random(5);
  GroupedTable rows(1, 1, Shrinking::rows), entries(1, 1, Shrinking::entries);
  for (int round = 0; round < 500; ++round) {
    const uint64_t key = key_of(static_cast<int>(random() % 40));
    const double amount = static_cast<double>(random() % 1000) / 100 - 5;
    for (GroupedTable* table : {&rows, &entries}) {
      table->add_gradient(key, 0, amount, 0);
      table->step(0.3);
      table->shrink_later(0.01);
      if (round % 100 == 0) table->sweep();
    }
  }
  CHECK(rows.norm_squared() == entries.norm_squared());
  CHECK(rows.features() == entries.features());
}

TEST("distinct keys are counted to a few per cent") {
  for (int size : {0, 1, 30, 3000, 300000}) {
    DistinctCount count;
    for (int i = 0; i < size; ++i)
      for (int again = 0; again < 2; ++again) count.add(mix(static_cast<uint64_t>(i) + 99));
    CHECK(std::fabs(count.estimate() - size) <= 0.12 * size + 1e-9);
  }
}
