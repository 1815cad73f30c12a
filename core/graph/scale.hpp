// SPDX-License-Identifier: Apache-2.0
// The scale of a graph's scores, and sums that keep their digits.
//
// Solvers have tolerances and step sizes. All of them are multiples of what is at stake in a graph, so that a graph with all scores
// multiplied by a number has the same answer, and so has a graph with a constant added:
//
//   spread   the width of the interval that holds the values of all assignments, by the simplest count: every score on or off,
//            every factor at its best or at its worst. A `gap` is a multiple of the spread.
//   unit     the size of one score: the mean absolute score of a variable, or a share of the width of a factor where variables
//            have next to no scores. Penalties and pushes are multiples of the unit.
//
// Only variables that are free and stand in some factor are at stake. The others are decided alone (by evidence, or by the sign
// of the score); their scores are a constant, which solvers add at the very end.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

struct Scale {
  double spread = 0;
  double unit = 1;
  double ceiling = std::numeric_limits<double>::infinity();  // no value exceeds it, by the same count and without the constant
};

Scale scale_of(const FactorGraph& graph);

// Whether a variable is decided without any solver; and its value then.
inline bool decided_alone(const FactorGraph& graph, size_t variable) {
  return graph.evidence()[variable] >= 0 || graph.degrees()[variable] == 0;
}

inline uint8_t value_alone(const FactorGraph& graph, size_t variable) {
  const int8_t evidence = graph.evidence()[variable];
  return evidence >= 0 ? static_cast<uint8_t>(evidence) : graph.scores()[variable] > 0;
}

// The graph's constant, and the scores of all variables that are decided alone.
double constant_of(const FactorGraph& graph);

// A sum of doubles with its rounding errors added up beside it (Knuth's two-sum): as good as one rounding at the end.
class CarefulSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    const double added = sum - sum_;
    lost_ += (sum_ - (sum - added)) + (term - added);
    sum_ = sum;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0, lost_ = 0;
};

// By how much the maximum of a factor may be off, where its scores and its maximum have these absolute values in all: a few
// roundings for each variable.
inline double rounding_of_maximum(size_t size, double magnitude) {
  return std::numeric_limits<double>::epsilon() * static_cast<double>(size + 64) * magnitude;
}

// A bound on values without a constant, as a bound on values with it.
inline double bound_with(double constant, double bound) {
  if (constant == 0 || !std::isfinite(bound)) return bound;
  return bound + constant + 2 * std::numeric_limits<double>::epsilon() * (std::fabs(bound) + std::fabs(constant));
}

}  // namespace accord::graph
