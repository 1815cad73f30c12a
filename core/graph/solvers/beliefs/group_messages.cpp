// SPDX-License-Identifier: Apache-2.0
// Belief propagation among variables with several values: messages over the values of a group, and what groups add to the results.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/log_domain.hpp"
#include "core/graph/solvers/beliefs/belief_propagation.hpp"

namespace accord::graph {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr double few_roundings = 0x1p-50;

}  // namespace

// A factor speaks of values where one of its choices is a whole group, in any order.
void BeliefPropagation::find_groups() {
  by_value_.clear();
  speech_.clear();
  value_factors_.assign(graph_.groups(), 0);
  if (graph_.groups() == 0) return;
  by_value_.assign(graph_.edges(), 0);
  speech_.assign(graph_.factors(), Speech::odds);
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const std::span<const int32_t> touched = graph_.variables_of(s);
    size_t begin = 0, spoken = 0;
    for (const size_t count : graph_.factor(s).choices()) {
      const int32_t group = graph_.group_of(static_cast<size_t>(touched[begin]));
      bool whole = group != FactorGraph::no_group && graph_.group(static_cast<size_t>(group)).count == count;
      for (size_t i = begin; i < begin + count && whole; ++i) whole = graph_.group_of(static_cast<size_t>(touched[i])) == group;
      if (whole) {
        std::fill_n(by_value_.begin() + static_cast<std::ptrdiff_t>(graph_.first_edge(s) + begin), count, uint8_t{1});
        ++value_factors_[static_cast<size_t>(group)];
        spoken += count;
      }
      begin += count;
    }
    if (spoken > 0) speech_[s] = spoken == touched.size() ? Speech::values : Speech::both;
  }
}

double BeliefPropagation::others_of_group(size_t variable) const {
  const Group& group = graph_.group(static_cast<size_t>(graph_.group_of(variable)));
  double top = impossible, sum = 0;
  for (size_t r = group.first; r < group.first + group.count; ++r)
    if (r != variable && fixed_[r] < 0) top = std::max(top, beliefs_[r]);
  if (settings_.maximum || top == impossible) return top;
  for (size_t r = group.first; r < group.first + group.count; ++r)
    if (r != variable && fixed_[r] < 0) sum += std::exp(beliefs_[r] - top);
  return top + std::log(sum);
}

double BeliefPropagation::group_sum(const Group& group) const {
  double top = impossible, sum = 0;
  for (size_t r = group.first; r < group.first + group.count; ++r)
    if (fixed_[r] < 0) top = std::max(top, beliefs_[r]);
  if (settings_.maximum || top == impossible) return top;
  for (size_t r = group.first; r < group.first + group.count; ++r)
    if (fixed_[r] < 0) sum += std::exp(beliefs_[r] - top);
  return top + std::log(sum);
}

double BeliefPropagation::odds_of(size_t variable) const {
  return in_group(variable) ? beliefs_[variable] - others_of_group(variable) : beliefs_[variable];
}

double BeliefPropagation::posterior(size_t variable) const { return fixed_[variable] >= 0 ? fixed_[variable] : sigmoid(odds_of(variable)); }

bool BeliefPropagation::fix(size_t variable, int8_t value) {
  fixed_[variable] = value;
  return !in_group(variable) || settle_group(graph_.group(static_cast<size_t>(graph_.group_of(variable))));
}

bool BeliefPropagation::settle_groups() {
  for (size_t g = 0; g < graph_.groups(); ++g)
    if (!settle_group(graph_.group(g))) return false;
  return true;
}

// One value that is on switches the others off; the last that is not off is on.
bool BeliefPropagation::settle_group(const Group& group) {
  const auto first = fixed_.begin() + static_cast<std::ptrdiff_t>(group.first), last = first + static_cast<std::ptrdiff_t>(group.count);
  const auto on = std::count(first, last, int8_t{1}), free = std::count(first, last, int8_t{-1});
  if (on > 1 || on + free == 0) return false;
  if (on == 0 && free > 1) return true;
  std::replace(first, last, int8_t{-1}, static_cast<int8_t>(on == 0));
  return true;
}

void BeliefPropagation::local_cavities(size_t s, double limit) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  local_scores_.resize(touched.size());
  for (size_t i = 0; i < touched.size(); ++i) {
    const double cavity = incoming_[first + i];
    local_scores_[i] = by_value(first + i) ? (cavity == no_limit ? 0.0 : cavity) : std::clamp(cavity, -limit, limit);
  }
}

bool BeliefPropagation::evaluate_values(size_t s) {
  const size_t size = graph_.variables_of(s).size();
  ones_.resize(size);
  zeros_.resize(size);
  local_cavities(s, no_limit);
  if (speech_[s] == Speech::values) {
    Factor& factor = graph_.factor(s);
    log_sums_[s] = settings_.maximum ? factor.max_marginals(local_scores_, zeros_, ones_) : factor.log_marginals(local_scores_, ones_);
    evaluated_[s] = 1;
    return log_sums_[s] > impossible;
  }
  // Pushes that fix variables are of limited strength: cavities over values are taken relative to the largest of their group.
  double taken = 0;
  for (size_t begin = 0, end = 0; begin < size; begin = end) {
    end = begin + 1;
    if (!by_value(graph_.first_edge(s) + begin)) continue;
    const int32_t group = graph_.group_of(static_cast<size_t>(graph_.variables_of(s)[begin]));
    while (end < size && graph_.group_of(static_cast<size_t>(graph_.variables_of(s)[end])) == group) ++end;
    const auto part = std::span(local_scores_).subspan(begin, end - begin);
    const double top = *std::max_element(part.begin(), part.end());
    for (double& cavity : part) cavity -= top;
    taken += top;
    for (size_t i = begin; i < end; ++i)
      if (fixed_[static_cast<size_t>(graph_.variables_of(s)[i])] > 0) local_scores_[i] = no_limit;
  }
  if (!factor_beliefs_.evaluate(graph_.factor(s), local_scores_, strengths_[s])) return false;
  for (size_t i = 0; i < size; ++i) {
    const double odds = factor_beliefs_.odds(i);
    ones_[i] = settings_.maximum ? std::min(0.0, odds) : -softplus(-odds);
  }
  log_sums_[s] = factor_beliefs_.log_sum() + taken;
  evaluated_[s] = 1;
  return true;
}

bool BeliefPropagation::send_values(size_t s, double& residual) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  for (size_t begin = 0, end = 0; begin < touched.size(); begin = end) {
    end = begin + 1;
    if (!by_value(graph_.first_edge(s) + begin)) continue;
    const int32_t group = graph_.group_of(static_cast<size_t>(touched[begin]));
    while (end < touched.size() && graph_.group_of(static_cast<size_t>(touched[end])) == group) ++end;
    if (!send_group(s, begin, end, residual)) return false;
  }
  return true;
}

// Messages are told relative to the largest. A value that the factor does not allow is off from then on.
bool BeliefPropagation::send_group(size_t s, size_t begin, size_t end, double& residual) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  bool changed = false;
  double top = impossible;
  for (size_t i = begin; i < end; ++i) {
    const size_t r = static_cast<size_t>(touched[i]);
    if (fixed_[r] >= 0) continue;
    const double message = ones_[i] - local_scores_[i];
    const bool forbidden = speech_[s] == Speech::values ? ones_[i] == impossible
                                                        : factor_beliefs_.decisive(factor_beliefs_.odds(i), message) && message < 0 &&
                                                              !factor_beliefs_.allows(graph_.factor(s), i, 1);
    if (forbidden) fixed_[r] = 0;
    changed |= forbidden;
    if (!forbidden) top = std::max(top, message);
  }
  if (changed) residual = no_limit;
  if (changed && !settle_group(graph_.group(static_cast<size_t>(graph_.group_of(static_cast<size_t>(touched[begin])))))) return false;
  for (size_t i = begin; i < end; ++i) {
    if (fixed_[static_cast<size_t>(touched[i])] >= 0) continue;
    const double message = ones_[i] - local_scores_[i];
    const double rounding = few_roundings * (std::fabs(ones_[i]) + std::fabs(local_scores_[i]) + std::fabs(log_sums_[s]));
    const double move = send(s, i, message - top);
    residual = std::max(residual, move - (speech_[s] == Speech::values ? rounding : factor_beliefs_.rounding()));
  }
  return true;
}

double BeliefPropagation::bethe_of_groups() const {
  double total = 0;
  for (size_t g = 0; g < graph_.groups(); ++g) {
    const Group& group = graph_.group(g);
    const double sum = group_sum(group);
    if (sum == impossible) continue;  // decided
    total += (1.0 - static_cast<double>(value_factors_[g])) * sum;
    for (size_t r = group.first; r < group.first + group.count; ++r) {
      const auto others = static_cast<double>(graph_.degrees()[r]) - static_cast<double>(value_factors_[g]);
      if (fixed_[r] < 0 && others > 0) total -= others * softplus(odds_of(r));
    }
  }
  return total;
}

// The most probable value of each group.
void BeliefPropagation::choose_values(std::span<uint8_t> assignment) const {
  for (size_t g = 0; g < graph_.groups(); ++g) {
    const Group& group = graph_.group(g);
    size_t best = group.first;
    const auto rank = [&](size_t r) { return fixed_[r] > 0 ? no_limit : fixed_[r] == 0 ? impossible : beliefs_[r]; };
    for (size_t r = group.first; r < group.first + group.count; ++r) {
      assignment[r] = 0;
      if (rank(r) > rank(best)) best = r;
    }
    assignment[best] = 1;
  }
}

}  // namespace accord::graph
