// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/sequential_rounding.hpp"

#include <numeric>
#include <queue>
#include <utility>

namespace accord::graph {

void SequentialRounding::index() {
  const std::span<const int32_t> variables = graph_.edge_variables();
  starts_.assign(graph_.variables() + 1, 0);
  for (int32_t r : variables) ++starts_[static_cast<size_t>(r) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  neighbours_.resize(variables.size());
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t s = 0; s < graph_.factors(); ++s)
    for (int32_t r : graph_.variables_of(s)) neighbours_[next[static_cast<size_t>(r)]++] = s;
}

bool SequentialRounding::decide(size_t s, std::span<const double> edge_scores) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  local_fixed_.resize(touched.size());
  local_answer_.resize(touched.size());
  for (size_t i = 0; i < touched.size(); ++i) local_fixed_[i] = decided_[static_cast<size_t>(touched[i])];
  const std::span<const double> scores = edge_scores.subspan(graph_.first_edge(s), touched.size());
  if (conditioned_.maximize(graph_.factor(s), scores, local_fixed_, local_answer_) == impossible) return false;
  for (size_t i = 0; i < touched.size(); ++i) decided_[static_cast<size_t>(touched[i])] = static_cast<int8_t>(local_answer_[i]);
  return true;
}

bool SequentialRounding::grow(size_t start, std::span<const double> edge_scores) {
  // Largest first, then the one added to the graph first.
  std::priority_queue<std::pair<size_t, size_t>> waiting;
  const auto add = [&](size_t s) {
    if (!queued_[s]) waiting.emplace(graph_.variables_of(s).size(), graph_.factors() - s);
    queued_[s] = 1;
  };
  add(start);
  while (!waiting.empty()) {
    const size_t s = graph_.factors() - waiting.top().second;
    waiting.pop();
    for (int32_t variable : graph_.variables_of(s)) {
      const size_t r = static_cast<size_t>(variable);
      if (decided_[r] >= 0) continue;
      for (size_t k = starts_[r]; k < starts_[r + 1]; ++k) add(neighbours_[k]);
    }
    if (!decide(s, edge_scores)) return false;
  }
  return true;
}

bool SequentialRounding::decode(std::span<const double> edge_scores, std::span<const int8_t> fixed, std::span<uint8_t> assignment) {
  if (starts_.size() != graph_.variables() + 1 || neighbours_.size() != graph_.edges()) index();
  decided_.assign(fixed.begin(), fixed.end());
  queued_.assign(graph_.factors(), 0);
  for (size_t s = 0; s < graph_.factors(); ++s)
    if (!queued_[s] && !grow(s, edge_scores)) return false;
  for (size_t r = 0; r < decided_.size(); ++r) assignment[r] = decided_[r] >= 0 ? decided_[r] == 1 : graph_.scores()[r] > 0;
  return true;
}

}  // namespace accord::graph
