// SPDX-License-Identifier: Apache-2.0
// Online update rules over Structures (max- and sum-oracles).
//
//   perceptron      w += f(gold) - f(argmax s)                                         Collins 2002
//   mira            cost-augmented argmax; step min(C, hinge / |df|^2)                  Crammer et al. 2006 (PA-I)
//   svm             the same hinge by subgradient steps with L2 decay
//   crf             w += rate * (f(gold) - E f)                                         log-linear
//   softmax_margin  crf with cost-augmented scores                                      Gimpel & Smith 2010
//
// The last three take plain (SGD) or AdaGrad steps. All weights are averaged over updates (FrozenWeights chooses).
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/learn/structure.hpp"

namespace accord::learn {

class Optimizer {
 public:
  Optimizer(std::vector<ParameterTable*> tables, StepSettings settings) : tables_(std::move(tables)), settings_(settings) {}

  double gradient_norm_squared() const;
  void clear_gradient();
  void apply(double scale = 1.0);  // one update with the gathered gradient times `scale`
  void skip() { time_ += 1; }      // an update that changes nothing still counts for the average
  void settle();
  double norm_squared() const;  // of the current weights
  double time() const { return time_; }
  void set_time(double time) { time_ = time; }
  const StepSettings& settings() const { return settings_; }
  void set_rate(double rate) { settings_.rate = rate; }

 private:
  std::vector<ParameterTable*> tables_;
  StepSettings settings_;
  double time_ = 0;
};

struct UpdateStatistics {
  double objective = 0;  // sum of the rule's losses
  double mistakes = 0;   // sum of losses of the answers
  double updates = 0;
};

class UpdateRule {
 public:
  virtual ~UpdateRule() = default;
  // Scores and runs the oracle; no parameter changes, so the structures of a batch can run in parallel.
  virtual void infer(Structure& structure) const = 0;
  // Updates from a batch that has been inferred.
  virtual UpdateStatistics learn(std::span<Structure* const> batch, Optimizer& optimizer) const = 0;
};

struct RuleSettings {
  double cost;            // weight of the loss in cost-augmented oracles
  double aggressiveness;  // mira: largest step C
};

// Throws std::invalid_argument for an unknown name.
std::unique_ptr<UpdateRule> make_rule(std::string_view name, const RuleSettings& settings);

}  // namespace accord::learn
