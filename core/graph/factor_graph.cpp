// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factor_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

void check_finite(std::span<const double> scores) {
  for (size_t i = 0; i < scores.size(); ++i)
    if (!std::isfinite(scores[i])) throw std::invalid_argument("score " + std::to_string(i) + " is not a finite number");
}

}  // namespace

size_t FactorGraph::add_variables(std::span<const double> scores) {
  check_finite(scores);
  const size_t first = scores_.size();
  if (first + scores.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) throw std::invalid_argument("too many variables");
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  evidence_.resize(scores_.size(), -1);
  degrees_.resize(scores_.size(), 0);
  return first;
}

size_t FactorGraph::add_group(std::span<const double> scores) {
  if (scores.empty()) throw std::invalid_argument("a variable needs at least one value");
  std::vector<double> finite(scores.begin(), scores.end());
  std::vector<double> forbidden;
  for (double& score : finite) {
    if (score != impossible) continue;
    if (forbidden.empty()) forbidden.assign(scores.size(), 0.0);
    forbidden[static_cast<size_t>(&score - finite.data())] = impossible;
    score = 0;
  }
  const size_t first = add_variables(finite);
  group_of_.resize(first, no_group);
  group_of_.resize(first + scores.size(), static_cast<int32_t>(groups_.size()));
  groups_.push_back({first, scores.size()});
  std::vector<int64_t> variables(scores.size());
  std::iota(variables.begin(), variables.end(), static_cast<int64_t>(first));
  if (forbidden.empty()) {
    add_factor(make_logic("exactly_one", scores.size()), variables);
  } else {
    add_factor(std::make_unique<CategoricalTable>(std::vector<int>{static_cast<int>(scores.size())}, std::move(forbidden)), variables);
  }
  return first;
}

void FactorGraph::add_constant(double score) {
  if (!std::isfinite(score)) throw std::invalid_argument("a constant must be a finite number");
  constant_ += score;
}

size_t FactorGraph::add_factor(std::unique_ptr<Factor> factor, std::span<const int64_t> variables) {
  if (variables.empty()) throw std::invalid_argument("a factor needs at least one variable");
  if (factor->size() != variables.size())
    throw std::invalid_argument("a factor over " + std::to_string(factor->size()) + " variables was given " +
                                std::to_string(variables.size()));
  std::vector<int64_t> sorted;  // left empty where the variables are in order
  if (!std::is_sorted(variables.begin(), variables.end())) {
    sorted.assign(variables.begin(), variables.end());
    std::sort(sorted.begin(), sorted.end());
  }
  const std::span<const int64_t> ordered = sorted.empty() ? variables : std::span<const int64_t>(sorted);
  if (ordered.front() < 0 || ordered.back() >= static_cast<int64_t>(scores_.size()))
    throw std::invalid_argument("variable " + std::to_string(ordered.front() < 0 ? ordered.front() : ordered.back()) + " does not exist");
  if (const auto twice = std::adjacent_find(ordered.begin(), ordered.end()); twice != ordered.end())
    throw std::invalid_argument("variable " + std::to_string(*twice) + " stands twice in one factor");
  if (edge_variables_.size() + variables.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw std::invalid_argument("the factors have too many variables in all");
  for (int64_t variable : variables) {
    edge_variables_.push_back(static_cast<int32_t>(variable));
    ++degrees_[static_cast<size_t>(variable)];
  }
  starts_.push_back(edge_variables_.size());
  factors_.push_back(std::move(factor));
  return factors_.size() - 1;
}

void FactorGraph::set_scores(std::span<const double> scores) {
  if (scores.size() != scores_.size()) throw std::invalid_argument("one score per variable is needed");
  check_finite(scores);
  std::copy(scores.begin(), scores.end(), scores_.begin());
}

void FactorGraph::set_evidence(std::span<const int8_t> evidence) {
  if (evidence.size() != scores_.size()) throw std::invalid_argument("one entry of evidence per variable is needed");
  for (int8_t value : evidence)
    if (value < -1 || value > 1) throw std::invalid_argument("evidence is -1 (free), 0 or 1");
  std::copy(evidence.begin(), evidence.end(), evidence_.begin());
}

double FactorGraph::value(std::span<const uint8_t> assignment) const { return sum(assignment, false); }

double FactorGraph::coupled_value(std::span<const uint8_t> assignment) const { return sum(assignment, true); }

double FactorGraph::sum(std::span<const uint8_t> assignment, bool coupled) const {
  CarefulSum total;
  if (!coupled && constant_ != 0) total.add(constant_);
  for (size_t r = 0; r < scores_.size(); ++r) {
    if (evidence_[r] >= 0 && assignment[r] != evidence_[r]) return impossible;
    if (assignment[r] && !(coupled && decided_alone(*this, r))) total.add(scores_[r]);
  }
  for (size_t s = 0; s < factors_.size(); ++s) {
    const std::span<const int32_t> variables = variables_of(s);
    local_.resize(variables.size());
    for (size_t i = 0; i < variables.size(); ++i) local_[i] = assignment[static_cast<size_t>(variables[i])];
    const double own = factors_[s]->score(local_);
    if (own == impossible) return impossible;
    total.add(own);
  }
  return total.value();
}

}  // namespace accord::graph
