// What one factor believes of its variables, given what the rest of the graph says of them.
//
// Set:    configurations v of a factor, weighted by exp(own(v) + in . v). A cavity in(i) of +-infinity fixes v_i to 1 or 0.
// Gives:  log-odds of each free variable, log P(v_i = 1) - log P(v_i = 0), or the same of best values (max-product); a message
//         is the odds less the cavity.
//
// Factors know nothing of infinity: a fixed variable is pushed by a finite strength, which grows until the answer obeys.
// Probabilities near 0 or 1 have lost their odds. A message does not depend on the variable's own cavity, so `refine` asks again
// with another cavity, found by bisection, that brings the probability back to the middle.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor.hpp"

namespace accord::graph {

class FactorBeliefs {
 public:
  static constexpr double saturated = 14;  // odds beyond +-this come from probabilities that no longer hold them to 1e-9
  static constexpr double certain = 1000;  // a sum-product message beyond this is as good as infinite

  void start(bool maximum) { maximum_ = maximum; }

  // Evaluates a factor; the strength is remembered by the caller, from one evaluation of the factor to the next. False when
  // the factor allows nothing that agrees with the fixed variables.
  bool evaluate(Factor& factor, std::span<const double> cavities, double& strength);

  // Of the last evaluation: log of the sum of weights (or the best value) of the configurations that agree, without the
  // cavities of fixed variables; odds of a free variable.
  double log_sum() const { return log_sum_; }
  double odds(size_t i) const;
  // How far the rounding of probabilities may move odds.
  double rounding(double odds) const;
  // Whether odds and message are so strong that one should ask if the factor allows anything else.
  bool decisive(double odds, double message) const;
  // The message to i, whatever the probabilities; sum-product. `guess`: a message to start from. Within +-certain.
  double refine(Factor& factor, size_t i, double guess);
  // Whether the factor allows v_i = value along with what the cavities fix.
  bool allows(Factor& factor, size_t i, int8_t value);

 private:
  size_t push(double strength);  // returns how many are pushed up
  bool obeyed() const;

  bool maximum_ = false;
  double log_sum_ = 0;
  double strength_ = 0;
  Conditioned conditioned_;
  std::vector<int8_t> fixed_;
  std::vector<double> scores_;
  std::vector<double> one_, zero_;  // marginals (zero_ unused), or best values
  std::vector<double> probe_scores_, probe_;
};

}  // namespace accord::graph
