// SPDX-License-Identifier: Apache-2.0
// Steps of a subgradient method towards a level of the dual: Polyak's rule without the optimum that it asks for.
//
// Rule:   eta = 1.8 (dual - level) / |subgradient|^2, with level = best dual so far - gap, and never below the best value known.
//         When the dual has come down by half the gap, the level follows it; when the path walked since is longer than a limit
//         and it has not, the gap was too much to ask for and is halved. Brannlund (1993); Goffin & Kiwiel (1999).
// Start:  the gap is half of what lies between the best dual and the best value, and the limit twice the first step. When the
//         gap has become negligible all begins again from what lies between them by then, with twice the limit and half the
//         idea of what is negligible: a long way in short steps is gone at last, too.
// Limit:  the dual's infimum, which is the relaxation's value. Steps that only shrink may stop short of it.
#pragma once
#include <limits>

namespace accord::graph {

class TargetLevel {
 public:
  // `spread`: the size of what is at stake (scale.hpp), which says what is negligible.
  explicit TargetLevel(double spread) : spread_(spread) {}

  // The next step, for the dual as it stands, the squared length of its subgradient (not zero) and the best value known.
  double step(double dual, double length, double value);

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  void begin(double length, double value);

  double spread_;
  double best_ = infinite;       // dual
  double reference_ = infinite;  // the best dual when the level was set
  double gap_ = 0;
  double path_ = 0, longest_ = 0;  // walked since then, and the limit
  double patience_ = 2;            // the limit, in first steps
  double negligible_ = 1e-3;       // gap, relative to the spread
};

}  // namespace accord::graph
