// SPDX-License-Identifier: Apache-2.0
// What AD3 makes of its rounds: bounds, assignments, and the word on how it ended.
#include "core/graph/solvers/ad3.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/solvers/propagation.hpp"
#include "core/graph/solvers/rounding.hpp"

namespace accord::graph {

// The maximum of a factor under its share of the scores and its multipliers; its best configuration, where that lies above
// the level, into local_.
void Ad3::maximize(size_t s, double level) {
  const std::span<const int32_t> variables = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  scores_.resize(variables.size());
  local_.resize(variables.size());
  double magnitude = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    scores_[i] = shares_[static_cast<size_t>(variables[i])] + multipliers_[first + i];
    magnitude += std::fabs(scores_[i]);
  }
  maxima_[s] = graph_.factor(s).maximize_above(level, scores_, local_);
  roundings_[s] = rounding_of_maximum(variables.size(), magnitude + std::fabs(maxima_[s]));
  maximum_stale_[s] = 0;
}

// The cheapest exact thing: if all factors' own maxima agree, they are the answer.
bool Ad3::first_answers(Solution& result) {
  assignment_.assign(graph_.variables(), 2);
  bool agree = true;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    maximize(s, impossible);
    if (maxima_[s] == impossible) return false;
    const std::span<const int32_t> variables = graph_.variables_of(s);
    for (size_t i = 0; i < variables.size() && agree; ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      const uint8_t wanted = pinned_[r] >= 0 ? static_cast<uint8_t>(pinned_[r]) : assignment_[r];
      agree = wanted == 2 || wanted == local_[i];
      assignment_[r] = local_[i];
    }
  }
  lower_bound(result);
  if (!agree) return true;
  for (size_t r = 0; r < assignment_.size(); ++r)
    if (assignment_[r] == 2) assignment_[r] = value_alone(graph_, r);
  try_assignment(result, assignment_);
  return true;
}

// The sum of the factors' maxima, less what variables that are fixed to be on were pushed by.
double Ad3::bound() {
  CarefulSum total;
  rounding_ = 0;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (maximum_stale_[s]) maximize(s, std::numeric_limits<double>::infinity());
    total.add(maxima_[s]);
    rounding_ += roundings_[s];
  }
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < owners.size() && any_pinned_; ++e)
    if (pinned_[static_cast<size_t>(owners[e])] > 0) total.add(-multipliers_[e]);
  return total.value() + rounding_;
}

// What the bound is short of because the multipliers of a variable miss zero by rounding. It is next to nothing, so that it is
// looked at only where a bound is put to use.
double Ad3::shortage() {
  if (proof_.size() != graph_.edges()) return 0;
  leftovers_.assign(graph_.scores().begin(), graph_.scores().end());
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < owners.size(); ++e) {
    const auto r = static_cast<size_t>(owners[e]);
    leftovers_[r] -= shares_[r] + proof_[e];
  }
  double total = 0;
  for (size_t r = 0; r < leftovers_.size(); ++r)
    if (!decided_alone(graph_, r)) total += std::max(0.0, leftovers_[r]);
  return total;
}

void Ad3::lower_bound(Solution& result) {
  const double now = bound();
  proof_is_current_ = now <= result.bound;
  if (!proof_is_current_) return;
  result.bound = now;
  result.rounding = rounding_;
  proof_bound_ = now;
  proof_.assign(multipliers_.begin(), multipliers_.end());
}

void Ad3::try_assignment(Solution& result, std::span<const uint8_t> assignment) {
  const double value = graph_.coupled_value(assignment);
  if (value <= result.value) return;
  result.value = value;
  result.assignment.assign(assignment.begin(), assignment.end());
}

void Ad3::round(Solution& result, const Ad3Settings& settings) {
  assignment_.resize(graph_.variables());
  if (settings.round && settings.round(consensus_, assignment_)) try_assignment(result, assignment_);
  if (round_and_repair(graph_, consensus_, scale().unit, assignment_)) try_assignment(result, assignment_);
  // Factors in turn follow the relaxed values, and scores where these leave a choice.
  const std::span<const int32_t> owners = graph_.edge_variables();
  edge_scores_.resize(owners.size());
  const double strength = 100 * scale().unit;
  for (size_t e = 0; e < owners.size(); ++e) {
    const auto r = static_cast<size_t>(owners[e]);
    edge_scores_[e] = pinned_[r] >= 0 ? 0.0 : strength * (consensus_[r] - 0.5) + graph_.scores()[r];
  }
  if (in_turn_.decode(edge_scores_, pinned_, assignment_)) try_assignment(result, assignment_);
}

bool Ad3::settled(Solution& result, bool with_rounding, const Ad3Settings& settings) {
  lower_bound(result);
  if (with_rounding) round(result, settings);
  return proved(result, settings);
}

// Nothing is better, to the gap. What rounding alone may account for is no distance.
bool Ad3::proved(Solution& result, const Ad3Settings& settings) {
  if (result.value == impossible) return false;
  const auto distance = [&] { return result.bound - 2 * result.rounding - result.value; };
  double allowed = 0;
  if (distance() > 0) {
    result.bound = std::min(result.bound, scale().ceiling);
    allowed = settings.gap * scale().spread;
  }
  return distance() <= allowed && distance() + shortage() <= allowed;
}

bool Ad3::below(const Solution& result, double level) const {
  return level > impossible && result.bound - 2 * result.rounding <= level - constant_;
}

// No allowed assignment has a value as small as the bound.
bool Ad3::proves_infeasible(const Solution& result) {
  if (result.value > impossible) return false;
  double floor = 0;
  for (size_t r = 0; r < graph_.variables(); ++r)
    if (!decided_alone(graph_, r)) floor += std::min(0.0, graph_.scores()[r]);
  for (size_t s = 0; s < graph_.factors(); ++s) {
    floor += graph_.factor(s).own_range().lowest;
    if (floor == impossible) return false;
  }
  constexpr double margin = 1e-6;  // of the spread
  return result.bound < floor - margin * scale().spread - result.rounding;
}

// Rounds that found no assignment: factors may be able to tell that there is none.
Status Ad3::ended(const Solution& result, Status status, const Ad3Settings& settings) {
  if (result.value > impossible || !Propagation(graph_).contradicts(settings.stop)) return status;
  return Status::infeasible;
}

// Factors that hold the variable at a value have at most their max-marginals for maxima; the other factors keep theirs.
void Ad3::forced_bounds(std::span<double> off, std::span<double> on, size_t searches) {
  std::fill(off.begin(), off.end(), std::numeric_limits<double>::infinity());
  std::fill(on.begin(), on.end(), std::numeric_limits<double>::infinity());
  if (proof_.size() != graph_.edges()) return;
  const double whole = bound_with(constant_, proof_bound_ + shortage());
  for (size_t r = 0; r < graph_.variables(); ++r)
    if (pinned_[r] < 0 && graph_.degrees()[r] > 0) off[r] = on[r] = whole;
  std::vector<double> zero, one;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const Factor& factor = graph_.factor(s);
    if (!factor.can(Factor::Ability::max_marginals) || factor.searches_for_max_marginals() > searches) continue;
    const std::span<const int32_t> variables = graph_.variables_of(s);
    scores_.resize(variables.size());
    zero.resize(variables.size());
    one.resize(variables.size());
    double magnitude = 0;
    for (size_t i = 0; i < variables.size(); ++i) {
      scores_[i] = shares_[static_cast<size_t>(variables[i])] + proof_[graph_.first_edge(s) + i];
      magnitude += std::fabs(scores_[i]);
    }
    const double most = graph_.factor(s).max_marginals(scores_, zero, one);
    const double spare = 2 * rounding_of_maximum(variables.size(), magnitude + std::fabs(most));
    for (size_t i = 0; i < variables.size(); ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      if (pinned_[r] >= 0) continue;
      off[r] += zero[i] - most + spare;
      on[r] += one[i] - most + spare;
    }
  }
}

// Values and bounds with the constant, and the variables that are decided alone.
void Ad3::finish(Solution& result, Status status) {
  result.bound = status == Status::infeasible ? impossible : result.bound + shortage();
  result.status = status;
  result.posteriors = consensus_;
  for (size_t r = 0; r < consensus_.size(); ++r) {
    if (!decided_alone(graph_, r)) continue;
    result.posteriors[r] = value_alone(graph_, r);
    if (!result.assignment.empty()) result.assignment[r] = value_alone(graph_, r);
  }
  answer_ = result.assignment;
  if (status == Status::optimal && !proof_is_current_) multipliers_ = proof_;
  if (status == Status::optimal) result.posteriors.assign(result.assignment.begin(), result.assignment.end());
  settle_bound(graph_, constant_, result);
}

}  // namespace accord::graph
