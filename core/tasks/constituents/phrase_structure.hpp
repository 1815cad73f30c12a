// SPDX-License-Identifier: Apache-2.0
// What learners see of one sentence with its phrases, whatever the model's parts are: labelled spans, spines and adjunctions, words.
//
// A model lists the parts of a sentence, and says which parts an answer is made of. Loss: the costs of the parts that are wrong, and of
// the gold ones that are missing.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/learn/structure.hpp"

namespace accord::tasks {

// A structure of a sentence of the training data; what PhraseTrainer trains.
class SentenceStructure : public learn::Structure {
 public:
  // Reads a sentence of the training data. False: there is nothing to learn from it.
  virtual bool bind(size_t sentence) = 0;
};

class PhraseStructure : public SentenceStructure {
 public:
  void score() final;
  double maximize(double cost) final;
  double expect(double cost) final;
  double gold_score() const final { return gold_score_; }
  double answer_value() const final { return value_; }
  double answer_loss() const final { return loss_; }
  void add_gradient(double scale) final { add_features(difference_, scale); }

 protected:
  static constexpr double negligible = 1e-4;  // a part whose probability is off by less moves no weight

  // The parts of the sentence, and those of the gold answer, each once. For score().
  virtual void fill(std::vector<double>& scores, std::vector<size_t>& gold) = 0;
  // The parts of the best answer under these scores; returns its score.
  virtual double best(const std::vector<double>& scores, std::vector<size_t>& parts) = 0;
  // The probabilities of the parts; returns the logarithm of the sum over all answers.
  virtual double sums(const std::vector<double>& scores, std::vector<double>& probabilities) = 0;
  // Adds scale * sum over parts of amounts[part] * features of the part to the gradient of the parameters.
  virtual void add_features(std::span<const double> amounts, double scale) = 0;
  // What it costs to have a wrong part, or to miss a gold one.
  virtual double part_cost(size_t /*part*/) const { return 1.0; }

 private:
  const std::vector<double>& augmented(double cost);
  double gold_cost() const;

  std::vector<double> scores_, costly_, difference_;  // difference: gold minus answer
  std::vector<size_t> gold_, answer_;
  double value_ = 0, gold_score_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
