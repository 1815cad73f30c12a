// SPDX-License-Identifier: Apache-2.0
// Weight tables, update rules and dual training, on problems small enough to solve by other means.
#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

#include "core/learn/exponentiated_gradient.hpp"
#include "core/learn/rules.hpp"
#include "core/text/hash.hpp"
#include "tests/core/check.hpp"

using namespace accord::learn;
using accord::text::mix;
using accord::text::TableKind;

namespace {

// One of K classes, each with a few features: the smallest structure there is.
class Choice final : public Structure, public DualStructure {
 public:
  Choice(ParameterTable& table, std::vector<std::vector<uint64_t>> features, size_t gold)
      : table_(table),
        features_(std::move(features)),
        gold_(gold),
        scores_(features_.size()),
        answer_(features_.size()) {}

  void score() override { part_scores(scores_); }
  double maximize(double cost) override {
    size_t best = 0;
    std::fill(answer_.begin(), answer_.end(), 0.0);
    for (size_t k = 0; k < scores_.size(); ++k)
      if (augmented(k, cost) > augmented(best, cost)) best = k;
    answer_[best] = 1;
    return value_ = augmented(best, cost);
  }
  double expect(double cost) override {
    std::vector<double> theta(scores_.size());
    for (size_t k = 0; k < theta.size(); ++k) theta[k] = augmented(k, cost);
    return value_ = expectations(theta, answer_);
  }
  double gold_score() const override { return scores_[gold_]; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return 1 - answer_[gold_]; }
  void add_gradient(double scale) override {
    std::vector<double> coefficients(answer_.size());
    for (size_t k = 0; k < answer_.size(); ++k) coefficients[k] = scale * ((k == gold_) - answer_[k]);
    add_parts(coefficients);
  }

  size_t parts() const override { return features_.size(); }
  bool gold(size_t part) const override { return part == gold_; }
  void part_scores(std::span<double> scores) override {
    for (size_t k = 0; k < features_.size(); ++k) scores[k] = table_.sum(features_[k]);
  }
  double expectations(std::span<const double> theta, std::span<double> marginals) override {
    const double top = *std::max_element(theta.begin(), theta.end());
    double sum = 0;
    for (size_t k = 0; k < theta.size(); ++k) sum += marginals[k] = std::exp(theta[k] - top);
    for (double& value : marginals) value /= sum;
    return top + std::log(sum);
  }
  double maximum(std::span<const double> theta) override { return *std::max_element(theta.begin(), theta.end()); }
  void add_parts(std::span<const double> coefficients) override {
    for (size_t k = 0; k < coefficients.size(); ++k)
      for (uint64_t key : features_[k]) table_.add_gradient(key, 0, static_cast<float>(coefficients[k]));
  }

 private:
  double augmented(size_t k, double cost) const { return scores_[k] + (k == gold_ ? 0.0 : cost); }

  ParameterTable& table_;
  std::vector<std::vector<uint64_t>> features_;
  size_t gold_;
  std::vector<double> scores_, answer_;
  double value_ = 0;
};

std::vector<Choice> random_problem(ParameterTable& table, int instances, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Choice> problem;
  for (int i = 0; i < instances; ++i) {
    std::vector<std::vector<uint64_t>> features;
    for (int k = 0; k < 4; ++k) {
      std::vector<uint64_t> keys;
      for (int f = 0; f < 3; ++f) keys.push_back(mix(1 + random() % 12 + static_cast<uint64_t>(100 * k)));
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      features.push_back(keys);
    }
    problem.emplace_back(table, features, random() % 4);
  }
  return problem;
}

double regularised_log_loss(std::vector<Choice>& problem, const ParameterTable& table, double c) {
  double loss = table.norm_squared() / 2;
  for (Choice& choice : problem) {
    choice.score();
    loss += c * (choice.expect(0) - choice.gold_score());
  }
  return loss;
}

TEST("a table begins from the mean of others' averaged weights") {
  std::mt19937_64 random(5);
  ParameterTable first(TableKind::hash, 6, 2), second(TableKind::hash, 6, 2), mean(TableKind::hash, 6, 2);
  std::vector<uint64_t> keys;
  for (uint64_t row = 0; row < 64; ++row) keys.push_back(row << 58);
  const auto step = [&](ParameterTable& table, double time) {
    for (int i = 0; i < 20; ++i) table.add_gradients(std::span(keys).subspan(random() % 60, 4), static_cast<int>(random() % 2), 0.5f);
    table.step({Step::adagrad, 0.1}, time);
  };
  for (int time = 0; time < 5; ++time) step(first, time);
  for (int time = 0; time < 9; ++time) step(second, time);
  const ParameterTable* const both[] = {&first, &second};
  const double times[] = {5, 9};
  mean.start_from(both, times);
  const auto values = [](const FrozenWeights& frozen, size_t i) {
    int16_t value;
    std::memcpy(&value, frozen.values.data() + 2 * i, 2);
    return static_cast<double>(frozen.scale) * value;
  };
  const FrozenWeights a = first.freeze(true, 5, 2, 1), b = second.freeze(true, 9, 2, 1), c = mean.freeze(true, 0, 2, 1);
  for (size_t i = 0; i < 128; ++i) CHECK_NEAR(values(c, i), 0.5 * (values(a, i) + values(b, i)), 1e-3);
  ParameterTable larger(TableKind::hash, 7, 2);
  bool refused = false;
  try {
    larger.start_from(both, times);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

}  // namespace

TEST("averaged weights are the mean of the weights over updates") {
  ParameterTable table(TableKind::dictionary, 4, 2);
  const StepSettings settings;
  std::vector<double> sums(40, 0);
  std::mt19937 random(1);
  const int updates = 50;
  for (int t = 0; t < updates; ++t) {
    for (int k = 0; k < 3; ++k)
      table.add_gradient(mix(random() % 20 + 1), static_cast<int>(random() % 2), static_cast<float>(random() % 5) - 2);
    table.step(settings, t);
    for (int i = 0; i < 20; ++i)
      for (int c = 0; c < 2; ++c) {
        const int64_t row = table.find(mix(static_cast<uint64_t>(i) + 1));
        if (row >= 0) sums[static_cast<size_t>(2 * i + c)] += table.row(row)[c];
      }
  }
  const FrozenWeights frozen = table.freeze(true, updates, 2, 2);
  const accord::text::WeightTable<int16_t> read{TableKind::dictionary,
                                                frozen.bits,
                                                frozen.width,
                                                frozen.scale,
                                                {reinterpret_cast<const int16_t*>(frozen.values.data()), frozen.values.size() / 2},
                                                frozen.fingerprints};
  read.check();
  for (int i = 0; i < 20; ++i) {
    const int64_t row = read.row(mix(static_cast<uint64_t>(i) + 1));
    for (int c = 0; c < 2; ++c) {
      const double found = row < 0 ? 0 : read.values[static_cast<size_t>(row * 2 + c)] * static_cast<double>(frozen.scale);
      CHECK(std::fabs(found - sums[static_cast<size_t>(2 * i + c)] / updates) < 2 * static_cast<double>(frozen.scale) + 1e-4);
    }
  }
}

TEST("a large hash table and a dictionary that has grown give the same weights") {
  ParameterTable hash(TableKind::hash, 22, 1), dictionary(TableKind::dictionary, 4, 1);
  std::mt19937_64 random(5);
  std::vector<uint64_t> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(mix(random()));
  for (int t = 0; t < 40; ++t) {
    for (int k = 0; k < 30; ++k) {
      const uint64_t key = keys[random() % keys.size()];
      const float amount = static_cast<float>(random() % 7) - 3;
      hash.add_gradient(key, 0, amount);
      dictionary.add_gradient(key, 0, amount);
    }
    CHECK_NEAR(hash.gradient_norm_squared(), dictionary.gradient_norm_squared(), 1e-12);
    const StepSettings adagrad{Step::adagrad, 0.1, 0.01, 1e-2};
    hash.step(adagrad, t);
    dictionary.step(adagrad, t);
  }
  for (uint64_t key : keys) CHECK(hash.sum({&key, 1}) == dictionary.sum({&key, 1}));
  ParameterTable copy(TableKind::dictionary, 4, 1);
  copy.load(dictionary.save());
  for (uint64_t key : keys) CHECK(copy.sum({&key, 1}) == dictionary.sum({&key, 1}));
  bool refused = false;
  try {
    const std::vector<uint8_t> bytes = dictionary.save();
    copy.load(std::span(bytes).first(bytes.size() / 2));
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

TEST("where entries are supported, only they learn, also after a dictionary has grown") {
  for (const TableKind kind : {TableKind::hash, TableKind::dictionary}) {
    ParameterTable table(kind, kind == TableKind::hash ? 22 : 4, 2);
    std::mt19937_64 random(8);
    std::vector<uint64_t> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(mix(random()));
    for (size_t i = 0; i < 50; ++i) table.support(keys[i], static_cast<int>(i % 2));
    CHECK(table.supported() == 50);
    for (const uint64_t key : keys)
      for (int column = 0; column < 2; ++column) table.add_gradient(key, column, 1.0f);
    CHECK_NEAR(table.gradient_norm_squared(), 50.0, 1e-12);
    table.step({}, 0);
    for (size_t i = 0; i < keys.size(); ++i) {
      float sums[2] = {0, 0};
      table.sum_rows({&keys[i], 1}, sums);
      for (size_t column = 0; column < 2; ++column) CHECK(sums[column] == (i < 50 && column == i % 2 ? 1.0f : 0.0f));
    }
  }
}

TEST("lazy decay equals decay at every step") {
  ParameterTable lazy(TableKind::hash, 8, 1);
  const StepSettings settings{Step::plain, 0.1, 0.5, 1e-2};
  const uint64_t key = mix(9);
  lazy.add_gradient(key, 0, 1);
  lazy.step(settings, 0);
  lazy.settle(settings, 30);
  CHECK_NEAR(lazy.sum({&key, 1}), 0.1 * std::exp(-0.05 * 30), 1e-5);
}

TEST("every rule learns a separable problem") {
  for (const std::string name : {"perceptron", "mira", "svm", "crf", "softmax_margin", "automatic_crf", "automatic_softmax_margin"}) {
    ParameterTable table(TableKind::dictionary, 6, 1);
    std::vector<Choice> problem = random_problem(table, 10, 4);
    const bool unit = name == "perceptron" || name == "mira" || name.starts_with("automatic");
    Optimizer optimizer({&table}, unit ? StepSettings{} : StepSettings{Step::adagrad, 0.5, 0.0, 1e-2});
    const auto rule = make_rule(name, {1.0, 1.0});
    double mistakes = 1;
    for (int epoch = 0; epoch < 60; ++epoch) {
      for (Choice& choice : problem) {
        rule->infer(choice);
        Structure* one = &choice;
        rule->learn({&one, 1}, optimizer);
      }
    }
    mistakes = 0;
    for (Choice& choice : problem) {
      choice.score();
      choice.maximize(0);
      mistakes += choice.answer_loss();
    }
    CHECK(mistakes == 0);
  }
}

TEST("an uncapped passive-aggressive step ends with zero hinge") {
  ParameterTable table(TableKind::dictionary, 6, 1);
  std::vector<Choice> problem = random_problem(table, 1, 8);
  Optimizer optimizer({&table}, {});
  const auto rule = make_rule("mira", {1.0, 1e9});
  Structure* one = &problem[0];
  for (int step = 0; step < 4; ++step) {  // one step settles one rival; there are three
    rule->infer(problem[0]);
    rule->learn({&one, 1}, optimizer);
  }
  problem[0].score();
  CHECK(problem[0].maximize(1.0) - problem[0].gold_score() < 1e-5);
}

TEST("an automatic step is the loss over the squared gradient, up to the cap") {
  for (const double cap : {0.01, 1e9})
    for (const char* name : {"automatic_crf", "automatic_softmax_margin"}) {
      ParameterTable table(TableKind::dictionary, 6, 1), same(TableKind::dictionary, 6, 1);
      std::vector<Choice> problem = random_problem(table, 1, 3), other = random_problem(same, 1, 3);
      Optimizer optimizer({&table}, {}), expected({&same}, {});
      const auto rule = make_rule(name, {1.0, cap});
      Structure* one = &problem[0];
      rule->infer(problem[0]);
      const double loss = problem[0].answer_value() - problem[0].gold_score();
      rule->learn({&one, 1}, optimizer);
      other[0].score();
      other[0].expect(name == std::string("automatic_crf") ? 0.0 : 1.0);
      other[0].add_gradient(1.0);
      expected.apply(std::min(cap, loss / expected.gradient_norm_squared()));
      problem[0].score(), other[0].score();
      CHECK(loss > 0 && table.norm_squared() > 0);
      CHECK_NEAR(table.norm_squared(), same.norm_squared(), 1e-9);
      CHECK_NEAR(problem[0].gold_score(), other[0].gold_score(), 1e-6);
    }
}

TEST("the crf gradient is the derivative of the log loss") {
  ParameterTable table(TableKind::dictionary, 6, 1);
  std::vector<Choice> problem = random_problem(table, 1, 2);
  Optimizer optimizer({&table}, {});
  const double before = regularised_log_loss(problem, table, 1.0) - table.norm_squared() / 2;
  problem[0].add_gradient(1.0);
  const double slope = optimizer.gradient_norm_squared();
  const double step = 1e-3;
  optimizer.apply(step);
  const double after = regularised_log_loss(problem, table, 1.0) - table.norm_squared() / 2;
  CHECK(std::fabs((before - after) / step - slope) < 2e-2 * slope);
}

TEST("exponentiated gradient: the dual rises, the gap closes, and the log-linear optimum is that of gradient descent") {
  for (const bool margin : {true, false}) {
    ParameterTable table(TableKind::dictionary, 6, 1);
    std::vector<Choice> problem = random_problem(table, 12, 6);
    Optimizer optimizer({&table}, {});
    const double c = 0.5;
    ExponentiatedGradient trainer({margin, c, 9.0}, problem.size(), [&](size_t i) -> DualStructure& { return problem[i]; }, optimizer);
    trainer.start();
    DualStatistics statistics, last;
    for (int pass = 0; pass < 400; ++pass) {
      for (size_t i = 0; i < problem.size(); ++i) trainer.update(i);
      last = statistics;
      statistics = trainer.finish();
      CHECK(statistics.primal >= statistics.dual - 1e-4);
      if (pass > 100) CHECK(statistics.dual >= last.dual - 1e-4);
    }
    CHECK(statistics.primal - statistics.dual < (margin ? 0.02 : 1e-3) * (1 + std::fabs(statistics.primal)));
    if (margin) continue;

    ParameterTable plain(TableKind::dictionary, 6, 1);
    std::vector<Choice> same = random_problem(plain, 12, 6);
    Optimizer descent({&plain}, {Step::plain, 0.05, 0.0, 0.0});
    double loss = 0;
    for (int step = 0; step < 4000; ++step) {
      loss = regularised_log_loss(same, plain, c);
      for (Choice& choice : same) choice.add_gradient(c);
      descent.apply();
      ParameterTable& weights = plain;
      weights.settle({Step::plain, 0.05, 1.0, 0.0}, descent.time());  // the gradient of |w|^2 / 2
    }
    CHECK_NEAR(loss, statistics.primal, 1e-2);
  }
}
