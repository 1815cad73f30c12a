// SPDX-License-Identifier: Apache-2.0
// AD3, its active sets and branch and bound, on graphs small enough to enumerate.
#include <algorithm>
#include <numeric>
#include <random>

#include "core/graph/score_table.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/branch_and_bound.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

namespace {

// Any list of allowed configurations with own scores; only what is required of a factor.
class Listed final : public Factor {
 public:
  Listed(size_t size, std::vector<std::vector<uint8_t>> allowed, std::vector<double> own)
      : size_(size),
        allowed_(std::move(allowed)),
        own_(std::move(own)) {}

  std::string_view kind() const override { return "listed"; }
  size_t size() const override { return size_; }
  bool can(Ability) const override { return false; }
  OwnRange own_range() const override { return range_of(own_); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    double best = impossible;
    for (size_t k = 0; k < allowed_.size(); ++k) {
      double value = own_[k];
      for (size_t i = 0; i < size_; ++i) value += allowed_[k][i] * scores[i];
      if (value > best) best = value, std::copy(allowed_[k].begin(), allowed_[k].end(), configuration.begin());
    }
    return best;
  }
  double score(std::span<const uint8_t> configuration) override {
    for (size_t k = 0; k < allowed_.size(); ++k)
      if (std::equal(configuration.begin(), configuration.end(), allowed_[k].begin())) return own_[k];
    return impossible;
  }
  const std::vector<std::vector<uint8_t>>& allowed() const { return allowed_; }
  const std::vector<double>& own() const { return own_; }

 private:
  size_t size_;
  std::vector<std::vector<uint8_t>> allowed_;
  std::vector<double> own_;
};

std::unique_ptr<Listed> random_factor(std::mt19937& random, size_t size, bool keep_ones) {
  std::vector<std::vector<uint8_t>> allowed;
  std::vector<double> own;
  std::normal_distribution<double> normal;
  for (uint64_t bits = 0; bits < (uint64_t{1} << size); ++bits) {
    const bool all = bits + 1 == (uint64_t{1} << size);
    if (random() % 2 == 0 && !(keep_ones && all)) continue;
    std::vector<uint8_t> configuration;
    for (size_t i = 0; i < size; ++i) configuration.push_back(static_cast<uint8_t>(bits >> i & 1));
    allowed.push_back(configuration);
    own.push_back(normal(random));
  }
  return std::make_unique<Listed>(size, allowed, own);
}

double objective(const Listed& factor, const std::vector<double>& mixture, const std::vector<double>& target, double weight) {
  double value = 0;
  std::vector<double> z(factor.size(), 0.0);
  for (size_t k = 0; k < mixture.size(); ++k) {
    value += weight * mixture[k] * factor.own()[k];
    for (size_t i = 0; i < z.size(); ++i) z[i] += mixture[k] * factor.allowed()[k][i];
  }
  for (size_t i = 0; i < z.size(); ++i) value -= (z[i] - target[i]) * (z[i] - target[i]) / 2;
  return value;
}

// Pairwise Frank-Wolfe with exact line search: slow and simple.
double reference_projection(const Listed& factor, const std::vector<double>& target, double weight, std::vector<double>& z) {
  const size_t count = factor.allowed().size(), size = factor.size();
  std::vector<double> mixture(count, 0.0);
  mixture[0] = 1;
  for (int step = 0; step < 200000; ++step) {
    z.assign(size, 0.0);
    for (size_t k = 0; k < count; ++k)
      for (size_t i = 0; i < size; ++i) z[i] += mixture[k] * factor.allowed()[k][i];
    size_t best = 0, worst = count;
    std::vector<double> gradient(count);
    for (size_t k = 0; k < count; ++k) {
      gradient[k] = weight * factor.own()[k];
      for (size_t i = 0; i < size; ++i) gradient[k] += (target[i] - z[i]) * factor.allowed()[k][i];
      if (gradient[k] > gradient[best]) best = k;
      if (mixture[k] > 0 && (worst == count || gradient[k] < gradient[worst])) worst = k;
    }
    if (gradient[best] - gradient[worst] < 1e-12) break;
    double norm = 0;
    for (size_t i = 0; i < size; ++i) norm += factor.allowed()[best][i] != factor.allowed()[worst][i];
    const double length = std::min(mixture[worst], norm > 0 ? (gradient[best] - gradient[worst]) / norm : mixture[worst]);
    mixture[best] += length;
    mixture[worst] -= length;
  }
  return objective(factor, mixture, target, weight);
}

struct Random {
  FactorGraph graph;
  std::vector<const Listed*> factors;
};

// Overlapping factors over few variables; feasible because every factor allows all-on when asked to.
void fill(Random& problem, std::mt19937& random, size_t variables, size_t factors, bool feasible) {
  std::normal_distribution<double> normal;
  std::vector<double> scores(variables);
  for (double& score : scores) score = normal(random);
  problem.graph.add_variables(scores);
  std::vector<int64_t> order(variables);
  std::iota(order.begin(), order.end(), 0);
  for (size_t f = 0; f < factors; ++f) {
    std::shuffle(order.begin(), order.end(), random);
    const size_t size = 2 + random() % 3;
    auto factor = random_factor(random, size, feasible);
    problem.factors.push_back(factor.get());
    problem.graph.add_factor(std::move(factor), std::span(order).first(size));
  }
}

double brute_force(const FactorGraph& graph) {
  double best = impossible;
  std::vector<uint8_t> assignment(graph.variables());
  for (uint64_t bits = 0; bits < (uint64_t{1} << assignment.size()); ++bits) {
    for (size_t r = 0; r < assignment.size(); ++r) assignment[r] = static_cast<uint8_t>(bits >> r & 1);
    best = std::max(best, graph.value(assignment));
  }
  return best;
}

Solution exact(FactorGraph& graph) {
  Ad3 solver(graph);
  Ad3Settings inner;
  inner.iterations = 100;
  BranchSettings settings;
  settings.bound = [&](double, double level) {
    inner.level = level;
    return solver.solve(inner);
  };
  return branch_and_bound(graph, settings);
}

}  // namespace

TEST("the active set finds the projection, cold and warm, whatever the weight") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.3, 1.0);
  for (int round = 0; round < 200; ++round) {
    const size_t size = 2 + random() % 4;
    const auto factor = random_factor(random, size, true);
    ActiveSet active(size);
    for (int call = 0; call < 4; ++call) {
      const double weight = std::exp(normal(random));
      std::vector<double> target(size), z(size), expected;
      for (double& value : target) value = normal(random);
      CHECK(active.project(*factor, target, weight, z, 100));
      reference_projection(*factor, target, weight, expected);
      for (size_t i = 0; i < size; ++i) CHECK(std::fabs(z[i] - expected[i]) < 1e-4);
      CHECK(active.working_set() <= size + 1);
    }
  }
}

TEST("bounds hold, certificates are right, and branch and bound is exact") {
  std::mt19937 random(2);
  int certified = 0;
  for (int round = 0; round < 150; ++round) {
    Random problem;
    fill(problem, random, 4 + random() % 5, 2 + random() % 6, true);
    const double best = brute_force(problem.graph);
    Ad3 solver(problem.graph);
    const Solution result = solver.solve({});
    CHECK(result.bound >= best - 1e-6);
    CHECK(result.value <= best + 1e-9);
    if (!result.assignment.empty()) CHECK_NEAR(problem.graph.value(result.assignment), result.value, 1e-12);
    if (result.status == Status::optimal) {
      ++certified;
      CHECK_NEAR(result.value, best, 1e-6);
    }
    const Solution searched = exact(problem.graph);
    CHECK(searched.status == Status::optimal);
    CHECK_NEAR(searched.value, best, 1e-6);
  }
  CHECK(certified > 75);
}

TEST("a node is not bounded when one factor alone refuses what is fixed") {
  // One factor wants the first two variables to differ, the other wants them equal.
  FactorGraph graph;
  graph.add_variables(std::vector<double>(8, 0.1));
  const std::vector<double> zero(2, 0.0);
  graph.add_factor(std::make_unique<Listed>(2, std::vector<std::vector<uint8_t>>{{0, 1}, {1, 0}}, zero), std::vector<int64_t>{0, 1});
  graph.add_factor(std::make_unique<Listed>(2, std::vector<std::vector<uint8_t>>{{0, 0}, {1, 1}}, zero), std::vector<int64_t>{0, 1});
  const auto bounded_nodes = [&] {
    int bounded = 0;
    BranchSettings settings;
    settings.bound = [&](double, double) {  // a relaxation that sees nothing
      ++bounded;
      Solution relaxed;
      relaxed.status = Status::fractional;
      relaxed.bound = 1;
      relaxed.posteriors.assign(graph.variables(), 0.5);
      return relaxed;
    };
    CHECK(branch_and_bound(graph, settings).status == Status::infeasible);
    return bounded;
  };
  CHECK(bounded_nodes() == 3);  // nothing fixed, the first variable on, the first off: then the second has no value left
  graph.set_evidence(std::vector<int8_t>{1, 0, -1, -1, -1, -1, -1, -1});
  CHECK(bounded_nodes() == 0);
}

TEST("caching changes no iterate") {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    Random problem;
    fill(problem, random, 8, 7, true);
    Ad3Settings settings;
    settings.trace = true;
    settings.iterations = 60;
    Ad3 with(problem.graph), without(problem.graph);
    const Solution a = with.solve(settings);
    settings.cache = false;
    const Solution b = without.solve(settings);
    CHECK(a.trace.size() == b.trace.size());
    for (size_t i = 0; i < std::min(a.trace.size(), b.trace.size()); ++i) {
      CHECK(a.trace[i].primal_residual == b.trace[i].primal_residual);
      CHECK(a.trace[i].dual_residual == b.trace[i].dual_residual);
    }
    CHECK(a.posteriors == b.posteriors);
  }
}

TEST("evidence is obeyed, and a second solve starts warm") {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    Random problem;
    fill(problem, random, 6, 4, true);
    Ad3 solver(problem.graph);
    solver.solve({});
    std::vector<int8_t> evidence(6, -1);
    evidence[random() % 6] = 1;
    problem.graph.set_evidence(evidence);
    const double best = brute_force(problem.graph);
    const Solution result = solver.solve({});
    CHECK(result.bound >= best - 1e-6);
    if (result.status == Status::optimal) CHECK_NEAR(result.value, best, 1e-6);
    CHECK_NEAR(exact(problem.graph).value, best, 1e-6);
    CHECK(std::equal(evidence.begin(), evidence.end(), problem.graph.evidence().begin()));
  }
}

TEST("what cannot be satisfied is said to be infeasible") {
  std::mt19937 random(5);
  int infeasible = 0;
  for (int round = 0; round < 60; ++round) {
    Random problem;
    fill(problem, random, 5, 7, false);
    const double best = brute_force(problem.graph);
    const Solution result = exact(problem.graph);
    CHECK((best == impossible) == (result.status == Status::infeasible));
    infeasible += best == impossible;
    if (best > impossible) CHECK_NEAR(result.value, best, 1e-6);
  }
  CHECK(infeasible > 5);
}

TEST("mistakes in building are refused") {
  FactorGraph graph;
  const double scores[] = {1, 2};
  graph.add_variables(scores);
  std::mt19937 random(6);
  const auto refuses = [&](std::vector<int64_t> variables) {
    try {
      graph.add_factor(random_factor(random, 2, true), variables);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refuses({}) && refuses({0}) && refuses({0, 0}) && refuses({0, 2}) && refuses({-1, 0}) && !refuses({0, 1}));
  const double bad[] = {std::numeric_limits<double>::quiet_NaN()};
  bool refused = false;
  try {
    graph.add_variables(bad);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}
