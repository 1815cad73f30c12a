// SPDX-License-Identifier: Apache-2.0
// What a learner needs to know of a training instance: oracles over its structures, never words, tags or trees.
//
// A Structure is one instance's gold answer plus the scores of its parts under the current weights. Every update rule is
// written against these calls alone, so a new task gets all learners by implementing them.
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>

namespace accord::learn {

class Structure {
 public:
  virtual ~Structure() = default;

  // Part scores under the current weights. Reads parameters only: distinct structures may run in parallel.
  virtual void score() = 0;

  // answer := argmax of score + cost * loss against gold; returns that maximum.
  virtual double maximize(double cost) = 0;

  // answer := expectation under p(y) ~ exp(score + cost * loss); returns the log-partition function.
  virtual double expect(double cost) = 0;

  virtual double gold_score() const = 0;

  // What the last maximize() or expect() returned.
  virtual double answer_value() const = 0;

  // Loss of the current answer against gold (expected loss after expect()).
  virtual double answer_loss() const = 0;

  // Adds scale * (features of gold - features of answer) to the gradient of the parameters.
  virtual void add_gradient(double scale) = 0;
};

// For dual methods: the same instance seen as a vector of parts.
class DualStructure {
 public:
  virtual ~DualStructure() = default;
  virtual size_t parts() const = 0;
  virtual bool gold(size_t part) const = 0;
  // Part scores w . f under the current weights; parts that do not exist score -infinity.
  virtual void part_scores(std::span<double> scores) = 0;
  // Part marginals of p(y) ~ exp(sum of theta); returns the log-partition function.
  virtual double expectations(std::span<const double> theta, std::span<double> marginals) = 0;
  virtual double maximum(std::span<const double> theta) = 0;
  // The parts of the best structure as counts; returns its value. Only methods that ask for structures need it.
  virtual double argmax(std::span<const double> /*theta*/, std::span<double> /*chosen*/) {
    throw std::logic_error("this structure offers no argmax over parts");
  }
  // How often the gold structure has a part: more than once where parts stand for several places that share their features.
  virtual double gold_count(size_t part) const { return gold(part) ? 1.0 : 0.0; }
  // What choosing a part costs; the cost of a structure is the sum over its parts.
  virtual double cost(size_t part) const { return gold(part) ? 0.0 : 1.0; }
  // Adds the sum of coefficient * features to the gradient.
  virtual void add_parts(std::span<const double> coefficients) = 0;
};

}  // namespace accord::learn
