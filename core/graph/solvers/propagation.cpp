// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/propagation.hpp"

#include <algorithm>
#include <numeric>

namespace accord::graph {

namespace {

constexpr size_t least_work = 100'000;
constexpr size_t rounds = 20;                                    // that the work may be worth
constexpr size_t inference_work = 10'000, inference_rounds = 4;  // the same for one inference

}  // namespace

Propagation::Propagation(const FactorGraph& graph)
    : graph_(graph),
      starts_(graph.variables() + 1, 0),
      neighbours_(graph.edges()),
      work_left_(least_work + rounds * graph.edges()),
      queued_(graph.factors(), 0) {
  for (int32_t r : graph.edge_variables()) ++starts_[static_cast<size_t>(r) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t s = 0; s < graph.factors(); ++s)
    for (int32_t r : graph.variables_of(s)) neighbours_[next[static_cast<size_t>(r)]++] = s;
}

void Propagation::queue(size_t factor) {
  if (!queued_[factor]) waiting_.push_back(factor);
  queued_[factor] = 1;
}

void Propagation::queue_neighbours(size_t variable) {
  for (size_t k = starts_[variable]; k < starts_[variable + 1]; ++k) queue(neighbours_[k]);
}

bool Propagation::ask(size_t factor) {
  work_left_ -= std::min(work_left_, fixed_.size());
  // Where one value is still to be witnessed, the factor is drawn to it.
  for (size_t i = 0; i < fixed_.size(); ++i) leaning_[i] = witnessed_[i] == 1 ? 1.0 : witnessed_[i] == 2 ? -1.0 : 0.0;
  if (conditioned_.maximize(graph_.factor(factor), leaning_, fixed_, configuration_) == impossible) return false;
  for (size_t i = 0; i < fixed_.size(); ++i) witnessed_[i] |= configuration_[i] ? 2 : 1;
  return true;
}

bool Propagation::filter(size_t factor, std::vector<int8_t>& values) {
  const std::span<const int32_t> variables = graph_.variables_of(factor);
  fixed_.resize(variables.size());
  leaning_.resize(variables.size());
  configuration_.resize(variables.size());
  witnessed_.assign(variables.size(), 0);
  for (size_t i = 0; i < variables.size(); ++i) fixed_[i] = values[static_cast<size_t>(variables[i])];
  if (!ask(factor)) return false;
  for (size_t i = 0; i < variables.size() && work_left_ > 0; ++i) {
    if (fixed_[i] >= 0 || witnessed_[i] == 3) continue;
    const int8_t seen = witnessed_[i] == 2;
    fixed_[i] = static_cast<int8_t>(1 - seen);
    const bool possible = ask(factor);
    fixed_[i] = possible ? int8_t{-1} : seen;
    if (possible) continue;
    const auto r = static_cast<size_t>(variables[i]);
    values[r] = seen;
    trail_.push_back(r);
    queue_neighbours(r);
  }
  return true;
}

bool Propagation::propagate(std::vector<int8_t>& values) {
  bool consistent = true;
  while (!waiting_.empty() && work_left_ > 0 && consistent) {
    const size_t factor = waiting_.back();
    waiting_.pop_back();
    queued_[factor] = 0;
    consistent = filter(factor, values);
  }
  for (size_t factor : waiting_) queued_[factor] = 0;
  waiting_.clear();
  return consistent;
}

bool Propagation::probe(std::vector<int8_t>& values, const Stop& stop, bool& changed) {
  for (size_t r = 0; r < values.size() && work_left_ > 0 && !asked_to(stop); ++r) {
    if (values[r] >= 0 || graph_.degrees()[r] == 0) continue;
    for (const int8_t tried : {int8_t{1}, int8_t{0}}) {
      trail_.assign(1, r);
      values[r] = tried;
      queue_neighbours(r);
      const bool consistent = propagate(values);
      for (size_t each : trail_) values[each] = -1;
      if (consistent) continue;
      values[r] = static_cast<int8_t>(1 - tried);
      changed = true;
      queue_neighbours(r);
      if (!propagate(values)) return false;
      break;
    }
  }
  return true;
}

bool Propagation::infer(std::vector<int8_t>& values, std::span<const int32_t> fixed_last) {
  work_left_ = inference_work + inference_rounds * graph_.edges();
  trail_.clear();
  for (const int32_t r : fixed_last) queue_neighbours(static_cast<size_t>(r));
  if (fixed_last.empty())
    for (size_t s = 0; s < graph_.factors(); ++s) queue(s);
  return propagate(values);
}

bool Propagation::contradicts(const Stop& stop) {
  std::vector<int8_t> values(graph_.evidence().begin(), graph_.evidence().end());
  for (size_t s = 0; s < graph_.factors(); ++s) queue(s);
  if (!propagate(values)) return true;
  for (bool changed = true; changed && work_left_ > 0 && !asked_to(stop);) {
    changed = false;
    if (!probe(values, stop, changed)) return true;
  }
  return false;
}

}  // namespace accord::graph
