// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/junction/junction_tree_solver.hpp"

#include <chrono>
#include <cmath>
#include <string>

#include "core/graph/log_domain.hpp"
#include "core/graph/scale.hpp"
#include "core/graph/values/junction/junction_tree.hpp"
#include "core/graph/values/value_view.hpp"

namespace accord::graph {

namespace {

// Variables that are decided alone: evidence adds its scores, and a free variable without factors is independent of all others.
void add_alone(const FactorGraph& graph, Solution& result) {
  CarefulSum log_sum;
  log_sum.add(result.log_partition);
  log_sum.add(graph.constant());
  for (size_t r = 0; r < graph.variables(); ++r) {
    if (!decided_alone(graph, r)) continue;
    const double score = graph.scores()[r];
    const int8_t evidence = graph.evidence()[r];
    result.posteriors[r] = evidence >= 0 ? evidence : sigmoid(score);
    log_sum.add(evidence >= 0 ? evidence * score : softplus(score));
    if (evidence < 0) result.entropy += softplus(-std::fabs(score)) + std::fabs(score) * sigmoid(-std::fabs(score));
  }
  result.log_partition = log_sum.value();
}

void sum_up(const FactorGraph& graph, const ValueView& view, JunctionTree& tree, const Stop& stop, Solution& result) {
  const ValueSums sums = tree.sums(stop);
  if (!sums.finished) return;
  result.status = sums.log_partition == impossible ? Status::infeasible : Status::optimal;
  if (result.status == Status::infeasible) return;
  result.log_partition = sums.log_partition;
  result.entropy = sums.entropy;
  result.posteriors = view.posteriors(sums.marginals);
  add_alone(graph, result);
}

}  // namespace

Solution solve_by_junction_tree(const FactorGraph& graph, const JunctionTreeSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  ValueLimits limits;
  limits.tuples = static_cast<size_t>(std::exp2(std::min(settings.limits.width, 40.0)));
  const auto view = ValueView::of(graph, limits);
  if (!view) throw TooWide("a factor is no table over values, or a larger one than the width allows");
  const auto order = elimination_order(view->values(), settings.limits, settings.stop);
  Solution result;
  result.posteriors.assign(graph.variables(), 0.5);
  if (!order && !asked_to(settings.stop))
    throw TooWide("the graph needs larger tables than 2^" + std::to_string(static_cast<int>(settings.limits.width)) +
                  " entries, or more of them than 2^" + std::to_string(static_cast<int>(settings.limits.entries)) + " in all");
  if (order) {
    JunctionTree tree(view->values(), *order);
    const BestSetting best = tree.best(settings.stop);
    if (best.finished && best.value == impossible) {
      result.status = Status::infeasible;
      result.bound = impossible;
    } else if (best.finished) {
      result.assignment = view->assignment(best.setting);
      result.value = result.bound = graph.value(result.assignment);
      result.posteriors.assign(result.assignment.begin(), result.assignment.end());
      if (settings.maximum) result.status = Status::optimal;
      else sum_up(graph, *view, tree, settings.stop, result);
    }
  }
  result.iterations = 1;
  result.seconds = since(begin);
  return result;
}

}  // namespace accord::graph
