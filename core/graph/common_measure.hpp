// SPDX-License-Identifier: Apache-2.0
// The common measure of scores: where all of them are whole multiples of one number, so are their sums, and a search may stop one measure
// short of its best assignment.
#pragma once
#include <algorithm>
#include <cmath>

namespace accord::graph {

// The largest number of which all differences are whole multiples, as far as doubles can tell: Euclid's algorithm on numbers of which
// less than `least` is taken for zero. Multiples of 0.001 have one though no double is 0.001.
class CommonMeasure {
 public:
  static constexpr int coarsest = 34;  // powers of two between the measure and what is at stake, at most

  explicit CommonMeasure(double stake) : least_(std::ldexp(stake, -coarsest - 10)), smallest_(std::ldexp(stake, -24)) {}

  void see(double difference) {
    largest_ = std::max(largest_, difference);
    if (difference < least_ || measure_ < 0) return;
    double a = difference, b = measure_;
    while (b > least_) {
      double rest = std::fmod(a, b);
      if (b - rest < least_) rest = 0;
      a = b;
      b = rest;
    }
    measure_ = a > smallest_ ? a : -1;
  }
  // The measure, sharpened by the largest difference; 0: there is none.
  double measure() const { return measure_ > 0 ? largest_ / std::nearbyint(largest_ / measure_) : 0.0; }
  bool fits(double difference) const {
    const double step = measure();
    return std::fabs(difference - step * std::nearbyint(difference / step)) <= least_;
  }

 private:
  double least_, smallest_;
  double measure_ = 0, largest_ = 0;
};

}  // namespace accord::graph
