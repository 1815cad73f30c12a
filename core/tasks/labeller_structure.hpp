// What learners see of one labelled sequence.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/learn/structure.hpp"
#include "core/tasks/labeller_features.hpp"

namespace accord::tasks {

// By layer: cost[gold * labels + label] of a label at a token.
using CostMatrices = std::vector<std::vector<double>>;

class LabellerStructure final : public learn::Structure {
 public:
  LabellerStructure(const LabellerTemplates& templates, std::unique_ptr<ChainLayout> layout, const CostMatrices& costs,
                    std::span<learn::ParameterTable* const> tables);

  // `labels`: layers interleaved. Both must live until the next call.
  void bind(std::span<const text::Token> tokens, std::span<const int> labels, const text::ClusterLexicon& clusters);

  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

 private:
  void assemble(double cost);

  std::unique_ptr<ChainLayout> layout_;
  const CostMatrices& costs_;
  std::vector<learn::ParameterTable*> tables_;
  LabellerFeatures features_;
  std::span<const int> gold_;
  size_t tokens_ = 0;
  BlockArrays scores_, difference_;  // difference: gold minus answer
  std::vector<double> scaled_costs_;
  std::vector<const double*> cost_rows_;
  std::vector<int> answer_;
  std::vector<float> sums_;
  double value_ = 0, gold_score_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
