// SPDX-License-Identifier: Apache-2.0
// When the time of a sentence is over: all steps of its parse share it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace accord::tasks {

class Deadline {
 public:
  // seconds may be infinite.
  explicit Deadline(double seconds) : seconds_(seconds), start_(Clock::now()) {}

  double left() const {
    if (std::isinf(seconds_)) return std::numeric_limits<double>::infinity();
    return std::max(0.0, seconds_ - std::chrono::duration<double>(Clock::now() - start_).count());
  }
  // Whether no more than this share of the time is left.
  bool below(double share) const { return !std::isinf(seconds_) && left() <= share * seconds_; }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_;
  Clock::time_point start_;
};

}  // namespace accord::tasks
