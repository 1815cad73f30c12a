// SPDX-License-Identifier: Apache-2.0
// Random factor graphs of listed factors, and what a naive loop over all assignments says of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/solution.hpp"
#include "tests/core/check.hpp"
#include "tests/core/graph/listed_factor.hpp"

namespace random_graphs {

using namespace accord::graph;
using Random = std::mt19937_64;
using Assignment = std::vector<uint8_t>;

struct Shape {
  int variables = 8, factors = 5, largest = 3;
  double scale = 1;      // of all scores
  double allowed = 0.7;  // share of configurations a factor allows
  bool forest = false;
  double own = 1;        // how much larger the factors' own scores are
  double evidence = 0;   // share of variables fixed
  bool rounded = false;  // whole scores: ties
};

inline double draw(Random& random, const Shape& shape) {
  const double score = shape.scale * std::normal_distribution<double>()(random);
  return shape.rounded ? std::round(score) : score;
}

inline std::unique_ptr<Factor> random_factor(size_t size, Random& random, const Shape& shape) {
  std::uniform_real_distribution<double> uniform;
  std::vector<std::pair<Assignment, double>> listed;
  while (listed.empty())
    for (uint64_t bits = 0; bits < (uint64_t{1} << size); ++bits) {
      if (uniform(random) >= shape.allowed) continue;
      Assignment configuration;
      for (size_t i = 0; i < size; ++i) configuration.push_back(bits >> i & 1);
      listed.emplace_back(configuration, shape.own * draw(random, shape));
    }
  std::vector<uint8_t> mask;
  for (size_t i = 0; i < size; ++i) mask.push_back(uniform(random) < 0.2);
  return negate(std::make_unique<ListedFactor>(size, std::move(listed)), mask);
}

// In a forest a factor takes at most one variable from each connected piece, so that it closes no loop.
inline std::vector<int64_t> pick_variables(std::vector<int>& pieces, Random& random, const Shape& shape) {
  std::vector<int64_t> order(pieces.size()), picked;
  for (size_t r = 0; r < order.size(); ++r) order[r] = static_cast<int64_t>(r);
  std::shuffle(order.begin(), order.end(), random);
  const size_t size = 1 + random() % static_cast<size_t>(shape.largest);
  for (int64_t r : order) {
    const auto joined = [&](int64_t other) { return pieces[static_cast<size_t>(r)] == pieces[static_cast<size_t>(other)]; };
    if (picked.size() < size && (!shape.forest || std::none_of(picked.begin(), picked.end(), joined))) picked.push_back(r);
  }
  const int piece = pieces[static_cast<size_t>(picked[0])];
  for (int64_t r : picked) {
    const int merged = pieces[static_cast<size_t>(r)];
    std::replace(pieces.begin(), pieces.end(), merged, piece);
  }
  return picked;
}

inline FactorGraph random_graph(Random& random, const Shape& shape) {
  FactorGraph graph;
  std::vector<double> scores;
  for (int r = 0; r < shape.variables; ++r) scores.push_back(draw(random, shape));
  graph.add_variables(scores);
  std::vector<int> pieces;
  for (int r = 0; r < shape.variables; ++r) pieces.push_back(r);
  for (int s = 0; s < shape.factors; ++s) {
    const std::vector<int64_t> picked = pick_variables(pieces, random, shape);
    graph.add_factor(random_factor(picked.size(), random, shape), picked);
  }
  std::vector<int8_t> evidence(scores.size(), -1);
  std::uniform_real_distribution<double> uniform;
  for (int8_t& value : evidence)
    if (uniform(random) < shape.evidence) value = static_cast<int8_t>(random() % 2);
  graph.set_evidence(evidence);
  return graph;
}

struct Truth {
  double best = impossible, log_partition = impossible;
  std::vector<double> marginals;
};

inline Truth naive(const FactorGraph& graph) {
  Truth truth;
  std::vector<double> values;
  std::vector<Assignment> assignments;
  Assignment assignment(graph.variables());
  for (uint64_t bits = 0; bits < (uint64_t{1} << graph.variables()); ++bits) {
    for (size_t r = 0; r < assignment.size(); ++r) assignment[r] = bits >> r & 1;
    const double value = graph.value(assignment);
    if (value == impossible) continue;
    values.push_back(value);
    assignments.push_back(assignment);
    truth.best = std::max(truth.best, value);
  }
  double sum = 0;
  truth.marginals.assign(graph.variables(), 0.0);
  for (size_t k = 0; k < values.size(); ++k) {
    sum += std::exp(values[k] - truth.best);
    for (size_t r = 0; r < assignment.size(); ++r) truth.marginals[r] += assignments[k][r] * std::exp(values[k] - truth.best);
  }
  for (double& marginal : truth.marginals) marginal /= sum;
  if (!values.empty()) truth.log_partition = truth.best + std::log(sum);
  return truth;
}

// Room for rounding; none where nothing is possible.
inline double slack(const Truth& truth, double tolerance) {
  return truth.best == impossible ? 0.0 : tolerance * (1 + std::fabs(truth.best));
}

// What must hold of every result, whatever the solver.
inline void check_contract(const FactorGraph& graph, const Solution& result, const Truth& truth) {
  CHECK(result.bound >= truth.best - slack(truth, 1e-7));
  if (!result.assignment.empty()) CHECK_NEAR(graph.value(result.assignment), result.value, 1e-12);
  if (result.assignment.empty()) CHECK(result.value == impossible);
  CHECK(result.value <= truth.best + slack(truth, 1e-9));
  if (result.status == Status::optimal) CHECK_NEAR(result.value, truth.best, 1e-7);
  if (result.status == Status::infeasible) CHECK(truth.best == impossible && result.bound == impossible);
  if (result.status == Status::infeasible) return;
  CHECK(result.posteriors.size() == graph.variables());
  for (size_t r = 0; r < graph.variables(); ++r) {
    CHECK(result.posteriors[r] >= 0 && result.posteriors[r] <= 1);
    if (graph.evidence()[r] >= 0) CHECK(result.posteriors[r] == graph.evidence()[r]);
  }
}

inline std::unique_ptr<ListedFactor> forced(uint8_t value) {
  return std::make_unique<ListedFactor>(1, std::vector<std::pair<Assignment, double>>{{{value}, 0.0}});
}

inline std::unique_ptr<ListedFactor> exactly_one(size_t size) {
  std::vector<std::pair<Assignment, double>> listed;
  for (size_t i = 0; i < size; ++i) {
    listed.emplace_back(Assignment(size, 0), 0.0);
    listed.back().first[i] = 1;
  }
  return std::make_unique<ListedFactor>(size, std::move(listed));
}

// Own scores for (0,0), (0,1), (1,0), (1,1).
inline std::unique_ptr<ListedFactor> table(double a, double b, double c, double d) {
  return std::make_unique<ListedFactor>(2, std::vector<std::pair<Assignment, double>>{{{0, 0}, a}, {{0, 1}, b}, {{1, 0}, c}, {{1, 1}, d}});
}

}  // namespace random_graphs
