// SPDX-License-Identifier: Apache-2.0
// A sentence with its gold tree as the learners see it, with parts of several arcs over the arcs that a pruner left. Of a partial
// tree, the best completion under the current weights stands for gold.
//
// The answers that the learners see may come from a larger set than trees, in which to search is cheaper, or which is what the
// relaxation in parsing really solves:
//   trees    the decoder's tree
//   heads    every head's best modifiers by themselves (head_search.hpp); Koo et al. (2010)
//   relaxed  AD3's solution, fractional where it is; Martins, Smith & Xing (2009)
// A wrong arc that is there and a right one that is missing cost a half each, so that a tree's cost is its number of wrong heads.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parses/decoders/head_search.hpp"
#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/tasks/parser/settings.hpp"
#include "core/tasks/parser/structure.hpp"
#include "core/tasks/scores/part_scorer.hpp"

namespace accord::tasks {

enum class Answers { trees, heads, relaxed };

// Throws std::invalid_argument for an unknown name.
Answers parse_answers(std::string_view name);

struct PartTables {
  learn::ParameterTable& arcs;
  learn::ParameterTable& labels;
  learn::ParameterTable& parts;
};

class PartStructure final : public ParseStructure {
 public:
  PartStructure(const ParserTemplates& templates, PartTables tables, const parses::PartFamilies& families, LabelMode mode,
                double label_cost, bool projective, bool single_root, parses::DecoderSettings decoder, Answers answers = Answers::trees,
                double nonlocal_scale = 1.0);

  // The instance's candidates contain its gold arcs; of a partial tree, those of some tree that agrees with it.
  void bind(const Instance& instance) override;

  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

  void set_sharpness(double sharpness) override { sharpness_ = sharpness; }
  void support() override;
  const std::vector<int32_t>& completed_heads() override { return gold_; }

 private:
  std::span<float> labels_of(int arc) {
    const auto width = static_cast<size_t>(tables_.labels.width());
    return std::span(label_scores_).subspan(static_cast<size_t>(arc) * width, width);
  }
  bool allows(int arc) const {
    return instance_->allows(static_cast<size_t>(layout_.head(arc)), static_cast<size_t>(layout_.dependent(arc)));
  }
  bool labelled(int arc) const { return allows(arc) && instance_->labelled(static_cast<size_t>(layout_.dependent(arc))); }
  bool known_head(int arc) const { return instance_->heads[static_cast<size_t>(layout_.dependent(arc))] >= 0; }
  bool gold_arc(int arc) const { return gold_[static_cast<size_t>(layout_.dependent(arc))] == layout_.head(arc); }
  int known_label(int arc) const { return instance_->labels[static_cast<size_t>(layout_.dependent(arc))]; }
  double gold_label_score(int arc);
  void build(std::span<const parses::CandidateArc> arcs, parses::PartLayout& layout);
  void complete_gold();
  void add_parts(double scale);
  void add_gold_minus_posteriors(double scale);
  double add_label_cost(int arc, double cost);  // to the label scores of a gold arc; returns the log of their sum
  void add_expected_gradient(double scale);
  double maximize_values(double cost, double label_value);
  void add_value_gradient(double scale);

  std::span<const text::Pattern> patterns_;
  PartTables tables_;
  parses::PartFamilies families_;
  LabelMode mode_;
  double label_cost_, sharpness_ = 1;
  parses::DecoderSettings settings_;
  Answers answers_;
  parses::HeadSearch head_search_;
  LinearPartScorer<learn::ParameterTable, learn::ParameterTable> scorer_;
  std::array<int, parses::part_kinds> first_templates_;  // by part, among the templates of all larger parts
  parses::PartDecoder decoder_;
  parses::PartSums sums_;
  parses::PartLayout layout_, agreeing_;  // all candidates; of a partial tree, those that agree with it

  const Instance* instance_ = nullptr;
  std::vector<double> scores_, augmented_;  // by slot, labels not included; labels and costs included
  std::vector<float> label_scores_;         // [arc][label]
  std::vector<int32_t> best_label_;         // by arc, under the costs
  std::vector<int32_t> answer_, gold_;      // heads
  std::vector<parses::CandidateArc> agreeing_arcs_;
  std::vector<double> agreeing_scores_;
  std::vector<size_t> gold_slots_, answer_slots_;
  std::vector<double> coefficients_;  // by slot: gold minus answer
  std::vector<double> posteriors_;    // by slot: expectations, or the values of an answer that is no tree
  double gold_score_ = 0, value_ = 0, loss_ = 0;
  bool expected_ = false;  // the answer is an expectation
};

}  // namespace accord::tasks
