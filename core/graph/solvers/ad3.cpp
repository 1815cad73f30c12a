// SPDX-License-Identifier: Apache-2.0
// The rounds of AD3; what is made of them stands in ad3_answers.cpp.
#include "core/graph/solvers/ad3.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace accord::graph {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Ad3::Ad3(const FactorGraph& graph) : graph_(graph), in_turn_(graph) {}

// Shapes the state for the graph as it is now; what is still valid from an earlier call stays.
void Ad3::prepare() {
  const size_t variables = graph_.variables(), edges = graph_.edges(), factors = graph_.factors();
  consensus_.resize(variables, 0.5);
  multipliers_.resize(edges, 0.0);
  copies_.resize(edges, 0.5);
  pinned_.resize(variables, -1);
  active_sets_.resize(factors);
  for (size_t s = projects_.size(); s < factors; ++s) projects_.push_back(graph_.factor(s).can(Factor::Ability::project));
  maxima_.resize(factors);
  roundings_.resize(factors);
  maximum_stale_.assign(factors, 1);
  shares_.resize(variables, 0.0);
  index_edges();
  factor_round_.assign(factors, 0);
  variable_round_.assign(variables, 0);
  restless_round_.assign(variables, 0);
  round_ = 0;
  all_move();
  scale_known_ = false;
  constant_ = constant_of(graph_);
  penalty_factor_ = 2;
  last_direction_ = 0;
  pin();
  for (size_t r = 0; r < variables; ++r) shares_[r] = decided_alone(graph_, r) ? 0.0 : graph_.scores()[r] / graph_.degrees()[r];
}

void Ad3::begin_from(const Ad3& other, std::span<const int32_t> variables, std::span<const int32_t> factors) {
  prepare();
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (factors[s] < 0) continue;
    const auto t = static_cast<size_t>(factors[s]);
    const std::span<const int32_t> mine = graph_.variables_of(s), theirs = other.graph_.variables_of(t);
    size_t e = graph_.first_edge(s), place = 0;
    for (const int32_t variable : mine) {
      const auto r = static_cast<size_t>(variable), from = static_cast<size_t>(variables[r]);
      while (static_cast<size_t>(theirs[place]) != from) ++place;
      const size_t edge = other.graph_.first_edge(t) + place;
      multipliers_[e] = other.shares_[from] + other.multipliers_[edge] - shares_[r];
      copies_[e++] = other.copies_[edge];
    }
  }
  for (size_t r = 0; r < graph_.variables(); ++r) {
    consensus_[r] = other.consensus_[static_cast<size_t>(variables[r])];
    const std::span<const int32_t> edges = edges_of(static_cast<int32_t>(r));
    double sum = 0;
    for (const int32_t e : edges) sum += multipliers_[static_cast<size_t>(e)];
    for (const int32_t e : edges) multipliers_[static_cast<size_t>(e)] -= sum / static_cast<double>(edges.size());
  }
  rho_ = other.rho_;
}

// A variable that has just been fixed gets a push, in place of its score: the bound allows for any multipliers on it.
void Ad3::pin() {
  constexpr double push = 3;  // units
  const std::span<const int32_t> owners = graph_.edge_variables();
  for (size_t e = 0; e < owners.size(); ++e) {
    const auto r = static_cast<size_t>(owners[e]);
    if (graph_.evidence()[r] == pinned_[r]) continue;
    if (graph_.evidence()[r] < 0) {
      multipliers_[e] = 0;  // free again: multipliers must sum to zero
      continue;
    }
    const double most = push * scale().unit, before = pinned_[r] < 0 ? multipliers_[e] + shares_[r] : 0.0;
    multipliers_[e] = std::clamp(before, -most, most) + (graph_.evidence()[r] ? most : -most);
  }
  any_pinned_ = false;
  for (size_t r = 0; r < pinned_.size(); ++r) {
    pinned_[r] = graph_.evidence()[r];
    any_pinned_ |= pinned_[r] >= 0;
    if (pinned_[r] >= 0) consensus_[r] = pinned_[r];
  }
}

const Scale& Ad3::scale() {
  if (!scale_known_) scale_ = scale_of(graph_);
  scale_known_ = true;
  return scale_;
}

void Ad3::start_penalty(const Ad3Settings& settings) {
  initial_rho_ = settings.penalty * scale().unit;
  rho_ = rho_ > 0 ? bounded_penalty(rho_) : initial_rho_;
}

// Which edges belong to a variable and which factor to an edge; made anew when the graph has grown.
void Ad3::index_edges() {
  const std::span<const int32_t> owners = graph_.edge_variables();
  if (edge_factor_.size() == owners.size() && variable_starts_.size() == graph_.variables() + 1) return;
  edge_factor_.resize(owners.size());
  for (size_t s = 0; s < graph_.factors(); ++s)
    std::fill_n(edge_factor_.begin() + static_cast<std::ptrdiff_t>(graph_.first_edge(s)), graph_.variables_of(s).size(),
                static_cast<int32_t>(s));
  variable_starts_.assign(graph_.variables() + 1, 0);
  for (int32_t r : owners) ++variable_starts_[static_cast<size_t>(r) + 1];
  std::partial_sum(variable_starts_.begin(), variable_starts_.end(), variable_starts_.begin());
  variable_edges_.resize(owners.size());
  std::vector<size_t> next(variable_starts_.begin(), variable_starts_.end() - 1);
  for (size_t e = 0; e < owners.size(); ++e) variable_edges_[next[static_cast<size_t>(owners[e])]++] = static_cast<int32_t>(e);
}

// Solves the factors of variables that moved. A variable that did not move and whose copies come out as they were has nothing
// to tell the consensus: it is not touched.
bool Ad3::update_factors(const Ad3Settings& settings) {
  const double weight = 1 / rho_;
  ++round_;
  touched_.clear();
  unfinished_ = false;
  size_t solved = 0;
  work_ = 0;
  for (const int32_t moved : moved_) touch(moved);
  for (const int32_t moved : moved_) {
    for (const int32_t e : edges_of(moved)) {
      const auto s = static_cast<size_t>(edge_factor_[static_cast<size_t>(e)]);
      if (factor_round_[s] == round_) continue;
      factor_round_[s] = round_;
      ++solved;
      if (!solve_factor(s, weight, settings)) return false;
    }
  }
  solved_.push_back(solved);
  sort_touched();
  return true;
}

void Ad3::touch(int32_t variable) {
  uint32_t& seen = variable_round_[static_cast<size_t>(variable)];
  if (seen == round_) return;
  seen = round_;
  touched_.push_back(variable);
}

// Sums over variables are taken in their order, so that they come out the same whatever was skipped.
void Ad3::sort_touched() {
  if (touched_.size() * 8 < graph_.variables()) {
    std::sort(touched_.begin(), touched_.end());
    return;
  }
  touched_.clear();
  for (size_t r = 0; r < variable_round_.size(); ++r)
    if (variable_round_[r] == round_) touched_.push_back(static_cast<int32_t>(r));
}

bool Ad3::solve_factor(size_t s, double weight, const Ad3Settings& settings) {
  const std::span<const int32_t> variables = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s), count = variables.size();
  if (target_.size() < count) target_.resize(count), projected_.resize(count);
  double* target = target_.data();
  const double* multipliers = multipliers_.data() + first;
  work_ += count;
  for (size_t i = 0; i < count; ++i) {
    const auto r = static_cast<size_t>(variables[i]);
    target[i] = consensus_[r] + weight * (shares_[r] + multipliers[i]);
  }
  Factor& factor = graph_.factor(s);
  const std::span<double> z(projected_.data(), count);
  if (projects_[s]) {
    factor.project({target, count}, weight, z);
  } else {
    if (!active_sets_[s]) active_sets_[s] = std::make_unique<ActiveSet>(count);
    if (!active_sets_[s]->project(factor, {target, count}, weight, z, settings.inner_steps)) return false;
    if (!active_sets_[s]->finished()) {
      unfinished_ = true;
      restless_round_[static_cast<size_t>(variables.front())] = round_;  // the factor is solved further in the next round
      touch(variables.front());
    }
  }
  double* copies = copies_.data() + first;
  for (size_t i = 0; i < count; ++i) {
    if (copies[i] == z[i]) continue;
    copies[i] = z[i];
    touch(variables[i]);
  }
  return true;
}

void Ad3::for_each_configuration_of(size_t s, const std::function<void(std::span<const int32_t>, double)>& visit) {
  if (!active_sets_[s] || active_sets_[s]->working_set() == 0) {  // projected in closed form, or never
    constexpr int steps = 100;
    const std::span<const int32_t> variables = graph_.variables_of(s);
    const size_t first = graph_.first_edge(s);
    std::vector<double> target(variables.size()), z(variables.size());
    for (size_t i = 0; i < variables.size(); ++i) {
      const auto r = static_cast<size_t>(variables[i]);
      target[i] = consensus_[r] + (shares_[r] + multipliers_[first + i]) / rho_;
    }
    active_sets_[s] = std::make_unique<ActiveSet>(variables.size());
    active_sets_[s]->project(graph_.factor(s), target, 1 / rho_, z, steps);
  }
  const ActiveSet& set = *active_sets_[s];
  for (size_t member = 0; member < set.working_set(); ++member) visit(set.member(member), set.share(member));
}

// New means and multipliers of the touched variables; those that changed in any way move in the next round.
void Ad3::update_consensus(const Ad3Settings& settings) {
  const double step = settings.relaxation * rho_;
  const double* copies = copies_.data();
  double primal = 0, dual = 0;
  moved_.clear();
  for (const int32_t variable : touched_) {
    const auto r = static_cast<size_t>(variable);
    const std::span<const int32_t> edges = edges_of(variable);
    double mean = 0;
    for (const int32_t e : edges) mean += copies[e];
    mean = pinned_[r] >= 0 ? pinned_[r] : mean / static_cast<double>(edges.size());
    const double change = mean - consensus_[r];
    dual += static_cast<double>(edges.size()) * change * change;
    bool moves = change != 0 || restless_round_[r] == round_;
    consensus_[r] = mean;
    for (const int32_t edge : edges) {
      const auto e = static_cast<size_t>(edge);
      const double difference = copies[e] - mean;
      if (difference == 0) continue;
      primal += difference * difference;
      multipliers_[e] -= step * difference;
      maximum_stale_[static_cast<size_t>(edge_factor_[e])] = 1;
      moves = true;
    }
    if (moves || !settings.cache) moved_.push_back(variable);
  }
  const double edges = static_cast<double>(std::max<size_t>(1, graph_.edges()));
  primal_residual_ = std::sqrt(primal / edges);
  dual_residual_ = std::sqrt(dual / edges);
}

// All that have factors: the others have no copies that could agree or not.
void Ad3::all_move() {
  moved_.clear();
  for (size_t r = 0; r < graph_.variables(); ++r)
    if (graph_.degrees()[r] > 0) moved_.push_back(static_cast<int32_t>(r));
}

// Copies that can never agree would drive the penalty beyond all numbers, call after call.
double Ad3::bounded_penalty(double rho) const { return std::clamp(rho, 1e-4 * initial_rho_, 1e4 * initial_rho_); }

void Ad3::adapt_penalty(int iteration, const Ad3Settings& settings) {
  // Later on only a penalty that is plainly wrong, so that one residual is nothing beside the other, is changed, and not for ever.
  const bool late = iteration >= settings.adapt_until;
  if (iteration >= 10 * settings.adapt_until || iteration % (late ? 50 : 5) != 0) return;
  const double ratio = late ? 1e3 : 3;
  const int direction = (primal_residual_ > ratio * dual_residual_) - (dual_residual_ > ratio * primal_residual_);
  if (direction == 0) return;
  // A penalty that has to go back was about right: from then on it goes half as far, on the scale of logarithms, until it goes the
  // same way twice.
  penalty_factor_ = direction == -last_direction_ ? std::sqrt(penalty_factor_) : std::min(2.0, penalty_factor_ * penalty_factor_);
  last_direction_ = direction;
  const double before = rho_;
  rho_ = bounded_penalty(direction > 0 ? rho_ * penalty_factor_ : rho_ / penalty_factor_);
  if (rho_ != before) all_move();  // targets depend on rho
}

Solution Ad3::solve(const Ad3Settings& settings) {
  if (!(settings.relaxation >= 1 && settings.relaxation <= 1.618))
    throw std::invalid_argument("relaxation must lie in [1, 1.618]: beyond it convergence is lost");
  const Clock::time_point start = Clock::now();
  Solution result;
  solved_.clear();
  prepare();
  const auto done = [&](Status status) {
    finish(result, status);
    result.seconds = seconds_since(start);
    return result;
  };
  if (!first_answers(result)) return done(Status::infeasible);
  if (!settings.candidate.empty()) try_assignment(result, settings.candidate);
  if (answer_.size() == graph_.variables()) try_assignment(result, answer_);
  if (proved(result, settings)) return done(Status::optimal);
  if (below(result, settings.level)) return done(Status::budget);
  start_penalty(settings);
  size_t pending = 0, unrounded = 0;
  for (int iteration = 1; iteration <= settings.iterations; ++iteration) {
    if (!update_factors(settings)) return done(Status::infeasible);
    update_consensus(settings);
    result.iterations = iteration;
    if (!std::isfinite(primal_residual_ + dual_residual_)) return done(Status::budget);  // beyond what doubles can hold
    // A change of the consensus weighs as much as the penalty on it: under a large one it creeps and yet has far to go.
    const double creep = dual_residual_ * std::max(1.0, rho_ / initial_rho_);
    const bool solved = primal_residual_ < settings.residual && creep < settings.residual && !unfinished_;
    const bool out_of_time = asked_to(settings.stop) || seconds_since(start) > settings.seconds;
    // Bounds and roundings look at the whole graph: when only a corner of it still moves, they can wait. A rounding costs
    // several times as much as a bound, so it waits longer.
    pending += work_;
    unrounded += work_;
    const bool due = iteration % settings.check_every == 0 && (pending >= 2 * graph_.edges() || iteration % 100 == 0);
    const bool last = solved || out_of_time || iteration == settings.iterations;
    const bool check = due || last;
    const bool rounding = last || (due && (unrounded >= 8 * graph_.edges() || iteration % 100 == 0));
    if (check) pending = 0;
    if (rounding) unrounded = 0;
    const bool optimal = check && settled(result, rounding, settings);
    if (settings.trace)
      result.trace.push_back({iteration, seconds_since(start), result.value + constant_, bound_with(constant_, result.bound),
                              primal_residual_, dual_residual_});
    tell(settings.progress, iteration, result.value + constant_, bound_with(constant_, result.bound));
    if (optimal) return done(Status::optimal);
    if (check && proves_infeasible(result)) return done(Status::infeasible);
    if (below(result, settings.level)) return done(Status::budget);
    if (solved) return done(ended(result, Status::fractional, settings));
    if (out_of_time) return done(Status::budget);
    adapt_penalty(iteration, settings);
  }
  return done(ended(result, Status::budget, settings));
}

}  // namespace accord::graph
