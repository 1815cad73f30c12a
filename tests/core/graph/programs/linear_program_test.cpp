// SPDX-License-Identifier: Apache-2.0
// Linear programs of factor graphs: their integral points are the graph's assignments, with their values.
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/negated.hpp"
#include "core/graph/programs/linear_program.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

// At most `limit` of the variables are on: one row.
class AtMost final : public Factor {
 public:
  AtMost(size_t size, int limit) : size_(size), limit_(limit) {}
  std::string_view kind() const override { return "at_most"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return ability == Ability::rows; }
  double maximize(std::span<const double>, std::span<uint8_t>) override { return impossible; }
  double score(std::span<const uint8_t> v) override {
    int on = 0;
    for (uint8_t bit : v) on += bit;
    return on <= limit_ ? 0.0 : impossible;
  }
  void rows(RowSink& sink) override {
    std::vector<int> columns(size_);
    for (size_t i = 0; i < size_; ++i) columns[i] = static_cast<int>(i);
    const std::vector<double> ones(size_, 1.0);
    sink.row(-std::numeric_limits<double>::infinity(), columns, ones, limit_);
  }

 private:
  size_t size_;
  int limit_;
};

// own(v) = first v0 + pair v0 v1 + constant: a column of its own for the product.
class Pair final : public Factor {
 public:
  Pair(double first, double pair, double constant) : first_(first), pair_(pair), constant_(constant) {}
  std::string_view kind() const override { return "pair"; }
  size_t size() const override { return 2; }
  bool can(Ability ability) const override { return ability == Ability::rows; }
  double maximize(std::span<const double>, std::span<uint8_t>) override { return impossible; }
  double score(std::span<const uint8_t> v) override { return constant_ + (v[0] ? first_ : 0.0) + (v[0] && v[1] ? pair_ : 0.0); }
  void rows(RowSink& sink) override {
    const int both = sink.column(pair_, true);
    const double infinity = std::numeric_limits<double>::infinity();
    for (int i : {0, 1}) sink.row(0, std::vector<int>{i, both}, std::vector<double>{1, -1}, infinity);
    sink.row(-infinity, std::vector<int>{0, 1, both}, std::vector<double>{1, 1, -1}, 1);
    sink.add_score(0, first_);
    sink.add_constant(constant_);
  }

 private:
  double first_, pair_, constant_;
};

class Rowless final : public Factor {
 public:
  std::string_view kind() const override { return "rowless"; }
  size_t size() const override { return 1; }
  bool can(Ability) const override { return false; }
  double maximize(std::span<const double>, std::span<uint8_t>) override { return 0; }
  double score(std::span<const uint8_t>) override { return 0; }
};

// A factor that says something no linear program may contain.
class Careless final : public Factor {
 public:
  explicit Careless(int fault) : fault_(fault) {}
  std::string_view kind() const override { return "careless"; }
  size_t size() const override { return 1; }
  bool can(Ability) const override { return true; }
  double maximize(std::span<const double>, std::span<uint8_t>) override { return 0; }
  double score(std::span<const uint8_t>) override { return 0; }
  void rows(RowSink& sink) override {
    const double infinity = std::numeric_limits<double>::infinity();
    if (fault_ == 0) sink.row(0, std::vector<int>{1}, std::vector<double>{1}, 1);
    if (fault_ == 1) sink.row(0, std::vector<int>{-1}, std::vector<double>{1}, 1);
    if (fault_ == 2) sink.row(0, std::vector<int>{0}, std::vector<double>{infinity}, 1);
    if (fault_ == 3) sink.row(1, std::vector<int>{0}, std::vector<double>{1}, 0);
    if (fault_ == 4) sink.row(0, std::vector<int>{0}, std::vector<double>{}, 1);
    if (fault_ == 5) sink.add_score(0, infinity);
    if (fault_ == 6) sink.add_constant(-infinity);
    if (fault_ == 7) sink.column(0.0, true, -1.0);
  }

 private:
  int fault_;
};

bool satisfied(const LinearProgram& program, const std::vector<double>& x) {
  for (size_t j = 0; j < x.size(); ++j)
    if (x[j] < program.low[j] || x[j] > program.high[j]) return false;
  for (size_t i = 0; i < program.rows(); ++i) {
    double sum = 0;
    for (auto e = static_cast<size_t>(program.row_starts[i]); e < static_cast<size_t>(program.row_starts[i + 1]); ++e)
      sum += program.coefficients[e] * x[static_cast<size_t>(program.columns[e])];
    if (sum < program.row_low[i] || sum > program.row_high[i]) return false;
  }
  return true;
}

double value(const LinearProgram& program, const std::vector<double>& x) {
  double total = program.constant;
  for (size_t j = 0; j < x.size(); ++j) total += program.scores[j] * x[j];
  return total;
}

// The best completion of an assignment by the factors' own columns, over all their 0/1 values.
double completed(const LinearProgram& program, const std::vector<uint8_t>& assignment) {
  const size_t own = program.scores.size() - program.variables;
  double best = impossible;
  std::vector<double> x(assignment.begin(), assignment.end());
  x.resize(program.scores.size());
  for (uint64_t bits = 0; bits < (uint64_t{1} << own); ++bits) {
    for (size_t i = 0; i < own; ++i) x[program.variables + i] = static_cast<double>(bits >> i & 1);
    if (satisfied(program, x)) best = std::max(best, value(program, x));
  }
  return best;
}

std::string refusal(const FactorGraph& graph) {
  try {
    collect(graph);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST("integral points are the graph's assignments with their values, whatever is negated or fixed") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> coin(0, 1), evidence(-1, 1);
  for (int round = 0; round < 60; ++round) {
    FactorGraph graph;
    std::vector<double> scores(5);
    for (double& score : scores) score = normal(random);
    graph.add_variables(scores);
    for (int pair = 0; pair < 4; ++pair) {
      const std::vector<uint8_t> mask = {static_cast<uint8_t>(coin(random)), static_cast<uint8_t>(coin(random))};
      const bool forbidden = round % 3 == 2 && pair == 0;
      const double both = forbidden ? impossible : normal(random);
      const int64_t first = (pair + round) % 5;
      graph.add_factor(negate(std::make_unique<Pair>(normal(random), both, normal(random)), mask),
                       std::vector<int64_t>{first, (first + 1 + pair % 3) % 5});
    }
    const std::vector<uint8_t> mask = {0, static_cast<uint8_t>(coin(random)), 1};
    graph.add_factor(negate(std::make_unique<AtMost>(3, 2), mask), std::vector<int64_t>{4, 0, 2});
    if (round % 2) {
      std::vector<int8_t> fixed(5);
      for (int8_t& entry : fixed) entry = static_cast<int8_t>(evidence(random));
      graph.set_evidence(fixed);
    }
    const LinearProgram program = collect(graph);
    CHECK(program.variables == 5 && program.scores.size() == 9 && program.rows() == 13);
    for (uint64_t bits = 0; bits < 32; ++bits) {
      std::vector<uint8_t> assignment(5);
      for (size_t r = 0; r < 5; ++r) assignment[r] = static_cast<uint8_t>(bits >> r & 1);
      CHECK_NEAR(completed(program, assignment), graph.value(assignment), 1e-12);
    }
  }
}

TEST("columns carry scores, bounds and integrality in the order of the factors") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 2, 3});
  graph.set_evidence(std::vector<int8_t>{-1, 1, 0});
  graph.add_factor(std::make_unique<Pair>(10, 20, 0.5), std::vector<int64_t>{2, 0});
  graph.add_factor(std::make_unique<Pair>(100, impossible, 0.25), std::vector<int64_t>{0, 1});
  const LinearProgram program = collect(graph);
  CHECK((program.scores == std::vector<double>{101, 2, 13, 20, 0}));
  CHECK((program.low == std::vector<double>{0, 1, 0, 0, 0}));
  CHECK((program.high == std::vector<double>{1, 1, 0, 1, 0}));
  CHECK((program.integral == std::vector<uint8_t>{1, 1, 1, 1, 1}));
  CHECK((program.row_starts == std::vector<int32_t>{0, 2, 4, 7, 9, 11, 14}));
  CHECK((program.columns == std::vector<int32_t>{2, 3, 0, 3, 2, 0, 3, 0, 4, 1, 4, 0, 1, 4}));
  CHECK(program.constant == 0.75);
}

TEST("a graph without factors has columns and no rows") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, -1});
  const LinearProgram program = collect(graph);
  CHECK(program.rows() == 0 && program.row_starts == std::vector<int32_t>{0} && program.scores.size() == 2);
  CHECK(collect(FactorGraph()).scores.empty());
}

TEST("a factor without rows is refused by its name") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1});
  graph.add_factor(std::make_unique<Rowless>(), std::vector<int64_t>{0});
  CHECK(refusal(graph).find("factor 0 (rowless)") != std::string::npos);
}

TEST("rows that are none are refused, naming the factor") {
  for (int fault = 0; fault < 8; ++fault) {
    FactorGraph graph;
    graph.add_variables(std::vector<double>{1, 2});
    graph.add_factor(std::make_unique<AtMost>(1, 1), std::vector<int64_t>{0});
    graph.add_factor(std::make_unique<Careless>(fault), std::vector<int64_t>{1});
    CHECK(refusal(graph).find("factor 1 (careless)") != std::string::npos);
  }
}
