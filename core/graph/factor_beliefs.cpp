#include "core/graph/factor_beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accord::graph {

namespace {

constexpr double disobedience = 1e-10;  // probability against a fixed variable that rounding may leave
constexpr double growth = 4;

// Probabilities of 0 and 1, and those that rounding has pushed beyond, get the odds of the nearest number inside.
double log_odds(double probability) {
  const double inside = std::clamp(probability, std::numeric_limits<double>::min(), 1 - 0x1p-53);
  return std::log(inside) - std::log1p(-inside);
}

}  // namespace

size_t FactorBeliefs::push(double strength) {
  size_t up = 0;
  for (size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i] >= 0) scores_[i] = fixed_[i] ? strength : -strength;
    up += fixed_[i] == 1;
  }
  return up;
}

bool FactorBeliefs::obeyed() const {
  for (size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i] < 0) continue;
    if (maximum_ && !((fixed_[i] ? one_[i] - zero_[i] : zero_[i] - one_[i]) > strength_ / 2)) return false;
    if (!maximum_ && std::fabs(one_[i] - fixed_[i]) > disobedience) return false;
  }
  return true;
}

bool FactorBeliefs::evaluate(Factor& factor, std::span<const double> cavities, double& strength) {
  const double strongest = maximum_ ? 0x1p80 : 0x1p16;
  scores_.assign(cavities.begin(), cavities.end());
  fixed_.resize(cavities.size());
  for (size_t i = 0; i < cavities.size(); ++i) fixed_[i] = std::isinf(cavities[i]) ? cavities[i] > 0 : -1;
  one_.resize(cavities.size());
  zero_.resize(cavities.size());
  for (;; strength *= growth) {
    strength_ = strength;
    const size_t up = push(strength);
    log_sum_ = maximum_ ? factor.max_marginals(scores_, zero_, one_) : factor.marginals(scores_, one_);
    if (log_sum_ == impossible) return false;
    log_sum_ -= static_cast<double>(up) * strength;
    if (obeyed()) return true;
    if (strength >= strongest) return conditioned_.possible(factor, fixed_);
  }
}

double FactorBeliefs::odds(size_t i) const { return maximum_ ? one_[i] - zero_[i] : log_odds(one_[i]); }

double FactorBeliefs::rounding(double odds) const {
  return maximum_ ? 0.0 : 0x1p-50 * std::exp(std::min(std::fabs(odds), 37.0));
}

bool FactorBeliefs::decisive(double odds, double message) const {
  return maximum_ ? std::fabs(odds) >= strength_ / 4 : std::fabs(message) >= certain;
}

double FactorBeliefs::refine(Factor& factor, size_t i, double guess) {
  probe_scores_ = scores_;
  probe_.resize(scores_.size());
  for (double low = -certain, high = certain; low < high; guess = (low + high) / 2) {
    guess = std::clamp(guess, low, high);
    probe_scores_[i] = -guess;
    factor.marginals(probe_scores_, probe_);
    const double odds = log_odds(probe_[i]);
    if (std::fabs(odds) <= saturated) return std::clamp(guess + odds, -certain, certain);
    (odds > 0 ? low : high) = guess + std::copysign(saturated, odds);
  }
  return std::clamp(guess, -certain, certain);
}

bool FactorBeliefs::allows(Factor& factor, size_t i, int8_t value) {
  const int8_t before = fixed_[i];
  fixed_[i] = value;
  const bool allowed = conditioned_.possible(factor, fixed_);
  fixed_[i] = before;
  return allowed;
}

}  // namespace accord::graph
