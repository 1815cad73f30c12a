// SPDX-License-Identifier: Apache-2.0
// What AD3 makes of its rounds: bounds, assignments, and the word on how it ended.
#include "core/graph/solvers/ad3.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/solvers/rounding.hpp"

namespace accord::graph {

// The maximum of a factor under its share of the scores and its multipliers; its best configuration, where that lies above
// the level, into local_.
void Ad3::maximize(size_t s, double level) {
  const std::span<const int32_t> variables = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  scores_.resize(variables.size());
  local_.resize(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) scores_[i] = shares_[static_cast<size_t>(variables[i])] + multipliers_[first + i];
  maxima_[s] = graph_.factor(s).maximize_above(level, scores_, local_);
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
    if (assignment_[r] == 2) assignment_[r] = pinned_[r] >= 0 ? static_cast<uint8_t>(pinned_[r]) : graph_.scores()[r] > 0;
  try_assignment(result, assignment_);
  return true;
}

double Ad3::bound() {
  double total = 0;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (maximum_stale_[s]) maximize(s, std::numeric_limits<double>::infinity());
    total += maxima_[s];
  }
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < owners.size(); ++e)
    if (const auto r = static_cast<size_t>(owners[e]); pinned_[r] > 0) total -= multipliers_[e];
  for (size_t r = 0; r < graph_.variables(); ++r)
    if (graph_.degrees()[r] == 0) total += pinned_[r] >= 0 ? pinned_[r] * graph_.scores()[r] : std::max(0.0, graph_.scores()[r]);
  return total;
}

void Ad3::lower_bound(Solution& result) {
  const double now = bound();
  proof_is_current_ = now <= result.bound;
  if (!proof_is_current_) return;
  result.bound = now;
  proof_.assign(multipliers_.begin(), multipliers_.end());
}

void Ad3::try_assignment(Solution& result, std::span<const uint8_t> assignment) {
  const double value = graph_.value(assignment);
  if (value <= result.value) return;
  result.value = value;
  result.assignment.assign(assignment.begin(), assignment.end());
}

void Ad3::round(Solution& result, const Ad3Settings& settings) {
  assignment_.resize(graph_.variables());
  if (settings.round && settings.round(consensus_, assignment_)) try_assignment(result, assignment_);
  if (round_and_repair(graph_, consensus_, assignment_)) try_assignment(result, assignment_);
  // Factors in turn follow the relaxed values, and scores where these leave a choice.
  const std::span<const int32_t> owners = graph_.edge_variables();
  edge_scores_.resize(owners.size());
  for (size_t e = 0; e < owners.size(); ++e) {
    const auto r = static_cast<size_t>(owners[e]);
    edge_scores_[e] = strength_ * (consensus_[r] - 0.5) + graph_.scores()[r];
  }
  if (in_turn_.decode(edge_scores_, pinned_, assignment_)) try_assignment(result, assignment_);
}

bool Ad3::settled(Solution& result, bool with_rounding, const Ad3Settings& settings) {
  lower_bound(result);
  if (with_rounding) round(result, settings);
  return result.value >= result.bound - settings.gap * (1 + std::fabs(result.bound));
}

bool Ad3::proves_infeasible(double bound) const { return bound < floor_ - 1e-6 * (1 + std::fabs(floor_)); }

Solution& Ad3::finish(Solution& result, Status status) {
  result.status = status;
  answer_ = result.assignment;
  if (status == Status::optimal && !proof_is_current_) multipliers_ = proof_;
  result.posteriors = consensus_;
  for (size_t r = 0; r < consensus_.size(); ++r)
    if (graph_.degrees()[r] == 0) result.posteriors[r] = pinned_[r] >= 0 ? pinned_[r] : graph_.scores()[r] > 0;
  if (status == Status::optimal)
    for (size_t r = 0; r < consensus_.size(); ++r) result.posteriors[r] = result.assignment[r];
  return result;
}

}  // namespace accord::graph
