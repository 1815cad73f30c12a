// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/subgradient.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include "core/graph/solvers/propagation.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

SubgradientRule parse_subgradient_rule(std::string_view name) {
  if (name == "increases") return SubgradientRule::increases;
  if (name == "level") return SubgradientRule::level;
  throw std::invalid_argument("unknown step rule '" + std::string(name) + "'; there are: increases, level");
}

void Subgradient::start() {
  const size_t variables = graph_.variables(), factors = graph_.factors();
  multipliers_.resize(graph_.edges(), 0.0);  // factors added since the last call start at zero
  answers_.assign(graph_.edges(), 2);        // no answer yet: differs from any
  moved_.assign(factors, 1);
  fresh_.assign(factors, 0);
  maxima_.assign(factors, 0.0);
  means_.assign(variables, 0.0);
  sums_.assign(variables, 0.0);
  candidate_.assign(variables, 0);
  last_rounded_.clear();
  roundings_.assign(factors, 0.0);
  least_rounding_ = 0;
  settled_ = true;
  weight_ = 0;
  constant_ = constant_of(graph_);
  scale_ = scale_of(graph_);
  oracle_calls_ = 0;
  shares_.assign(variables, 0.0);
  size_t shared = 0;
  for (size_t r = 0; r < variables; ++r) {
    if (graph_.degrees()[r] > 0) shares_[r] = graph_.scores()[r] / graph_.degrees()[r];
    if (decided_alone(graph_, r)) means_[r] = value_alone(graph_, r);
    else ++shared;
  }
  complete_.clear();
  for (size_t s = 0; s < factors; ++s) {
    const std::span<const int32_t> touched = graph_.variables_of(s);
    const auto free = [&](int32_t r) { return graph_.evidence()[static_cast<size_t>(r)] < 0; };
    if (static_cast<size_t>(std::count_if(touched.begin(), touched.end(), free)) == shared) complete_.push_back(s);
  }
}

void Subgradient::answer(size_t s) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  const size_t first = graph_.first_edge(s);
  local_scores_.resize(touched.size());
  local_fixed_.resize(touched.size());
  local_answer_.resize(touched.size());
  double magnitude = 0;
  for (size_t i = 0; i < touched.size(); ++i) {
    const size_t r = static_cast<size_t>(touched[i]);
    local_fixed_[i] = graph_.evidence()[r];
    local_scores_[i] = local_fixed_[i] >= 0 ? 0.0 : shares_[r] + multipliers_[first + i];
    magnitude += std::fabs(local_scores_[i]);
  }
  maxima_[s] = conditioned_.maximize(graph_.factor(s), local_scores_, local_fixed_, local_answer_);
  roundings_[s] = rounding_of_maximum(touched.size(), magnitude + std::fabs(maxima_[s]));
  const auto previous = answers_.begin() + static_cast<std::ptrdiff_t>(first);
  fresh_[s] = !std::equal(local_answer_.begin(), local_answer_.end(), previous);
  std::copy(local_answer_.begin(), local_answer_.end(), previous);
  ++oracle_calls_;
}

bool Subgradient::maximize_factors(bool lazy) {
  for (size_t s = 0; s < graph_.factors(); ++s) {
    fresh_[s] = 0;
    if (lazy && !moved_[s]) continue;
    answer(s);
    moved_[s] = 0;
    if (maxima_[s] == impossible) return false;
  }
  return true;
}

double Subgradient::dual() const {
  std::array<CarefulSum, 4> lanes;  // each addition waits for the one before it; four sums wait side by side
  for (size_t s = 0; s < maxima_.size(); ++s) lanes[s % lanes.size()].add(maxima_[s]);
  CarefulSum total;
  for (const CarefulSum& lane : lanes) total.add(lane.value());
  return total.value();
}

double Subgradient::leftovers() {
  leftovers_.assign(graph_.scores().begin(), graph_.scores().end());
  const std::span<const int32_t> variables = graph_.edge_variables();
  for (size_t e = 0; e < variables.size(); ++e) {
    const auto r = static_cast<size_t>(variables[e]);
    leftovers_[r] -= shares_[r] + proof_[e];
  }
  CarefulSum total;
  for (size_t r = 0; r < leftovers_.size(); ++r)
    if (leftovers_[r] > 0 && !decided_alone(graph_, r)) total.add(leftovers_[r]);
  return total.value();
}

void Subgradient::remember(double dual) {
  if (dual >= least_dual_) return;
  least_dual_ = dual;
  least_rounding_ = 0;
  for (double each : roundings_) least_rounding_ += each;
  proof_ = multipliers_;
  settled_ = false;
}

void Subgradient::lower_bound(Solution& result) {
  if (settled_) return;
  settled_ = true;
  const double bound = least_dual_ + leftovers() + least_rounding_;
  if (bound >= result.bound) return;
  result.bound = bound;
  result.rounding = least_rounding_;
}

double Subgradient::average() {
  const std::span<const int32_t> variables = graph_.edge_variables();
  const std::span<const int8_t> evidence = graph_.evidence();
  for (int32_t r : variables)
    if (evidence[static_cast<size_t>(r)] < 0) means_[static_cast<size_t>(r)] = 0;
  for (size_t e = 0; e < variables.size(); ++e) {
    const size_t r = static_cast<size_t>(variables[e]);
    if (evidence[r] < 0) means_[r] += answers_[e];
  }
  double length = 0;
  for (size_t r = 0; r < means_.size(); ++r) {
    const double degree = graph_.degrees()[r];
    if (evidence[r] >= 0 || degree == 0) continue;
    means_[r] /= degree;
    length += degree * means_[r] * (1 - means_[r]);  // the sum over its edges of (z - u)^2, z being 0 or 1
  }
  return length;
}

// Without a feasible assignment yet, the scores that disagreement moves stand for the gap.
double Subgradient::first_step(double dual, double value, double length) const {
  if (value > impossible && dual > value) return (dual - value) / length;
  double stake = 0;
  for (size_t e = 0; e < answers_.size(); ++e) {
    const size_t r = static_cast<size_t>(graph_.edge_variables()[e]);
    if (graph_.evidence()[r] < 0) stake += std::fabs(shares_[r]) * std::fabs(answers_[e] - means_[r]);
  }
  return stake > 0 ? stake / length : scale_.unit;
}

// The best dual of a short run with a given first step; multipliers are put back.
double Subgradient::trial(double first_eta) {
  constexpr int rounds = 20;
  const std::vector<double> saved = multipliers_;
  double best = std::numeric_limits<double>::infinity(), previous = best;
  int increases = 0;
  for (int round = 0; round < rounds; ++round) {
    if (!maximize_factors(true)) break;
    const double length = average(), bound = dual();
    best = std::min(best, bound);
    if (length == 0) break;
    increases += bound > previous;
    previous = bound;
    move(first_eta / (1 + increases));
  }
  multipliers_ = saved;
  std::fill(moved_.begin(), moved_.end(), uint8_t{1});
  return best;
}

// Among the rule's first step and some longer ones, the one that lowers the dual most in a short run: steps that start too
// short shrink before they arrive anywhere.
double Subgradient::chosen_step(double rule) {
  double chosen = rule, lowest = std::numeric_limits<double>::infinity();
  for (const double factor : {1.0, 4.0, 16.0, 64.0})
    if (const double bound = trial(factor * rule); bound < lowest) lowest = bound, chosen = factor * rule;
  maximize_factors(true);
  average();
  return chosen;
}

void Subgradient::move(double eta) {
  const std::span<const int32_t> variables = graph_.edge_variables();
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const size_t first = graph_.first_edge(s), size = graph_.variables_of(s).size();
    for (size_t e = first; e < first + size; ++e) {
      const double disagreement = answers_[e] - means_[static_cast<size_t>(variables[e])];
      if (disagreement == 0) continue;
      multipliers_[e] -= eta * disagreement;
      moved_[s] = 1;
    }
  }
}

void Subgradient::accumulate(double eta) {
  for (size_t r = 0; r < means_.size(); ++r) sums_[r] += eta * means_[r];
  weight_ += eta;
}

void Subgradient::propose(Solution& result) {
  for (size_t r = 0; r < candidate_.size(); ++r)
    if (graph_.degrees()[r] == 0 && graph_.evidence()[r] < 0) candidate_[r] = value_alone(graph_, r);
  const double value = graph_.coupled_value(candidate_);
  if (value <= result.value) return;
  result.value = value;
  result.assignment = candidate_;
}

void Subgradient::propose_rounded(std::span<const double> posteriors, const SubgradientSettings& settings, Solution& result) {
  for (size_t r = 0; r < posteriors.size(); ++r) candidate_[r] = posteriors[r] >= 0.5;
  if (candidate_ != last_rounded_ || candidate_.empty()) {
    last_rounded_ = candidate_;
    propose(result);
  }
  if (settings.round && settings.round(posteriors, candidate_)) propose(result);
}

// Each factor answers by its own scores and the majority so far, which weighs several scores. Costs as much as an iteration, so
// it is done when the count of iterations is a power of two, and at the end.
void Subgradient::propose_sequential(Solution& result) {
  const double leaning = 8 * scale_.unit;
  edge_scores_.resize(graph_.edges());
  for (size_t e = 0; e < edge_scores_.size(); ++e) {
    const size_t r = static_cast<size_t>(graph_.edge_variables()[e]);
    const double majority = weight_ > 0 ? sums_[r] / weight_ : means_[r];
    edge_scores_[e] = decided_alone(graph_, r) ? 0.0 : shares_[r] + multipliers_[e] + leaning * (majority - 0.5);
  }
  if (rounding_.decode(edge_scores_, graph_.evidence(), candidate_)) propose(result);
}

void Subgradient::propose_all(const SubgradientSettings& settings, Solution& result) {
  propose_rounded(means_, settings, result);
  for (size_t s : complete_) {
    if (!fresh_[s]) continue;
    const std::span<const int32_t> touched = graph_.variables_of(s);
    for (size_t r = 0; r < means_.size(); ++r) candidate_[r] = means_[r] >= 0.5;  // evidence, and what no factor touches
    for (size_t i = 0; i < touched.size(); ++i) candidate_[static_cast<size_t>(touched[i])] = answers_[graph_.first_edge(s) + i];
    propose(result);
  }
  if (std::has_single_bit(static_cast<unsigned>(result.iterations))) propose_sequential(result);
}

// Meets the bound: nothing can be better. The bound is computed only where the least dual, which lies below it, is met.
bool Subgradient::proven(double tolerance, Solution& result) {
  if (result.value < least_dual_ - 2 * least_rounding_ - tolerance * scale_.spread) return false;
  lower_bound(result);
  return result.value >= result.bound - 2 * result.rounding - tolerance * scale_.spread;
}

Solution Subgradient::infeasible(int iteration) const {
  Solution result;
  result.status = Status::infeasible;
  result.bound = impossible;
  result.iterations = iteration;
  return result;
}

void Subgradient::finish(const SubgradientSettings& settings, bool agreed, Solution& result) {
  result.posteriors = means_;
  if (weight_ > 0 && !agreed && !proven(settings.tolerance, result)) {
    for (size_t r = 0; r < means_.size(); ++r) result.posteriors[r] = sums_[r] / weight_;
    propose_rounded(result.posteriors, settings, result);
    propose_sequential(result);
  }
  if (result.value == impossible || !(agreed || proven(settings.tolerance, result))) return;
  result.status = Status::optimal;
  if (agreed) result.bound = std::min(result.bound, result.value + result.rounding);
  result.posteriors.assign(result.assignment.begin(), result.assignment.end());
}

Solution Subgradient::solve(const SubgradientSettings& settings) {
  if (settings.step_rule == SubgradientRule::level && settings.step != 0)
    throw std::invalid_argument("the step rule 'level' chooses the first step itself: leave it 0");
  const Clock::time_point begin = Clock::now();
  Solution result;
  start();
  result.bound = least_dual_ = scale_.ceiling;
  double first_eta = settings.step, previous = std::numeric_limits<double>::infinity();
  int increases = 0;
  bool agreed = false;
  TargetLevel level(scale_.spread > 0 ? scale_.spread : scale_.unit);
  if (last_answer_.size() == graph_.variables()) {
    candidate_ = last_answer_;
    propose(result);
  }
  for (int iteration = 1; iteration <= settings.iterations; ++iteration) {
    if (asked_to(settings.stop)) break;
    if (!maximize_factors(settings.lazy)) return infeasible(iteration);
    result.iterations = iteration;
    const double length = average(), bound = dual();
    agreed = length == 0;
    increases += bound > previous;
    previous = bound;
    remember(bound);
    propose_all(settings, result);
    if (settings.trace)
      result.trace.push_back({iteration, since(begin), result.value + constant_, bound + constant_,
                              length / std::max(1.0, static_cast<double>(graph_.edges())), 0.0});
    if (settings.progress) lower_bound(result);
    tell(settings.progress, iteration, result.value + constant_, bound_with(constant_, result.bound));
    if (agreed || proven(settings.tolerance, result)) break;
    const bool by_level = settings.step_rule == SubgradientRule::level;
    if (!by_level && first_eta == 0) first_eta = chosen_step(first_step(bound, result.value, length));
    const double eta = by_level ? level.step(bound, length, result.value) : first_eta / (1 + increases);
    accumulate(eta);
    move(eta);
    if (since(begin) > settings.seconds) break;
  }
  lower_bound(result);
  finish(settings, agreed, result);
  if (result.value == impossible && Propagation(graph_).contradicts(settings.stop)) return infeasible(result.iterations);
  settle_bound(graph_, constant_, result);
  last_answer_ = result.assignment;
  if (result.status == Status::optimal && !agreed) multipliers_ = proof_;
  result.seconds = since(begin);
  return result;
}

}  // namespace accord::graph
