// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/beliefs/belief_propagation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include "core/graph/log_domain.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void BeliefPropagation::check() const {
  if (!(settings_.damping >= 0 && settings_.damping < 1)) throw std::invalid_argument("damping must lie in [0, 1)");
  if (!(settings_.temperature > 0 && std::isfinite(settings_.temperature)))
    throw std::invalid_argument("temperature must be a positive number");
  const Factor::Ability needed = settings_.maximum ? Factor::Ability::max_marginals : Factor::Ability::marginals;
  for (size_t s = 0; s < graph_.factors(); ++s)
    if (!graph_.factor(s).can(needed))
      throw std::invalid_argument("factor " + std::to_string(s) + " (" + std::string(graph_.factor(s).kind()) + ") has no " +
                                  (settings_.maximum ? "max-marginals" : "marginals") + ", which belief propagation needs");
}

void BeliefPropagation::start() {
  unaries_.assign(graph_.scores().begin(), graph_.scores().end());
  for (double& score : unaries_)
    if (!settings_.maximum) score /= settings_.temperature;
  scale_ = scale_of(graph_);
  double largest = 0;  // of what is at stake
  for (size_t r = 0; r < unaries_.size(); ++r)
    if (!decided_alone(graph_, r)) largest = std::max(largest, std::fabs(unaries_[r]));
  for (size_t s = 0; s < graph_.factors(); ++s)
    if (const OwnRange range = graph_.factor(s).own_range(); range.known()) largest = std::max(largest, range.width());
  if (largest == 0) largest = scale_.unit;
  fixed_.assign(graph_.evidence().begin(), graph_.evidence().end());
  messages_.assign(graph_.edges(), 0.0);
  incoming_.assign(graph_.edges(), 0.0);
  evaluated_.assign(graph_.factors(), 0);
  refined_.assign(graph_.factors(), 0);
  log_sums_.assign(graph_.factors(), 0.0);
  find_groups();
  // Strong enough for most factors, weak enough to leave values their last digits; evaluation strengthens where needed.
  const double strength = settings_.maximum ? std::exp2(20 + std::ceil(std::log2(largest))) : 256.0;
  strengths_.assign(graph_.factors(), strength);
  largest_message_ = settings_.maximum ? 0x1p60 * strength : FactorBeliefs::certain;
  factor_beliefs_.start(settings_.maximum, settings_.maximum ? largest_message_ : 0x1p16);
}

// From scratch before every sweep, so that rounding does not pile up in the running sums.
void BeliefPropagation::sum_beliefs() {
  beliefs_ = unaries_;
  for (size_t e = 0; e < messages_.size(); ++e) beliefs_[static_cast<size_t>(graph_.edge_variables()[e])] += messages_[e];
}

bool BeliefPropagation::gather(size_t s) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  bool moved = !evaluated_[s];
  for (size_t i = 0; i < touched.size(); ++i) {
    const size_t r = static_cast<size_t>(touched[i]);
    double cavity = fixed_[r] < 0 ? beliefs_[r] - messages_[first + i] : fixed_[r] ? infinity : -infinity;
    if (fixed_[r] < 0 && in_group(r) && !by_value(first + i)) cavity -= others_of_group(r);
    moved |= cavity != incoming_[first + i];
    incoming_[first + i] = cavity;
  }
  return moved;
}

bool BeliefPropagation::evaluate(size_t s) {
  if (!speech_.empty() && speech_[s] != Speech::odds) return evaluate_values(s);
  const std::span<const double> cavities = std::span<const double>(incoming_).subspan(graph_.first_edge(s), graph_.variables_of(s).size());
  if (!factor_beliefs_.evaluate(graph_.factor(s), cavities, strengths_[s])) return false;
  log_sums_[s] = factor_beliefs_.log_sum();
  evaluated_[s] = 1;
  return true;
}

double BeliefPropagation::send(size_t s, size_t i, double message) {
  const size_t edge = graph_.first_edge(s) + i;
  const double move = (1 - settings_.damping) * (message - messages_[edge]);
  messages_[edge] += move;
  beliefs_[static_cast<size_t>(graph_.edge_variables()[edge])] += move;
  return std::fabs(move);
}

bool BeliefPropagation::update(size_t s, double& residual) {
  if (!gather(s) && settings_.damping == 0) return true;
  if (!evaluate(s)) return false;
  if (!speech_.empty() && speech_[s] == Speech::values) return send_values(s, residual);
  const size_t size = graph_.variables_of(s).size();
  const size_t from = refined_[s];
  for (size_t k = 0; k < size; ++k) {
    const size_t i = (from + k) % size;
    const size_t edge = graph_.first_edge(s) + i, r = static_cast<size_t>(graph_.edge_variables()[edge]);
    if (fixed_[r] >= 0 || by_value(edge)) continue;
    const bool shared = graph_.degrees()[r] > 1 || in_group(r);  // others hear the message
    const double odds = factor_beliefs_.odds(i);
    double message = odds - incoming_[edge];
    if (shared && !factor_beliefs_.reliable(i)) {
      if (!factor_beliefs_.may_refine()) {  // the old message stays, and the factor is looked at again in the next sweep
        if (refined_[s] == from) refined_[s] = i;
        evaluated_[s] = 0;
        residual = infinity;
        continue;
      }
      message = factor_beliefs_.refine(graph_.factor(s), i, messages_[edge]);
    }
    if (factor_beliefs_.decisive(odds, message) && !factor_beliefs_.allows(graph_.factor(s), i, message > 0 ? 0 : 1)) {
      if (!fix(r, message > 0)) return false;
      residual = infinity;
      continue;
    }
    const double move = send(s, i, std::clamp(message, -largest_message_, largest_message_));
    if (shared) residual = std::max(residual, move - factor_beliefs_.rounding());
  }
  return speech_.empty() || speech_[s] == Speech::odds || send_values(s, residual);
}

bool BeliefPropagation::sweep(bool backwards, double& residual) {
  sum_beliefs();
  residual = 0;
  for (size_t k = 0; k < graph_.factors(); ++k) {
    if (!update(backwards ? graph_.factors() - 1 - k : k, residual)) return false;
    if (!out_of_time()) continue;
    residual = infinity;
    break;
  }
  return true;
}

Solution BeliefPropagation::solve(const BeliefSettings& settings) {
  begin_ = Clock::now();
  settings_ = settings;
  check();
  start();
  sum_beliefs();
  Solution result;
  bool possible = settle_groups(), converged = false;
  for (int iteration = 1; iteration <= settings.iterations && possible && !converged; ++iteration) {
    if (asked_to(settings.stop)) break;
    double residual = 0;
    possible = sweep(iteration % 2 == 0, residual);
    // Messages are differences of scores, or logarithms of probabilities, which have no scale.
    converged = possible && residual <= settings.tolerance * (settings.maximum ? scale_.unit : 1.0);
    result.iterations = iteration;
    if (settings.trace) result.trace.push_back({iteration, since(begin_), unknown, unknown, residual, unknown});
    tell(settings.progress, iteration, unknown, unknown);
    if (out_of_time()) break;
  }
  if (possible) finish(converged, result);
  if (!possible || result.bound == impossible) {
    result.status = Status::infeasible;
    result.bound = impossible;
  }
  result.seconds = since(begin_);
  return result;
}

void BeliefPropagation::propose(std::span<const uint8_t> assignment, Solution& result) const {
  const double value = graph_.coupled_value(assignment);
  if (value <= result.value) return;
  result.value = value;
  result.assignment.assign(assignment.begin(), assignment.end());
}

void BeliefPropagation::finish(bool converged, Solution& result) {
  result.status = converged ? Status::estimate : Status::budget;
  sum_beliefs();
  result.posteriors.resize(graph_.variables());
  std::vector<uint8_t> assignment(graph_.variables());
  for (size_t r = 0; r < assignment.size(); ++r) {
    result.posteriors[r] = posterior(r);
    assignment[r] = decided_alone(graph_, r) ? value_alone(graph_, r) : result.posteriors[r] >= 0.5;
  }
  choose_values(assignment);
  propose(assignment, result);
  if (decode(assignment)) propose(assignment, result);
  if (!settings_.maximum) {
    if (result.value > impossible) result.value = graph_.value(result.assignment);
    result.log_partition = bethe();
    if (result.log_partition > impossible) result.entropy = bethe_entropy(result.log_partition);
    result.log_partition += graph_.constant() / settings_.temperature;
    if (result.log_partition == impossible) result.bound = impossible;
    return;
  }
  find_bound(result);
  const bool exact = converged && forest() && result.value > impossible;
  const double distance = result.bound - 2 * result.rounding - result.value;
  if (exact || (result.value > impossible && distance <= settings_.tolerance * scale_.spread)) result.status = Status::optimal;
  if (exact) result.bound = result.value;
  settle_bound(graph_, constant_of(graph_), result);
}

}  // namespace accord::graph
