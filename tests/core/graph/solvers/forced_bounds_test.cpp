// SPDX-License-Identifier: Apache-2.0
// What AD3 knows of values with a variable off or on, against enumeration.
#include <cmath>
#include <random>

#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/table.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "tests/core/check.hpp"

using namespace accord::graph;

TEST("bounds with a variable off or on hold for every assignment, and one of them is no more than the bound") {
  std::mt19937 random(7);
  int closed = 0;
  for (int round = 0; round < 300; ++round) {
    const double scale = std::pow(10.0, static_cast<int>(random() % 7) - 3);
    std::normal_distribution<double> normal(0.0, scale);
    const size_t variables = 3 + random() % 6;
    std::vector<double> scores(variables);
    for (double& score : scores) score = normal(random);
    FactorGraph graph;
    graph.add_variables(scores);
    for (size_t s = 0; s < 2 + random() % 4; ++s) {
      std::vector<int64_t> all(variables);
      for (size_t r = 0; r < variables; ++r) all[r] = static_cast<int64_t>(r);
      std::shuffle(all.begin(), all.end(), random);
      all.resize(2 + random() % 2);
      if (random() % 3 == 0) {
        std::vector<double> counts(all.size() + 1);
        for (double& count : counts) count = normal(random);
        graph.add_factor(std::make_unique<Cardinality>(counts), all);
        continue;
      }
      std::vector<double> table(size_t{1} << all.size());
      for (double& entry : table) entry = random() % 6 == 0 ? impossible : normal(random);
      table[0] = normal(random);
      graph.add_factor(std::make_unique<Table>(static_cast<int>(all.size()), table), all);
    }
    std::vector<int8_t> evidence(variables, -1);
    if (round % 3 == 0) evidence[random() % variables] = 0;
    graph.set_evidence(evidence);

    Ad3 solver(graph);
    Ad3Settings settings;
    settings.iterations = 1 + static_cast<int>(random() % 40);
    const Solution result = solver.solve(settings);
    std::vector<double> off(variables), on(variables);
    solver.forced_bounds(off, on);
    double best = impossible;
    std::vector<uint8_t> assignment(variables);
    for (uint32_t bits = 0; bits < 1u << variables; ++bits) {
      bool agrees = true;
      for (size_t r = 0; r < variables; ++r) {
        assignment[r] = static_cast<uint8_t>(bits >> r & 1);
        agrees = agrees && (evidence[r] < 0 || evidence[r] == assignment[r]);
      }
      const double value = agrees ? graph.value(assignment) : impossible;
      best = std::max(best, value);
      for (size_t r = 0; r < variables; ++r) CHECK(value <= (assignment[r] ? on[r] : off[r]) + 1e-9 * scale);
    }
    for (size_t r = 0; r < variables; ++r) {
      if (evidence[r] >= 0 || graph.degrees()[r] == 0) continue;
      CHECK(std::min(off[r], on[r]) <= result.bound + 1e-6 * scale);
      closed += std::min(off[r], on[r]) < best - 1e-6 * scale;
    }
  }
  CHECK(closed > 300);
}
