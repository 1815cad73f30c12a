// Enumeration, belief propagation and subgradient dual decomposition against a naive loop over all assignments.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/belief_propagation.hpp"
#include "core/graph/conditioned.hpp"
#include "core/graph/enumerate.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/subgradient.hpp"
#include "tests/core/check.hpp"
#include "tests/core/listed_factor.hpp"

using namespace accord::graph;

namespace {

using Random = std::mt19937_64;
using Assignment = std::vector<uint8_t>;

struct Shape {
  int variables = 8, factors = 5, largest = 3;
  double scale = 1;        // of all scores
  double allowed = 0.7;    // share of configurations a factor allows
  bool forest = false;
  double own = 1;          // how much larger the factors' own scores are
  double evidence = 0;     // share of variables fixed
  bool rounded = false;    // whole scores: ties
};

double draw(Random& random, const Shape& shape) {
  const double score = shape.scale * std::normal_distribution<double>()(random);
  return shape.rounded ? std::round(score) : score;
}

std::unique_ptr<Factor> random_factor(size_t size, Random& random, const Shape& shape) {
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
std::vector<int64_t> pick_variables(std::vector<int>& pieces, Random& random, const Shape& shape) {
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

FactorGraph random_graph(Random& random, const Shape& shape) {
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

Truth naive(const FactorGraph& graph) {
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
double slack(const Truth& truth, double tolerance) {
  return truth.best == impossible ? 0.0 : tolerance * (1 + std::fabs(truth.best));
}

// What must hold of every result, whatever the solver.
void check_contract(const FactorGraph& graph, const Result& result, const Truth& truth) {
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

std::unique_ptr<ListedFactor> forced(uint8_t value) {
  return std::make_unique<ListedFactor>(1, std::vector<std::pair<Assignment, double>>{{{value}, 0.0}});
}

std::unique_ptr<ListedFactor> exactly_one(size_t size) {
  std::vector<std::pair<Assignment, double>> listed;
  for (size_t i = 0; i < size; ++i) {
    listed.emplace_back(Assignment(size, 0), 0.0);
    listed.back().first[i] = 1;
  }
  return std::make_unique<ListedFactor>(size, std::move(listed));
}

// Own scores for (0,0), (0,1), (1,0), (1,1).
std::unique_ptr<ListedFactor> table(double a, double b, double c, double d) {
  return std::make_unique<ListedFactor>(
      2, std::vector<std::pair<Assignment, double>>{{{0, 0}, a}, {{0, 1}, b}, {{1, 0}, c}, {{1, 1}, d}});
}

}  // namespace

TEST("a conditioned factor answers as the list of its agreeing configurations does") {
  Random random(1);
  Conditioned conditioned;
  for (int round = 0; round < 2000; ++round) {
    Shape shape;
    shape.scale = round % 3 == 0 ? 1e6 : 1;
    const size_t size = 1 + static_cast<size_t>(round % 5);
    const std::unique_ptr<Factor> factor = random_factor(size, random, shape);
    std::vector<double> scores;
    std::vector<int8_t> fixed;
    for (size_t i = 0; i < size; ++i) scores.push_back(draw(random, {}));
    for (size_t i = 0; i < size; ++i) fixed.push_back(static_cast<int8_t>(random() % 3) - 1);
    double best = impossible;
    for_each_configuration(*factor, [&](const Assignment& configuration, double own) {
      for (size_t i = 0; i < size; ++i) {
        if (fixed[i] >= 0 && configuration[i] != fixed[i]) return;
        if (fixed[i] < 0 && configuration[i]) own += scores[i];
      }
      best = std::max(best, own);
    });
    Assignment answer(size);
    CHECK_NEAR(conditioned.maximize(*factor, scores, fixed, answer), best, 1e-12);
    CHECK(conditioned.possible(*factor, fixed) == (best > impossible));
    for (size_t i = 0; i < size && best > impossible; ++i) CHECK(fixed[i] < 0 || answer[i] == fixed[i]);
  }
}

TEST("enumeration equals a naive loop: optimum, log-partition, marginals, infeasibility") {
  Random random(2);
  int infeasible = 0;
  for (int round = 0; round < 400; ++round) {
    Shape shape;
    shape.variables = 1 + round % 9;
    shape.scale = round % 4 == 0 ? 800 : 1;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Result result = enumerate(graph);
    check_contract(graph, result, truth);
    CHECK((result.status == Status::infeasible) == (truth.best == impossible));
    infeasible += truth.best == impossible;
    if (truth.best == impossible) continue;
    CHECK(result.status == Status::optimal && result.value == result.bound);
    CHECK_NEAR(result.log_partition, truth.log_partition, 1e-12);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK_NEAR(result.posteriors[r], truth.marginals[r], 1e-12);
  }
  CHECK(infeasible > 10 && infeasible < 300);
}

TEST("enumeration refuses more free variables than its limit, but not more fixed ones") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>(30, 1.0));
  bool refused = false;
  try {
    enumerate(graph);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  std::vector<int8_t> evidence(30, 1);
  evidence[3] = -1;
  graph.set_evidence(evidence);
  CHECK(enumerate(graph, 1).value == 30);
}

TEST("enumeration prunes: thirty variables under a chain of exactly-one factors") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>(30, 0.5));
  for (int64_t r = 0; r + 2 < 30; ++r) graph.add_factor(exactly_one(3), std::vector<int64_t>{r, r + 1, r + 2});
  const Result result = enumerate(graph, 30);
  CHECK_NEAR(result.log_partition, 5 + std::log(3), 1e-12);
  for (double posterior : result.posteriors) CHECK_NEAR(posterior, 1.0 / 3, 1e-12);
}

TEST("sum-product is exact on forests: marginals and log-partition, at every scale of scores, with evidence") {
  Random random(3);
  int feasible = 0;
  for (int round = 0; round < 600; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 7;
    shape.scale = std::vector<double>{1, 10, 60}[static_cast<size_t>(round % 3)];
    shape.own = round % 5 == 0 ? 3 : 1;
    shape.evidence = round % 2 ? 0.25 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Result result = BeliefPropagation(graph).solve({});
    check_contract(graph, result, truth);
    if (truth.best == impossible) {
      CHECK(result.status == Status::infeasible);
      continue;
    }
    ++feasible;
    CHECK(result.status == Status::estimate);
    CHECK_NEAR(result.log_partition, truth.log_partition, 1e-9);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK_NEAR(result.posteriors[r], truth.marginals[r], 1e-8);
  }
  CHECK(feasible > 200);
}

TEST("max-product finds an optimum on forests and says so, ties and evidence included") {
  Random random(4);
  for (int round = 0; round < 600; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 7;
    shape.rounded = round % 2;
    shape.scale = round % 5 == 0 ? 1e4 : 1;
    shape.own = round % 7 == 0 ? 1e8 : 1;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    BeliefSettings settings;
    settings.maximum = true;
    const Result result = BeliefPropagation(graph).solve(settings);
    check_contract(graph, result, truth);
    CHECK(result.status == (truth.best == impossible ? Status::infeasible : Status::optimal));
  }
}

TEST("on loopy graphs beliefs are finite and normalised, max-product bounds hold, runs repeat exactly") {
  Random random(5);
  int converged = 0, optimal = 0;
  for (int round = 0; round < 400; ++round) {
    Shape shape;
    shape.factors = 8;
    shape.scale = round % 4 == 0 ? 30 : 1;
    shape.evidence = round % 3 == 0 ? 0.2 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    for (const bool maximum : {false, true}) {
      BeliefSettings settings;
      settings.maximum = maximum;
      settings.damping = 0.3;
      BeliefPropagation solver(graph);
      const Result result = solver.solve(settings), again = solver.solve(settings);
      check_contract(graph, result, truth);
      CHECK(result.posteriors == again.posteriors && result.iterations == again.iterations);
      if (result.status == Status::infeasible) continue;
      if (!maximum) CHECK(std::isfinite(result.log_partition));
      converged += result.status != Status::budget;
      optimal += result.status == Status::optimal;
    }
  }
  CHECK(converged > 300 && optimal > 30);
}

TEST("sum-product comes close on weakly coupled loops") {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.scale = 0.3;
    shape.allowed = 1;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    const Result result = BeliefPropagation(graph).solve({});
    CHECK(result.status == Status::estimate);
    CHECK(std::fabs(result.log_partition - truth.log_partition) < 0.05);
    for (size_t r = 0; r < graph.variables(); ++r) CHECK(std::fabs(result.posteriors[r] - truth.marginals[r]) < 0.05);
  }
}

TEST("opposed certainties keep their odds") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{0, 0, 0});
  graph.add_factor(table(0, 0, 0, 300), std::vector<int64_t>{0, 1});
  graph.add_factor(table(0, 0, 0, -299), std::vector<int64_t>{1, 2});
  graph.add_factor(table(0, 0, 300, 0), std::vector<int64_t>{2, 0});
  std::vector<int8_t> evidence = {1, -1, 1};  // the loop is cut: x_1 hears +300 from one side and -299 from the other
  graph.set_evidence(evidence);
  const Result result = BeliefPropagation(graph).solve({});
  CHECK_NEAR(result.posteriors[1], 1 / (1 + std::exp(-1.0)), 1e-9);
  graph.set_evidence(std::vector<int8_t>{-1, -1, 1});
  const Truth truth = naive(graph);
  const Result free = BeliefPropagation(graph).solve({});
  for (size_t r = 0; r < 3; ++r) CHECK_NEAR(free.posteriors[r], truth.marginals[r], 1e-9);
  CHECK_NEAR(free.log_partition, truth.log_partition, 1e-9);
}

TEST("temperature divides the scores of variables") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{2, -1, 0.5});
  graph.add_factor(exactly_one(3), std::vector<int64_t>{0, 1, 2});
  BeliefSettings settings;
  settings.temperature = 2;
  const Result result = BeliefPropagation(graph).solve(settings);
  const double z = std::exp(1.0) + std::exp(-0.5) + std::exp(0.25);
  CHECK_NEAR(result.log_partition, std::log(z), 1e-12);
  CHECK_NEAR(result.posteriors[0], std::exp(1.0) / z, 1e-12);
}

TEST("belief propagation names the factor that cannot, and refuses settings out of range") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 2});
  auto factor = exactly_one(2);
  factor->refuses = true;
  graph.add_factor(std::move(factor), std::vector<int64_t>{0, 1});
  std::string said;
  try {
    BeliefPropagation(graph).solve({});
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("listed") != std::string::npos);
  FactorGraph empty;
  BeliefSettings wild;
  wild.damping = 1;
  said.clear();
  try {
    BeliefPropagation(empty).solve(wild);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("damping") != std::string::npos);
}

TEST("subgradient: the dual bounds the optimum at every iteration, certificates are true, evidence is obeyed") {
  Random random(7);
  int optimal = 0, feasible = 0;
  for (int round = 0; round < 500; ++round) {
    Shape shape;
    shape.factors = 2 + round % 7;
    shape.scale = round % 4 == 0 ? 100 : 1;
    shape.rounded = round % 5 == 0;
    shape.evidence = round % 3 == 0 ? 0.3 : 0;
    const FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    SubgradientSettings settings;
    settings.iterations = 200;
    settings.trace = true;
    const Result result = Subgradient(graph).solve(settings);
    check_contract(graph, result, truth);
    for (const TracePoint& point : result.trace) {
      CHECK(point.dual >= truth.best - slack(truth, 1e-9));
      CHECK(point.primal <= truth.best + slack(truth, 1e-9));
    }
    feasible += truth.best > impossible;
    optimal += result.status == Status::optimal;
  }
  CHECK(feasible > 250 && optimal > feasible / 2);
}

TEST("subgradient solves forests, whose relaxation is tight") {
  Random random(8);
  int optimal = 0, feasible = 0;
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.forest = true;
    const FactorGraph graph = random_graph(random, shape);
    if (naive(graph).best == impossible) continue;
    ++feasible;
    SubgradientSettings settings;
    settings.iterations = 3000;
    optimal += Subgradient(graph).solve(settings).status == Status::optimal;
  }
  CHECK(feasible > 50 && optimal >= feasible * 95 / 100);
}

TEST("multipliers sum to zero over the factors of a variable") {
  Random random(9);
  for (int round = 0; round < 50; ++round) {
    const FactorGraph graph = random_graph(random, {});
    Subgradient solver(graph);
    solver.solve({});
    std::vector<double> sums(graph.variables(), 0.0);
    for (size_t e = 0; e < graph.edges(); ++e)
      sums[static_cast<size_t>(graph.edge_variables()[e])] += solver.multipliers()[e];
    for (double sum : sums) CHECK(std::fabs(sum) < 1e-9);
  }
}

TEST("lazy decoding changes no iterate and saves calls") {
  Random random(10);
  size_t lazy_calls = 0, eager_calls = 0;
  for (int round = 0; round < 100; ++round) {
    Shape shape;
    shape.factors = 9;
    shape.evidence = round % 2 ? 0.2 : 0;
    const FactorGraph graph = random_graph(random, shape);
    SubgradientSettings settings;
    settings.trace = true;
    settings.iterations = 300;
    Subgradient lazy(graph), eager(graph);
    const Result one = lazy.solve(settings);
    settings.lazy = false;
    const Result other = eager.solve(settings);
    lazy_calls += lazy.oracle_calls();
    eager_calls += eager.oracle_calls();
    CHECK(one.status == other.status && one.iterations == other.iterations && one.bound == other.bound);
    CHECK(one.assignment == other.assignment && one.posteriors == other.posteriors);
    CHECK(std::equal(lazy.multipliers().begin(), lazy.multipliers().end(), eager.multipliers().begin()));
    CHECK(one.trace.size() == other.trace.size());
    for (size_t t = 0; t < one.trace.size(); ++t) CHECK(one.trace[t].dual == other.trace[t].dual);
  }
  CHECK(lazy_calls < eager_calls * 9 / 10);
}

TEST("what a factor cannot satisfy is infeasible, with and without evidence") {
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 2, 3});
  graph.add_factor(exactly_one(3), std::vector<int64_t>{0, 1, 2});
  BeliefSettings maximum;
  maximum.maximum = true;
  graph.set_evidence(std::vector<int8_t>{1, 1, -1});
  CHECK(Subgradient(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve(maximum).status == Status::infeasible);
  CHECK(enumerate(graph).status == Status::infeasible);
  graph.set_evidence(std::vector<int8_t>{-1, -1, -1});
  CHECK(Subgradient(graph).solve({}).status == Status::optimal);
  graph.add_factor(std::make_unique<ListedFactor>(1, std::vector<std::pair<Assignment, double>>{}), std::vector<int64_t>{0});
  CHECK(Subgradient(graph).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(graph).solve({}).status == Status::infeasible);
  FactorGraph torn;
  torn.add_variables(std::vector<double>{1});
  torn.add_factor(forced(0), std::vector<int64_t>{0});
  torn.add_factor(forced(1), std::vector<int64_t>{0});
  CHECK(BeliefPropagation(torn).solve({}).status == Status::infeasible);
  CHECK(BeliefPropagation(torn).solve(maximum).status == Status::infeasible);
}

TEST("a second solve starts from the multipliers of the first") {
  Random random(11);
  int cold_total = 0, warm_total = 0, feasible = 0;
  for (int round = 0; round < 60; ++round) {
    Shape shape;
    shape.forest = true;
    shape.factors = 6;
    FactorGraph graph = random_graph(random, shape);
    const Truth truth = naive(graph);
    if (truth.best == impossible) continue;
    Subgradient solver(graph);
    const Result cold = solver.solve({});
    if (cold.status != Status::optimal) continue;
    ++feasible;
    const Result warm = solver.solve({});
    CHECK(warm.status == Status::optimal);
    CHECK_NEAR(warm.value, cold.value, 1e-9);
    cold_total += cold.iterations;
    warm_total += warm.iterations;
    std::vector<double> scores(graph.scores().begin(), graph.scores().end());
    for (double& score : scores) score += 0.05 * draw(random, shape);
    graph.set_scores(scores);
    check_contract(graph, solver.solve({}), naive(graph));
  }
  CHECK(feasible > 20 && warm_total < cold_total && warm_total <= feasible * 2);
}

TEST("a rounding hook is asked, and what it proposes is kept when it is best") {
  // Every pair repels: the relaxation takes half of each variable.
  FactorGraph graph;
  graph.add_variables(std::vector<double>{1, 1, 1});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{0, 1});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{1, 2});
  graph.add_factor(table(0, 0, 0, -5), std::vector<int64_t>{2, 0});
  SubgradientSettings settings;
  settings.iterations = 50;
  int calls = 0;
  settings.round = [&](std::span<const double> posteriors, std::span<uint8_t> assignment) {
    ++calls;
    CHECK(posteriors.size() == 3 && assignment.size() == 3);
    std::fill(assignment.begin(), assignment.end(), uint8_t{0});
    assignment[1] = 1;
    return true;
  };
  const Result result = Subgradient(graph).solve(settings);
  CHECK(calls > 0);
  CHECK_NEAR(result.value, 1.0, 1e-12);
  CHECK(result.status == Status::budget);
  CHECK_NEAR(result.bound, 1.5, 0.05);
  for (double posterior : result.posteriors) CHECK_NEAR(posterior, 0.5, 0.05);
}

TEST("factors that answer one after another find allowed assignments where rounding rarely does") {
  // Five nodes of four labels, every two nodes coupled: exactly one label each.
  Random random(13);
  for (int round = 0; round < 20; ++round) {
    FactorGraph graph;
    std::vector<double> scores;
    for (int r = 0; r < 20; ++r) scores.push_back(draw(random, {}));
    graph.add_variables(scores);
    for (int64_t a = 0; a < 20; ++a)
      for (int64_t b = a / 4 * 4 + 4; b < 20; ++b)
        graph.add_factor(table(0, 0, 0, draw(random, {})), std::vector<int64_t>{a, b});
    for (int64_t r = 0; r < 20; r += 4) graph.add_factor(exactly_one(4), std::vector<int64_t>{r, r + 1, r + 2, r + 3});
    SubgradientSettings settings;
    settings.iterations = 20;
    const Result result = Subgradient(graph).solve(settings), beliefs = BeliefPropagation(graph).solve({});
    CHECK(result.value > impossible && result.value <= result.bound);
    CHECK(beliefs.value > impossible);
  }
}

TEST("a raised flag stops before the first iteration, and budgets are kept") {
  Random random(12);
  const FactorGraph graph = random_graph(random, {});
  const Stop stop = [] { return true; };
  SubgradientSettings settings;
  settings.stop = stop;
  const Result stopped = Subgradient(graph).solve(settings);
  CHECK(stopped.iterations == 0 && stopped.status == Status::budget);
  BeliefSettings beliefs;
  beliefs.stop = stop;
  CHECK(BeliefPropagation(graph).solve(beliefs).iterations == 0);
  settings.stop = {};
  settings.seconds = 0;
  CHECK(Subgradient(graph).solve(settings).iterations <= 1);
}

TEST("graphs without factors or without variables are solved too") {
  FactorGraph graph;
  CHECK(enumerate(graph).status == Status::optimal);
  CHECK(Subgradient(graph).solve({}).status == Status::optimal);
  CHECK(BeliefPropagation(graph).solve({}).log_partition == 0);
  graph.add_variables(std::vector<double>{1, -2, 3});
  const Result result = Subgradient(graph).solve({});
  CHECK(result.status == Status::optimal && result.value == 4);
  BeliefSettings maximum;
  maximum.maximum = true;
  CHECK(BeliefPropagation(graph).solve(maximum).value == 4);
  CHECK_NEAR(BeliefPropagation(graph).solve({}).log_partition, enumerate(graph).log_partition, 1e-12);
}
