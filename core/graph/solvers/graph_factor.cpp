// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/graph_factor.hpp"

#include <algorithm>

#include "core/graph/solvers/branch_and_bound.hpp"
#include "core/graph/solvers/enumerate.hpp"

namespace accord::graph {

GraphFactor::GraphFactor(FactorGraph& graph, const GraphFactorSettings& settings)
    : graph_(graph),
      settings_(settings),
      relaxation_(graph),
      scores_(graph.scores().begin(), graph.scores().end()) {}

GraphFactor::~GraphFactor() { graph_.set_scores(scores_); }

// The best of the answers given so far under the graph's scores of now; none at the beginning.
std::vector<uint8_t> GraphFactor::best_known() const {
  std::vector<uint8_t> best;
  double best_value = impossible;
  for (const std::vector<uint8_t>& answer : answers_)
    if (const double value = graph_.value(answer); value > best_value) best_value = value, best = answer;
  return best;
}

Solution GraphFactor::solve() {
  const auto free = std::count(graph_.evidence().begin(), graph_.evidence().end(), int8_t{-1});
  if (free <= settings_.enumerate) return enumerate(graph_, settings_.enumerate, settings_.stop);
  const std::vector<uint8_t> known = best_known();
  Ad3Settings ad3;
  ad3.iterations = settings_.iterations;
  ad3.gap = settings_.gap;
  ad3.residual = 1e-2 * settings_.gap;
  ad3.stop = settings_.stop;
  ad3.candidate = known;
  Solution result = relaxation_.solve(ad3);
  if (result.status == Status::optimal || result.status == Status::infeasible) return result;
  BranchSettings branches;
  branches.nodes = settings_.nodes;
  branches.gap = settings_.gap;
  branches.stop = settings_.stop;
  branches.progress = [this](int, double value, double bound) { tell(settings_.progress, questions_, value, bound); };
  ad3.iterations = std::min(settings_.iterations, 200);
  ad3.candidate = {};  // it may contradict what a node fixes
  branches.bound = [&](double seconds, double level) {
    ad3.seconds = seconds;
    ad3.level = level;
    return relaxation_.solve(ad3);
  };
  branches.start = result.assignment;
  Solution found = branch_and_bound(graph_, branches);
  if (found.value < result.value) found.value = result.value, found.assignment = result.assignment;
  return found;
}

double GraphFactor::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  graph_.set_scores(scores);
  if (asked_to(settings_.stop)) return impossible;
  const Solution result = solve();
  tell(settings_.progress, ++questions_, result.value, result.bound);
  if (result.status == Status::infeasible) return impossible;
  proved_ = proved_ && result.status == Status::optimal;
  if (result.assignment.empty()) return impossible;
  std::copy(result.assignment.begin(), result.assignment.end(), configuration.begin());
  if (std::find(answers_.begin(), answers_.end(), result.assignment) == answers_.end()) answers_.push_back(result.assignment);
  return result.value;
}

double GraphFactor::score(std::span<const uint8_t> configuration) {
  double total = 0;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    local_.clear();
    for (const int32_t variable : graph_.variables_of(s)) local_.push_back(configuration[static_cast<size_t>(variable)]);
    total += graph_.factor(s).score(local_);
  }
  return total;
}

}  // namespace accord::graph
