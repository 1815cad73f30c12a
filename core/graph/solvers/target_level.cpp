// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/target_level.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

constexpr double relaxation = 1.8;  // below 2

}  // namespace

void TargetLevel::begin(double length, double value) {
  const double proven = value > -infinite ? best_ - value : spread_;
  gap_ = std::max(proven / 2, 2 * negligible_ * spread_);
  reference_ = best_;
  path_ = 0;
  longest_ = patience_ * gap_ / std::sqrt(length);
}

double TargetLevel::step(double dual, double length, double value) {
  best_ = std::min(best_, dual);
  if (reference_ == infinite) {
    begin(length, value);
  } else if (best_ <= reference_ - gap_ / 2) {
    reference_ = best_;
    path_ = 0;
  } else if (path_ > longest_) {
    gap_ /= 2;
    reference_ = best_;
    path_ = 0;
    if (gap_ < negligible_ * spread_) {
      negligible_ /= 2;
      patience_ *= 2;
      begin(length, value);
    }
  }
  const double level = std::max(reference_ - gap_, value);
  const double eta = relaxation * std::max(0.0, dual - level) / length;
  path_ += eta * std::sqrt(length);
  return eta;
}

}  // namespace accord::graph
