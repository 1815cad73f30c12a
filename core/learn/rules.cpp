// SPDX-License-Identifier: Apache-2.0
#include "core/learn/rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace accord::learn {

double Optimizer::gradient_norm_squared() const {
  double sum = 0;
  for (const ParameterTable* table : tables_) sum += table->gradient_norm_squared();
  return sum;
}

void Optimizer::clear_gradient() {
  for (ParameterTable* table : tables_) table->clear_gradient();
}

void Optimizer::apply(double scale) {
  for (ParameterTable* table : tables_) {
    if (scale != 1.0) table->scale_gradient(scale);
    table->step(settings_, time_);
  }
  time_ += 1;
}

void Optimizer::settle() {
  for (ParameterTable* table : tables_) table->settle(settings_, time_);
}

double Optimizer::norm_squared() const {
  double sum = 0;
  for (const ParameterTable* table : tables_) sum += table->norm_squared();
  return sum;
}

namespace {

// perceptron and mira: one step per mistaken structure, its length decided by the structure itself.
class MistakeDriven final : public UpdateRule {
 public:
  MistakeDriven(double cost, double cap) : cost_(cost), cap_(cap) {}

  void infer(Structure& structure) const override {
    structure.score();
    structure.maximize(cost_);
  }

  UpdateStatistics learn(std::span<Structure* const> batch, Optimizer& optimizer) const override {
    UpdateStatistics statistics;
    for (Structure* structure : batch) {
      const double mistakes = structure->answer_loss();
      statistics.mistakes += mistakes;
      if (mistakes <= 0) {
        optimizer.skip();
        continue;
      }
      // Scores are those of inference: within a batch, earlier updates are not seen.
      const double hinge = structure->answer_value() - structure->gold_score();
      structure->add_gradient(1.0);
      const double norm = optimizer.gradient_norm_squared();
      const double length = cap_ <= 0 ? 1.0 : norm > 0 ? std::min(cap_, std::max(0.0, hinge) / norm) : 0.0;
      optimizer.apply(length);
      statistics.objective += std::max(0.0, hinge);
      statistics.updates += 1;
    }
    return statistics;
  }

 private:
  double cost_, cap_;  // no cap: steps of length one
};

// svm, crf, softmax_margin: the gradient of a convex loss, summed over the batch.
class GradientStep final : public UpdateRule {
 public:
  GradientStep(double cost, bool sums) : cost_(cost), sums_(sums) {}

  void infer(Structure& structure) const override {
    structure.score();
    sums_ ? structure.expect(cost_) : structure.maximize(cost_);
  }

  UpdateStatistics learn(std::span<Structure* const> batch, Optimizer& optimizer) const override {
    UpdateStatistics statistics;
    for (Structure* structure : batch) {
      statistics.objective += structure->answer_value() - structure->gold_score();
      statistics.mistakes += structure->answer_loss();
      structure->add_gradient(1.0);
    }
    optimizer.apply();
    statistics.updates += 1;
    return statistics;
  }

 private:
  double cost_;
  bool sums_;
};

// crf and softmax_margin with steps as long as each loss asks for, and no longer than a cap: of a loss L with gradient g, min(C, L /
// |g|^2), after which the linear bound of the loss is zero. For the hinge this is mira (Martins et al. 2010, Turbo parsers). Bethe's loss
// may be negative; then there is no step.
class AutomaticStep final : public UpdateRule {
 public:
  AutomaticStep(double cost, double cap) : cost_(cost), cap_(cap) {}

  void infer(Structure& structure) const override {
    structure.score();
    structure.expect(cost_);
  }

  UpdateStatistics learn(std::span<Structure* const> batch, Optimizer& optimizer) const override {
    UpdateStatistics statistics;
    for (Structure* structure : batch) {
      const double loss = std::max(0.0, structure->answer_value() - structure->gold_score());
      statistics.objective += loss;
      statistics.mistakes += structure->answer_loss();
      structure->add_gradient(1.0);
      const double norm = optimizer.gradient_norm_squared();
      optimizer.apply(norm > smallest_norm ? std::min(cap_, loss / norm) : 0.0);
      statistics.updates += 1;
    }
    return statistics;
  }

 private:
  static constexpr double smallest_norm = 1e-12;

  double cost_, cap_;
};

}  // namespace

std::unique_ptr<UpdateRule> make_rule(std::string_view name, const RuleSettings& settings) {
  if (name == "perceptron") return std::make_unique<MistakeDriven>(0.0, 0.0);
  if (name == "mira") return std::make_unique<MistakeDriven>(settings.cost, settings.aggressiveness);
  if (name == "svm") return std::make_unique<GradientStep>(settings.cost, false);
  if (name == "crf") return std::make_unique<GradientStep>(0.0, true);
  if (name == "softmax_margin") return std::make_unique<GradientStep>(settings.cost, true);
  if (name == "automatic_crf") return std::make_unique<AutomaticStep>(0.0, settings.aggressiveness);
  if (name == "automatic_softmax_margin") return std::make_unique<AutomaticStep>(settings.cost, settings.aggressiveness);
  throw std::invalid_argument("unknown update rule '" + std::string(name) + "'");
}

}  // namespace accord::learn
