// SPDX-License-Identifier: Apache-2.0
// What learners see of one labelled sequence.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/learn/frequent_keys.hpp"
#include "core/learn/parameters.hpp"
#include "core/learn/structure.hpp"
#include "core/tasks/labeller/scorer.hpp"

namespace accord::tasks {

// By layer: cost[gold * labels + label] of a label at a token.
using CostMatrices = std::vector<std::vector<double>>;

class LabellerStructure final : public learn::Structure, public learn::DualStructure {
 public:
  // `frequent`: by block, the only keys whose features learn; empty: all. Must outlive this.
  LabellerStructure(const LabellerTemplates& templates, std::unique_ptr<ChainLayout> layout, const CostMatrices& costs,
                    std::span<learn::ParameterTable* const> tables, std::span<const learn::FrequentKeys> frequent);

  // `labels`: the layers of a token side by side. Both must live until the next call.
  void bind(std::span<const text::Token> tokens, std::span<const int> labels, const text::ClusterLexicon& clusters);

  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

  // Parts: the entries of all blocks, one after another.
  size_t parts() const override;
  bool gold(size_t part) const override { return gold_count(part) > 0; }
  double gold_count(size_t part) const override { return gold_parts_[part]; }
  double cost(size_t part) const override { return cost_parts_[part]; }
  void part_scores(std::span<double> scores) override;
  double expectations(std::span<const double> theta, std::span<double> marginals) override;
  double maximum(std::span<const double> theta) override;
  double argmax(std::span<const double> theta, std::span<double> chosen) override;
  void add_parts(std::span<const double> coefficients) override;

  // After bind(): what gold_count() and cost() tell.
  void prepare_parts();

 private:
  void assemble_parts(std::span<const double> theta);
  void add_block_gradient(const BlockArrays& values, double scale);
  void assemble(double cost);

  std::unique_ptr<ChainLayout> layout_;
  const CostMatrices& costs_;
  std::vector<learn::ParameterTable*> tables_;
  std::span<const learn::FrequentKeys> frequent_;
  LabellerFeatures features_;
  std::span<const int> gold_;
  size_t tokens_ = 0;
  BlockArrays scores_, difference_;  // difference: gold minus answer
  std::vector<double> scaled_costs_;
  std::vector<const double*> cost_rows_;
  std::vector<int> answer_;
  std::vector<float> sums_;
  std::vector<double> gold_parts_, cost_parts_;
  double value_ = 0, gold_score_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
