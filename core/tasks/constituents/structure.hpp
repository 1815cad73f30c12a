// SPDX-License-Identifier: Apache-2.0
// What learners see of one sentence with its constituents. Loss: labelled spans that are wrong, and gold ones that are missing.
#pragma once
#include <span>
#include <vector>

#include "core/constituents/span_space.hpp"
#include "core/learn/parameters.hpp"
#include "core/learn/structure.hpp"
#include "core/tasks/constituents/scorer.hpp"

namespace accord::tasks {

class ConstituentStructure final : public learn::Structure {
 public:
  ConstituentStructure(const SpanTemplates& templates, int labels, learn::ParameterTable& table)
      : labels_(labels),
        table_(table),
        features_(templates) {}

  // Both must live until the next call.
  void bind(std::span<const text::Token> tokens, std::span<const constituents::LabelledSpan> gold, const text::ClusterLexicon& clusters);

  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

 private:
  constituents::SpanScores view(const std::vector<double>& scores) const { return {scores.data(), words_, labels_}; }
  size_t at(const constituents::LabelledSpan& span) const {
    return constituents::span_index(words_, span.begin, span.end) * static_cast<size_t>(labels_) + static_cast<size_t>(span.label);
  }
  const std::vector<double>& augmented(double cost);
  void start_difference();

  int labels_;
  learn::ParameterTable& table_;
  SpanFeatures features_;
  constituents::SpanSpace space_;
  constituents::SpanRules rules_;  // none
  int words_ = 0;
  std::span<const constituents::LabelledSpan> gold_;
  std::vector<double> scores_, costly_, difference_;  // difference: gold minus answer
  std::vector<constituents::LabelledSpan> answer_;
  std::vector<float> sums_;
  double value_ = 0, gold_score_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
