// SPDX-License-Identifier: Apache-2.0
// Labels of a complete tree as the learners see them (tree_labeller.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/learn/structure.hpp"
#include "core/tasks/parser/labels/tree_labeller.hpp"
#include "core/tasks/scores/instance.hpp"

namespace accord::tasks {

// Training: a sentence with its gold tree, labels being the question. Where some are unknown, the best labelling with those that are
// known stands for gold.
class LabelStructure final : public learn::Structure {
 public:
  LabelStructure(const ParserTemplates& templates, learn::ParameterTable& labels, learn::ParameterTable& pairs);

  void bind(const Instance& instance, const std::vector<int32_t>& heads);  // heads: a whole tree, size n+1
  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

 private:
  void complete_gold();
  void add_pairs(std::span<const uint64_t> keys, int gold, int gold_other, int answer, int answer_other, double scale);

  learn::ParameterTable& labels_;
  learn::ParameterTable& pairs_;
  TreeLabeller<learn::ParameterTable, learn::ParameterTable> labeller_;
  const Instance* instance_ = nullptr;
  std::vector<int32_t> heads_;
  std::vector<int32_t> gold_, answer_;  // numbers of candidates
  std::vector<double> own_;             // scores put aside
  double gold_score_ = 0, value_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
