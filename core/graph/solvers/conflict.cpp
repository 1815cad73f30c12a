// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/conflict.hpp"

#include <algorithm>
#include <numeric>

#include "core/graph/borrowed_factor.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/branch_and_bound.hpp"

namespace accord::graph {

namespace {

enum class Feasible { yes, no, unknown };

Feasible feasibility(const FactorGraph& graph, const std::vector<size_t>& chosen) {
  FactorGraph part;
  part.add_variables(std::vector<double>(graph.variables(), 0.0));
  part.set_evidence(graph.evidence());
  for (size_t s : chosen) {
    const std::span<const int32_t> variables = graph.variables_of(s);
    part.add_factor(std::make_unique<BorrowedFactor>(graph.factor(s)), std::vector<int64_t>(variables.begin(), variables.end()));
  }
  Ad3 solver(part);
  Ad3Settings relaxation;
  relaxation.iterations = 50;
  BranchSettings settings;
  settings.nodes = 500;
  settings.seconds = 1;
  settings.bound = [&](double, double) { return solver.solve(relaxation); };
  const Solution result = branch_and_bound(part, settings);
  if (!result.assignment.empty()) return Feasible::yes;
  return result.status == Status::infeasible ? Feasible::no : Feasible::unknown;
}

}  // namespace

std::vector<size_t> conflicting_factors(const FactorGraph& graph, size_t limit) {
  if (graph.factors() > limit) return {};
  std::vector<size_t> kept(graph.factors());
  std::iota(kept.begin(), kept.end(), size_t{0});
  if (feasibility(graph, kept) != Feasible::no) return {};
  for (size_t s = 0; s < graph.factors(); ++s) {
    std::vector<size_t> without;
    std::copy_if(kept.begin(), kept.end(), std::back_inserter(without), [&](size_t other) { return other != s; });
    if (feasibility(graph, without) == Feasible::no) kept = without;
  }
  return kept;
}

}  // namespace accord::graph
