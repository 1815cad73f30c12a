#include "core/graph/ad3.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/graph/rounding.hpp"

namespace accord::graph {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Ad3::Ad3(const FactorGraph& graph) : graph_(graph) {}

// Shapes the state for the graph as it is now; what is still valid from an earlier call stays.
void Ad3::prepare(const Ad3Settings& settings) {
  const size_t variables = graph_.variables(), edges = graph_.edges(), factors = graph_.factors();
  consensus_.resize(variables, 0.5);
  multipliers_.resize(edges, 0.0);
  copies_.resize(edges, 0.5);
  targets_.resize(edges);
  pinned_.resize(variables, -1);
  active_sets_.resize(factors);
  maxima_.resize(factors);
  maximum_stale_.assign(factors, 1);
  shares_.resize(variables);
  next_.resize(variables);
  moved_.assign(variables, 1);
  double total = 0;
  for (size_t r = 0; r < variables; ++r) {
    total += std::fabs(graph_.scores()[r]);
    shares_[r] = graph_.degrees()[r] > 0 ? graph_.scores()[r] / graph_.degrees()[r] : 0.0;
  }
  if (rho_ <= 0) rho_ = settings.penalty * std::max(1e-3, total / static_cast<double>(std::max<size_t>(1, variables)));
  floor_ = 0;
  for (double score : graph_.scores()) floor_ += std::min(0.0, score);
  for (size_t s = 0; s < factors; ++s) floor_ += graph_.factor(s).lowest();

  // A variable that has just been fixed gets a push: the bound allows for any multipliers on it.
  const double push = 1 + 2 * total / static_cast<double>(std::max<size_t>(1, variables));
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < edges; ++e) {
    const auto r = static_cast<size_t>(owners[e]);
    if (graph_.evidence()[r] == pinned_[r]) continue;
    if (graph_.evidence()[r] < 0) {
      multipliers_[e] = 0;  // free again: multipliers must sum to zero
    } else {
      multipliers_[e] += graph_.evidence()[r] ? push : -push;
    }
  }
  for (size_t r = 0; r < variables; ++r) {
    pinned_[r] = graph_.evidence()[r];
    if (pinned_[r] >= 0) consensus_[r] = pinned_[r];
  }
}

// The factor's best configuration under its share of the scores and its multipliers, into local_.
void Ad3::maximize(size_t s) {
  const std::span<const int32_t> variables = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  scores_.resize(variables.size());
  local_.resize(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) scores_[i] = shares_[static_cast<size_t>(variables[i])] + multipliers_[first + i];
  maxima_[s] = graph_.factor(s).maximize(scores_, local_);
  maximum_stale_[s] = 0;
}

// The cheapest exact thing: if all factors' own maxima agree, they are the answer.
bool Ad3::first_answers(Result& result) {
  assignment_.assign(graph_.variables(), 2);
  bool agree = true;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    maximize(s);
    if (maxima_[s] == impossible) return false;
    const std::span<const int32_t> variables = graph_.variables_of(s);
    for (size_t i = 0; i < variables.size() && agree; ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      const uint8_t wanted = pinned_[r] >= 0 ? static_cast<uint8_t>(pinned_[r]) : assignment_[r];
      agree = wanted == 2 || wanted == local_[i];
      assignment_[r] = local_[i];
    }
  }
  result.bound = std::min(result.bound, bound());
  if (!agree) return true;
  for (size_t r = 0; r < assignment_.size(); ++r)
    if (assignment_[r] == 2) assignment_[r] = pinned_[r] >= 0 ? static_cast<uint8_t>(pinned_[r]) : graph_.scores()[r] > 0;
  try_assignment(result, assignment_);
  return true;
}

bool Ad3::update_factors(const Ad3Settings& settings) {
  const double weight = 1 / rho_;
  size_t solved = 0;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const std::span<const int32_t> variables = graph_.variables_of(s);
    if (settings.cache && std::none_of(variables.begin(), variables.end(), [&](int32_t r) { return moved_[static_cast<size_t>(r)] != 0; }))
      continue;
    ++solved;
    const size_t first = graph_.first_edge(s), count = variables.size();
    double* target = targets_.data() + first;
    for (size_t i = 0; i < count; ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      target[i] = consensus_[r] + weight * (shares_[r] + multipliers_[first + i]);
    }
    Factor& factor = graph_.factor(s);
    const std::span<double> z(copies_.data() + first, count);
    if (factor.can(Factor::Ability::project)) {
      factor.project({target, count}, weight, z);
      continue;
    }
    if (!active_sets_[s]) active_sets_[s] = std::make_unique<ActiveSet>(count);
    if (!active_sets_[s]->project(factor, {target, count}, weight, z, settings.inner_steps)) return false;
  }
  solved_.push_back(solved);
  return true;
}

void Ad3::update_consensus(const Ad3Settings& settings) {
  const std::span<const int32_t> owners = graph_.edge_variables();
  std::fill(next_.begin(), next_.end(), 0.0);
  for (size_t e = 0; e < owners.size(); ++e) next_[static_cast<size_t>(owners[e])] += copies_[e];
  double dual = 0;
  for (size_t r = 0; r < next_.size(); ++r) {
    const double degree = graph_.degrees()[r];
    next_[r] = pinned_[r] >= 0 ? pinned_[r] : degree > 0 ? next_[r] / degree : consensus_[r];
    const double change = next_[r] - consensus_[r];
    dual += degree * change * change;
    moved_[r] = change != 0;
  }
  consensus_.swap(next_);
  double primal = 0;
  const double step = settings.relaxation * rho_;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const std::span<const int32_t> variables = graph_.variables_of(s);
    const size_t first = graph_.first_edge(s);
    bool changed = false;
    for (size_t i = 0; i < variables.size(); ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      const double difference = copies_[first + i] - consensus_[r];
      if (difference == 0) continue;
      primal += difference * difference;
      multipliers_[first + i] -= step * difference;
      moved_[r] = 1;
      changed = true;
    }
    if (changed) maximum_stale_[s] = 1;
  }
  const double edges = static_cast<double>(std::max<size_t>(1, owners.size()));
  primal_residual_ = std::sqrt(primal / edges);
  dual_residual_ = std::sqrt(dual / edges);
}

void Ad3::adapt_penalty(int iteration, const Ad3Settings& settings) {
  if (iteration >= settings.adapt_until || iteration % 5 != 0) return;
  const double before = rho_;
  if (primal_residual_ > 3 * dual_residual_) rho_ *= 2;
  if (dual_residual_ > 3 * primal_residual_) rho_ /= 2;
  if (rho_ != before) std::fill(moved_.begin(), moved_.end(), uint8_t{1});  // targets depend on rho
}

double Ad3::bound() {
  double total = 0;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (maximum_stale_[s]) maximize(s);
    total += maxima_[s];
  }
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < owners.size(); ++e)
    if (const auto r = static_cast<size_t>(owners[e]); pinned_[r] > 0) total -= multipliers_[e];
  for (size_t r = 0; r < graph_.variables(); ++r)
    if (graph_.degrees()[r] == 0) total += pinned_[r] >= 0 ? pinned_[r] * graph_.scores()[r] : std::max(0.0, graph_.scores()[r]);
  return total;
}

void Ad3::try_assignment(Result& result, std::span<const uint8_t> assignment) {
  const double value = graph_.value(assignment);
  if (value <= result.value) return;
  result.value = value;
  result.assignment.assign(assignment.begin(), assignment.end());
}

void Ad3::round(Result& result, const Ad3Settings& settings) {
  assignment_.resize(graph_.variables());
  if (settings.round && settings.round(consensus_, assignment_)) try_assignment(result, assignment_);
  if (round_by_factors(graph_, consensus_, assignment_)) try_assignment(result, assignment_);
}

bool Ad3::settled(Result& result, const Ad3Settings& settings) {
  result.bound = std::min(result.bound, bound());
  round(result, settings);
  return result.value >= result.bound - settings.gap * (1 + std::fabs(result.bound));
}

bool Ad3::proves_infeasible(double bound) const { return bound < floor_ - 1e-6 * (1 + std::fabs(floor_)); }

Result& Ad3::finish(Result& result, Status status) {
  result.status = status;
  result.posteriors = consensus_;
  for (size_t r = 0; r < consensus_.size(); ++r)
    if (graph_.degrees()[r] == 0) result.posteriors[r] = pinned_[r] >= 0 ? pinned_[r] : graph_.scores()[r] > 0;
  if (status == Status::optimal)
    for (size_t r = 0; r < consensus_.size(); ++r) result.posteriors[r] = result.assignment[r];
  return result;
}

Result Ad3::solve(const Ad3Settings& settings) {
  if (!(settings.relaxation >= 1 && settings.relaxation <= 1.618))
    throw std::invalid_argument("relaxation must lie in [1, 1.618]: beyond it convergence is lost");
  const Clock::time_point start = Clock::now();
  Result result;
  solved_.clear();
  prepare(settings);
  const auto done = [&](Status status) {
    result.seconds = seconds_since(start);
    return finish(result, status);
  };
  if (!first_answers(result)) return done(Status::infeasible);
  if (result.value >= result.bound - settings.gap * (1 + std::fabs(result.bound))) return done(Status::optimal);
  for (int iteration = 1; iteration <= settings.iterations; ++iteration) {
    if (!update_factors(settings)) return done(Status::infeasible);
    update_consensus(settings);
    result.iterations = iteration;
    const bool solved = primal_residual_ < settings.residual && dual_residual_ < settings.residual;
    const bool out_of_time = (settings.stop && *settings.stop) || seconds_since(start) > settings.seconds;
    const bool check = solved || out_of_time || iteration % settings.check_every == 0 || iteration == settings.iterations;
    const bool optimal = check && settled(result, settings);
    if (settings.trace)
      result.trace.push_back({iteration, seconds_since(start), result.value, result.bound, primal_residual_, dual_residual_});
    if (optimal) return done(Status::optimal);
    if (check && proves_infeasible(result.bound)) return done(Status::infeasible);
    if (solved) return done(Status::fractional);
    if (out_of_time) return done(Status::budget);
    adapt_penalty(iteration, settings);
  }
  return done(Status::budget);
}

}  // namespace accord::graph
