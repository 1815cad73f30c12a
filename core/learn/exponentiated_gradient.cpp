#include "core/learn/exponentiated_gradient.hpp"

#include <cmath>
#include <limits>

namespace accord::learn {

ExponentiatedGradient::ExponentiatedGradient(DualSettings settings, size_t instances, Bind bind, Optimizer& optimizer)
    : settings_(settings), bind_(std::move(bind)), optimizer_(optimizer), rate_(settings.margin ? 1.0 / settings.c : 0.5),
      last_dual_(-std::numeric_limits<double>::infinity()), theta_(instances), duals_(instances) {}

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
      theta_[i][p] = std::isinf(scores_[p]) ? -std::numeric_limits<float>::infinity()
                                            : static_cast<float>(structure.gold(p) ? settings_.start : 0.0);
    load(i, structure);
    const double log_partition = structure.expectations(now_, after_);
    duals_[i] = instance_dual(structure, log_partition);
    for (size_t p = 0; p < parts; ++p) next_[p] = settings_.c * ((structure.gold(p) ? 1.0 : 0.0) - after_[p]);
    structure.add_parts(next_);
    optimizer_.apply();
  }
}

// With theta in now_ and its marginals in after_.
double ExponentiatedGradient::instance_dual(DualStructure& structure, double log_partition) const {
  double value = settings_.margin ? 0.0 : log_partition;
  for (size_t p = 0; p < after_.size(); ++p) {
    if (after_[p] == 0) continue;
    value += settings_.margin ? (structure.gold(p) ? 0.0 : after_[p]) : -after_[p] * now_[p];
  }
  return settings_.c * value;
}

void ExponentiatedGradient::update(size_t instance) {
  DualStructure& structure = bind_(instance);
  load(instance, structure);
  structure.part_scores(scores_);
  structure.expectations(now_, before_);
  for (size_t p = 0; p < now_.size(); ++p) {
    if (std::isinf(now_[p])) continue;
    now_[p] = settings_.margin ? now_[p] + rate_ * settings_.c * ((structure.gold(p) ? 0.0 : 1.0) + scores_[p])
                               : (1 - rate_) * now_[p] + rate_ * scores_[p];
  }
  const double log_partition = structure.expectations(now_, after_);
  for (size_t p = 0; p < now_.size(); ++p) next_[p] = settings_.c * (before_[p] - after_[p]);
  structure.add_parts(next_);
  optimizer_.apply();
  theta_[instance].assign(now_.begin(), now_.end());
  duals_[instance] = instance_dual(structure, log_partition);
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
  if (statistics.dual < last_dual_) rate_ *= 0.5;
  else if (!settings_.margin) rate_ = std::min(rate_ * 1.05, 1.0);
  last_dual_ = statistics.dual;
  statistics.rate = rate_;
  return statistics;
}

}  // namespace accord::learn
