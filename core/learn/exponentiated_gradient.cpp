// SPDX-License-Identifier: Apache-2.0
#include "core/learn/exponentiated_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accord::learn {

namespace {

constexpr int attempts = 12;        // halvings of a step before an instance is left as it is
constexpr double tolerance = 1e-6;  // of the single-precision weights behind the scores

}  // namespace

ExponentiatedGradient::ExponentiatedGradient(DualSettings settings, size_t instances, Bind bind, Optimizer& optimizer)
    : settings_(settings),
      bind_(std::move(bind)),
      optimizer_(optimizer),
      theta_(instances),
      rates_(instances, settings.margin ? 1.0 / settings.c : 0.5),
      duals_(instances) {}

void ExponentiatedGradient::load(size_t instance, DualStructure& structure) {
  const size_t parts = structure.parts();
  now_.assign(theta_[instance].begin(), theta_[instance].end());
  scores_.resize(parts);
  before_.resize(parts);
  after_.resize(parts);
  next_.resize(parts);
}

void ExponentiatedGradient::start() {
  for (size_t i = 0; i < theta_.size(); ++i) {
    DualStructure& structure = bind_(i);
    const size_t parts = structure.parts();
    scores_.resize(parts);
    structure.part_scores(scores_);  // for the parts that do not exist
    theta_[i].resize(parts);
    for (size_t p = 0; p < parts; ++p)
      theta_[i][p] =
          std::isinf(scores_[p]) ? -std::numeric_limits<float>::infinity() : static_cast<float>(structure.gold(p) ? settings_.start : 0.0);
    load(i, structure);
    const double log_partition = structure.expectations(now_, after_);
    duals_[i] = instance_dual(structure, now_, log_partition);
    for (size_t p = 0; p < parts; ++p) next_[p] = settings_.c * ((structure.gold(p) ? 1.0 : 0.0) - after_[p]);
    structure.add_parts(next_);
    optimizer_.apply();
  }
}

// With the marginals of theta in after_.
double ExponentiatedGradient::instance_dual(DualStructure& structure, std::span<const double> theta, double log_partition) const {
  double value = settings_.margin ? 0.0 : log_partition;
  for (size_t p = 0; p < after_.size(); ++p) {
    if (after_[p] == 0) continue;
    value += settings_.margin ? (structure.gold(p) ? 0.0 : after_[p]) : -after_[p] * theta[p];
  }
  return settings_.c * value;
}

void ExponentiatedGradient::update(size_t instance) {
  DualStructure& structure = bind_(instance);
  load(instance, structure);
  structure.part_scores(scores_);
  structure.expectations(now_, before_);
  coefficients_.resize(now_.size());
  double& rate = rates_[instance];
  for (int attempt = 0; attempt < attempts; ++attempt, rate *= 0.5) {
    for (size_t p = 0; p < now_.size(); ++p)
      next_[p] = std::isinf(now_[p]) ? now_[p]
                 : settings_.margin  ? now_[p] + rate * settings_.c * ((structure.gold(p) ? 0.0 : 1.0) + scores_[p])
                                     : (1 - rate) * now_[p] + rate * scores_[p];
    const double log_partition = structure.expectations(next_, after_);
    double along = 0;  // w . dw
    for (size_t p = 0; p < now_.size(); ++p) {
      coefficients_[p] = settings_.c * (before_[p] - after_[p]);
      if (coefficients_[p] != 0) along += coefficients_[p] * scores_[p];
    }
    structure.add_parts(coefficients_);
    const double dual = instance_dual(structure, next_, log_partition);
    const double gain = dual - duals_[instance] - along - optimizer_.gradient_norm_squared() / 2;
    if (gain < -tolerance * (1 + std::fabs(dual) + std::fabs(along))) {
      optimizer_.clear_gradient();
      continue;
    }
    optimizer_.apply();
    theta_[instance].assign(next_.begin(), next_.end());
    duals_[instance] = dual;
    rate *= 1.05;
    if (!settings_.margin) rate = std::min(rate, 1.0);
    return;
  }
}

double ExponentiatedGradient::instance_loss(DualStructure& structure) {
  const size_t parts = structure.parts();
  scores_.resize(parts);
  after_.resize(parts);
  structure.part_scores(scores_);
  double gold = 0;
  for (size_t p = 0; p < parts; ++p) {
    if (structure.gold(p)) gold += scores_[p];
    else if (settings_.margin) scores_[p] += 1;
  }
  return (settings_.margin ? structure.maximum(scores_) : structure.expectations(scores_, after_)) - gold;
}

DualStatistics ExponentiatedGradient::finish() {
  DualStatistics statistics;
  const double penalty = optimizer_.norm_squared() / 2;
  for (size_t i = 0; i < theta_.size(); ++i) {
    statistics.dual += duals_[i];
    statistics.primal += settings_.c * instance_loss(bind_(i));
  }
  statistics.dual -= penalty;
  statistics.primal += penalty;
  for (double rate : rates_) statistics.rate += rate / static_cast<double>(rates_.size());
  return statistics;
}

}  // namespace accord::learn
