// SPDX-License-Identifier: Apache-2.0
// A sentence with its gold tree as the learners see it: labelled arcs, scored by the weights being trained, searched over
// projective or non-projective trees. Labels are chosen per arc: max or sum over labels first, then the tree.
// Where the gold tree is partial, arc_structure_partial.cpp says what stands for it; dual rules need complete ones.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tasks/parser/settings.hpp"
#include "core/tasks/parser/structure.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

class ArcStructure final : public ParseStructure, public learn::DualStructure {
 public:
  ArcStructure(const ParserTemplates& templates, learn::ParameterTable& arcs, learn::ParameterTable& labels, LabelMode mode,
               double label_cost, bool projective, bool single_root);

  void bind(const Instance& instance) override;

  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

  size_t parts() const override { return size_ * size_; }
  bool gold(size_t part) const override;
  void part_scores(std::span<double> scores) override;
  double expectations(std::span<const double> theta, std::span<double> marginals) override;
  double maximum(std::span<const double> theta) override;
  void add_parts(std::span<const double> coefficients) override;

  // One step of a label classifier on the gold arcs (log loss): for learners that know arcs only.
  void add_label_gradient();

  void set_sharpness(double sharpness) override { sharpness_ = sharpness; }
  void support() override;
  const std::vector<int32_t>& completed_heads() override {
    infer_gold(false);
    return gold_heads_;
  }

 private:
  size_t at(size_t head, size_t dependent) const { return head * size_ + dependent; }
  std::span<float> labels_of(size_t head, size_t dependent);
  template <class LabelValue>
  void augment(double cost, LabelValue&& label_value);
  double best_label_value(size_t head, size_t dependent, double wrong);
  double summed_label_value(size_t head, size_t dependent, double wrong);
  void separate_labels(double cost, bool sums);
  void infer_gold(bool sums);
  double gold_share(size_t head, size_t dependent) const {
    if (instance_->partial) return gold_marginals_[at(head, dependent)];
    return instance_->allows(head, dependent) ? 1.0 : 0.0;
  }
  int gold_label(size_t dependent) const {
    const int32_t known = instance_->labels[dependent];
    return known >= 0 ? known : best_label_[at(static_cast<size_t>(gold_heads_[dependent]), dependent)];
  }
  void add_arc(int head, int dependent, double amount);
  void add_label(int head, int dependent, int label, double amount);

  learn::ParameterTable& arc_table_;
  learn::ParameterTable& label_table_;
  LinearArcScorer<learn::ParameterTable, learn::ParameterTable> scorer_;
  LabelMode mode_;
  double label_cost_, sharpness_ = 1;
  std::unique_ptr<trees::TreeSpace> space_;

  const Instance* instance_ = nullptr;
  size_t size_ = 0;                  // words + 1
  std::vector<double> arcs_;         // scores of arcs without labels
  std::vector<float> label_scores_;  // joint: [head][dependent][label]; separate: [dependent][label] on gold arcs
  std::vector<double> augmented_, marginals_;
  std::vector<int32_t> answer_heads_, answer_labels_, best_label_;
  std::vector<int32_t> gold_heads_;      // after maximize(); those that are unknown filled in
  std::vector<double> gold_marginals_;   // after expect(), partial trees only: over agreeing trees
  std::vector<float> label_posteriors_;  // separate, sums: [dependent][label]
  bool sums_ = false;                    // the answer is an expectation
  double cost_ = 0, gold_score_ = 0, value_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
