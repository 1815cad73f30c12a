// SPDX-License-Identifier: Apache-2.0
// What one factor believes of its variables, given what the rest of the graph says of them.
//
// Set:    configurations v of a factor, weighted by exp(own(v) + in . v). A cavity in(i) of +-infinity fixes v_i to 1 or 0.
// Gives:  log-odds of each free variable, log P(v_i = 1) - log P(v_i = 0), or the same of best values (max-product); a message
//         is the odds less the cavity.
//
// Factors know nothing of infinity: a fixed variable is pushed by a finite strength, which grows until the answer obeys.
//
// Small probabilities keep their odds, those near 1 have lost them. A message does not depend on the variable's own cavity, so
// `refine` asks again with another cavity, found by bisection, that brings the probability back to where odds survive. Negated
// factors are asked through their inner factor: 1 - p would make small probabilities of large ones. Where many variables of a factor
// are to be refined, some of them wait for the next sweep.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor.hpp"
#include "core/graph/negated.hpp"

namespace accord::graph {

class FactorBeliefs {
 public:
  static constexpr double certain = 1000;  // a sum-product message beyond this is as good as infinite
  static constexpr int most_questions = 16;

  // `strongest`: by which a fixed variable is pushed at most.
  void start(bool maximum, double strongest) { maximum_ = maximum, strongest_ = strongest; }

  // Evaluates a factor; the strength is remembered by the caller, from one evaluation of the factor to the next. False when
  // the factor allows nothing that agrees with the fixed variables.
  bool evaluate(Factor& factor, std::span<const double> cavities, double& strength);

  // Of the last evaluation: log of the sum of weights (or the best value) of the configurations that agree, without the
  // cavities of fixed variables; odds of a free variable; whether they survived in its probability.
  double log_sum() const { return log_sum_; }
  double odds(size_t i) const { return odds_[i]; }
  bool reliable(size_t i) const { return reliable_[i]; }
  // How far rounding, of probabilities or of values that hold a push, may move reliable odds.
  double rounding() const { return maximum_ ? 0x1p-50 * (strength_ + 4 * std::fabs(log_sum_)) : 1e-9; }
  // Whether odds and message are so strong that one should ask if the factor allows anything else.
  bool decisive(double odds, double message) const;
  // Each refinement asks the factor several times, so that one evaluation can afford a limited number of questions.
  bool may_refine() const { return questions_ < most_questions; }
  // The message to i whatever its probability; sum-product. `guess`: a message to start from. Within +-certain.
  double refine(Factor& factor, size_t i, double guess);
  // Whether the factor allows v_i = value along with what the cavities fix.
  bool allows(Factor& factor, size_t i, int8_t value);

 private:
  size_t push(double strength);  // returns how many are pushed up
  double weigh(Factor& factor);  // scores_ to odds_ and reliable_; returns the log of the sum, or the maximum
  double weigh_sum(Factor& factor);
  double weigh_maximum(Factor& factor);
  bool obeyed() const;

  bool maximum_ = false;
  int questions_ = 0;  // of refinements since the last evaluation
  double strongest_ = 0;
  double log_sum_ = 0;
  double strength_ = 0;
  Conditioned conditioned_;
  std::vector<int8_t> fixed_;
  std::vector<double> scores_, reflected_;
  std::vector<double> one_, zero_;  // probabilities (zero_ unused), or best values
  std::vector<double> odds_, kept_odds_;
  std::vector<uint8_t> reliable_, kept_reliable_;
};

}  // namespace accord::graph
