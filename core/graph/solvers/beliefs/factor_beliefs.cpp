// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/beliefs/factor_beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include "core/graph/log_domain.hpp"

namespace accord::graph {

namespace {

constexpr double lowest = -650;      // below, probabilities lose digits to the end of their range
constexpr double highest = 14;       // above, 1 - probability holds the odds to less than 1e-9
constexpr double obedient = 23;      // odds for a fixed variable: 1e-10 may go against it
constexpr double strengthening = 4;  // of strengths that do not suffice

}  // namespace

size_t FactorBeliefs::push(double strength) {
  size_t up = 0;
  for (size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i] >= 0) scores_[i] = fixed_[i] ? strength : -strength;
    up += fixed_[i] == 1;
  }
  return up;
}

double FactorBeliefs::weigh_sum(Factor& factor) {
  Negated* const negated = dynamic_cast<Negated*>(&factor);
  double constant = 0;
  reflected_ = scores_;
  for (size_t i = 0; negated && i < scores_.size(); ++i) {
    if (!negated->mask()[i]) continue;
    reflected_[i] = -scores_[i];
    constant += scores_[i];
  }
  const double log_sum = negated ? negated->inner().marginals(reflected_, one_) + constant : factor.marginals(reflected_, one_);
  for (size_t i = 0; i < scores_.size(); ++i) {
    const double odds = log_odds(one_[i]);
    reliable_[i] = odds > lowest && odds < highest;
    odds_[i] = negated && negated->mask()[i] ? -odds : odds;
  }
  return log_sum;
}

double FactorBeliefs::weigh_maximum(Factor& factor) {
  const double best = factor.max_marginals(scores_, zero_, one_);
  for (size_t i = 0; i < scores_.size(); ++i) odds_[i] = one_[i] - zero_[i];
  std::fill(reliable_.begin(), reliable_.end(), uint8_t{1});
  return best;
}

double FactorBeliefs::weigh(Factor& factor) { return maximum_ ? weigh_maximum(factor) : weigh_sum(factor); }

bool FactorBeliefs::obeyed() const {
  const double enough = maximum_ ? strength_ / 2 : obedient;
  for (size_t i = 0; i < fixed_.size(); ++i)
    if (fixed_[i] >= 0 && !((fixed_[i] ? odds_[i] : -odds_[i]) > enough)) return false;
  return true;
}

bool FactorBeliefs::evaluate(Factor& factor, std::span<const double> cavities, double& strength) {
  questions_ = 0;
  const size_t size = cavities.size();
  scores_.assign(cavities.begin(), cavities.end());
  fixed_.resize(size);
  for (size_t i = 0; i < size; ++i) fixed_[i] = std::isinf(cavities[i]) ? cavities[i] > 0 : -1;
  one_.resize(size);
  zero_.resize(size);
  odds_.resize(size);
  reliable_.resize(size);
  for (;; strength *= strengthening) {
    strength_ = strength;
    const size_t up = push(strength);
    log_sum_ = weigh(factor);
    if (log_sum_ == impossible) return false;
    log_sum_ -= static_cast<double>(up) * strength;
    if (obeyed()) return true;
    if (strength >= strongest_) return conditioned_.possible(factor, fixed_);
  }
}

bool FactorBeliefs::decisive(double odds, double message) const {
  return maximum_ ? std::fabs(odds) >= strength_ / 4 : std::fabs(message) >= certain;
}

double FactorBeliefs::refine(Factor& factor, size_t i, double guess) {
  const double cavity = scores_[i];
  kept_odds_ = odds_;  // of the evaluation: other variables are still to be answered from it
  kept_reliable_ = reliable_;
  double low = -certain, high = certain;
  while (low < high) {
    guess = std::clamp(guess, low, high);
    scores_[i] = -guess;
    weigh(factor);
    ++questions_;
    if (reliable_[i]) {
      low = high = guess + odds_[i];
      break;
    }
    (odds_[i] > 0 ? low : high) = guess + std::copysign(highest, odds_[i]);
    guess = (low + high) / 2;
  }
  scores_[i] = cavity;
  odds_.swap(kept_odds_);
  reliable_.swap(kept_reliable_);
  return std::clamp((low + high) / 2, -certain, certain);
}

bool FactorBeliefs::allows(Factor& factor, size_t i, int8_t value) {
  const int8_t before = fixed_[i];
  fixed_[i] = value;
  const bool allowed = conditioned_.possible(factor, fixed_);
  fixed_[i] = before;
  return allowed;
}

}  // namespace accord::graph
