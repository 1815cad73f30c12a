// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/value_solution.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/graph/scale.hpp"
#include "core/graph/values/value_solver.hpp"
#include "core/graph/values/value_view.hpp"

namespace accord::graph {

std::optional<Solution> solve_by_values(const FactorGraph& graph, const ValueSolverSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const std::optional<ValueView> view = ValueView::of(graph);
  if (!view) return std::nullopt;
  const double constant = constant_of(graph);
  double best = impossible;
  ValueSettings inner;
  inner.tolerance = settings.gap > 0 ? settings.gap * scale_of(graph).spread : 0.0;
  inner.nodes = settings.nodes;
  inner.passes = settings.passes;
  inner.search = settings.search;
  inner.stop = settings.stop;
  if (!settings.start.empty() && graph.value(settings.start) > impossible) inner.start = view->setting(settings.start);
  inner.found = [&](const std::vector<int32_t>& setting, double value) {
    if (!(value > best)) return;
    best = value;
    if (settings.better) settings.better(view->assignment(setting), value + constant);
  };
  inner.progress = [&](int count, double, double bound) {
    tell(settings.progress, count, best + constant, bound_with(constant, std::max(best, bound)));
  };
  const ValueAnswer answer = solve_values(view->values(), inner);
  Solution solution;
  solution.status = answer.status;
  solution.iterations =
      static_cast<int>(std::min<int64_t>(settings.search ? answer.nodes : answer.passes, std::numeric_limits<int>::max()));
  solution.bound = answer.bound;
  solution.rounding = answer.rounding;
  solution.posteriors.assign(graph.variables(), 0.5);
  if (answer.feasible) {
    solution.assignment = view->assignment(answer.setting);
    solution.posteriors.assign(solution.assignment.begin(), solution.assignment.end());
    solution.value = graph.coupled_value(solution.assignment);
    if (solution.bound - 2 * solution.rounding <= solution.value + inner.tolerance) solution.status = Status::optimal;
  }
  if (solution.status == Status::budget && !settings.search && !asked_to(settings.stop)) solution.status = Status::fractional;
  settle_bound(graph, constant, solution);
  solution.seconds = since(begin);
  return solution;
}

}  // namespace accord::graph
