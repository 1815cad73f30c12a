// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lemmas/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <tuple>

#include "core/tasks/lemmas/inventory.hpp"
#include "core/tasks/lemmas/model.hpp"
#include "core/tasks/lemmas/scorer.hpp"

namespace accord::tasks {

namespace {

// What training changes: weights, and room to work in.
class CandidateLearner {
 public:
  CandidateLearner(const LemmaInventory& inventory, const LemmaRules& rules, const LemmatizerSettings& settings)
      : inventory_(inventory),
        rules_(rules),
        step_{learn::Step::adagrad, settings.rate, 0.0, 1e-2},
        weights_(text::TableKind::hash, settings.bits, 1) {}

  void update(const LemmaType& type) {
    features_.prepare(type.word());
    rules_.find(features_, candidates_);
    const size_t count = candidates_.size();
    if (count < 2) return;
    scores_.resize(count);
    right_.assign(count, false);
    double all = -INFINITY, good = -INFINITY;
    for (size_t c = 0; c < count; ++c) {
      LemmaCandidate& candidate = candidates_[c];
      right_[c] = candidate.lemma == type.lemma;
      candidate.known = inventory_.known_by_others(type, candidate.lemma);
      scores_[c] = weights_.sum(features_.keys(rules_.key(candidate.rule), candidate.lemma, candidate.known));
      all = log_add(all, scores_[c]);
      if (right_[c]) good = log_add(good, scores_[c]);
    }
    ++time_;
    if (std::isinf(good)) return;  // its rule is too rare to be a candidate
    for (size_t c = 0; c < count; ++c) {
      const double change = (right_[c] ? std::exp(scores_[c] - good) : 0.0) - std::exp(scores_[c] - all);
      if (std::fabs(change) < 1e-6) continue;
      for (const uint64_t key : features_.keys(rules_.key(candidates_[c].rule), candidates_[c].lemma, candidates_[c].known))
        weights_.add_gradient(key, 0, static_cast<float>(change));
    }
    weights_.step(step_, time_);
  }

  learn::FrozenWeights freeze() const { return weights_.freeze(true, time_, 2, 1); }

 private:
  static double log_add(double a, double b) {
    if (a < b) std::swap(a, b);
    return std::isinf(a) ? a : a + std::log1p(std::exp(b - a));
  }

  const LemmaInventory& inventory_;
  const LemmaRules& rules_;
  learn::StepSettings step_;
  learn::ParameterTable weights_;
  LemmaFeatures features_;
  std::vector<LemmaCandidate> candidates_;
  std::vector<double> scores_;
  std::vector<bool> right_;
  double time_ = 0;
};

}  // namespace

TrainedLemmatizer train_lemmatizer(const text::Document& document, const LemmatizerSettings& settings) {
  if (settings.epochs < 0 || settings.bits < 4 || settings.bits > 28 || !(settings.rate > 0))
    throw std::invalid_argument("lemmatizer: epochs at least 0, bits 4..28, rate above 0");
  const LemmaInventory inventory(document);
  TrainedLemmatizer trained;
  trained.rules = inventory.rules();
  trained.lexicon = inventory.lexicon();
  std::tie(trained.endings, trained.candidates) = inventory.endings();
  trained.known = inventory.known();

  const LemmaRules rules(trained.rules, trained.endings.view(), trained.candidates);
  CandidateLearner learner(inventory, rules, settings);
  std::vector<size_t> order(inventory.types().size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937_64 random(settings.seed);
  for (int epoch = 0; epoch < settings.epochs; ++epoch) {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    for (const size_t i : order) learner.update(inventory.types()[i]);
  }
  trained.weights = learner.freeze();
  return trained;
}

}  // namespace accord::tasks
