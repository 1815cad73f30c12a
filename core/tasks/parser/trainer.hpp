// SPDX-License-Identifier: Apache-2.0
// Training of the parser: instances, weight tables and an update rule. One call trains on a list of sentence
// numbers with the interpreter lock released; the order of sentences, dev scores and stopping belong to the caller.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/learn/exponentiated_gradient.hpp"
#include "core/learn/rules.hpp"
#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/tasks/parser/part_structure.hpp"
#include "core/tasks/parser/tree_labeller.hpp"
#include "core/tasks/pruner/trainer.hpp"
#include "core/text/documents/document.hpp"

namespace accord::tasks {

struct TrainerSettings {
  std::string rule = "mira";  // perceptron, mira, svm, crf, softmax_margin, eg_margin, eg_crf
  text::TableKind table = text::TableKind::hash;
  int arc_bits = 22, label_bits = 18;
  double cost = 1.0, label_cost = 0.5;
  double aggressiveness = 0.01;
  learn::StepSettings step;
  double dual_c = 1.0;
  int batch = 1;
  // Higher orders.
  int part_bits = 22, pruner_bits = 20, second_pruner_bits = 20;
  double pruner_rate = 0.1;
  int tree_label_bits = 17, pair_bits = 19;
  parses::DecoderSettings decoder;
  double sharpness = 1;  // crf, softmax_margin
  Answers answers = Answers::trees;
  bool unsupported = true;  // false: only features of gold trees have weights
  bool partial = true;      // sentences with unknown heads or labels are trained on; never by dual rules

  bool dual() const { return rule == "eg_margin" || rule == "eg_crf"; }
};

class ParserTrainer {
 public:
  ParserTrainer(ParserSettings parser, TrainerSettings settings, std::vector<std::string> labels, text::ClusterLexicon clusters);

  // Sentences whose tree, complete or partial, is of the right kind (see read_tree); returns how many were left out.
  size_t add(const text::Document& document);
  size_t size() const { return instances_.size(); }
  size_t partial() const;  // how many sentences have unknown heads or labels
  size_t words(size_t instance) const { return instances_[instance].heads.size() - 1; }

  // Higher orders: as pruner_trainer.hpp says.
  double learn_pruner(size_t pruner, int stage, std::span<const int64_t> order);
  PruningStatistics prune(size_t pruner, std::span<const int64_t> instances, int threads);
  learn::FrozenWeights freeze_pruner(int stage) const { return pruners_.freeze(stage); }

  learn::UpdateStatistics update(std::span<const int64_t> order, int threads);
  learn::DualStatistics finish_pass();  // end of an epoch: pending decay; for dual rules primal, dual and rate
  void set_rate(double rate) { optimizer_.set_rate(rate); }

  learn::FrozenWeights freeze_arcs(bool average) const;
  learn::FrozenWeights freeze_labels(bool average) const;
  learn::FrozenWeights freeze_parts(bool average) const;
  learn::FrozenWeights freeze_tree_labels(bool average) const;
  learn::FrozenWeights freeze_label_pairs(bool average) const;

  std::vector<std::vector<uint8_t>> save() const;
  void load(const std::vector<std::vector<uint8_t>>& blocks);

 private:
  ArcStructure& workspace(size_t index);
  learn::Structure& bound(size_t index, const Instance& instance);
  void mark_supported();
  void check(std::span<const int64_t> order) const;
  // Of a partial tree: the best completion under the current weights.
  const std::vector<int32_t>& completed_heads(const Instance& instance);
  void update_tree_labels(std::span<const int64_t> order);
  void start_dual();
  learn::UpdateStatistics update_dual(std::span<const int64_t> order);

  ParserSettings parser_;
  TrainerSettings settings_;
  ParserTemplates templates_;
  LabelIds label_ids_;
  text::ClusterLexicon clusters_;
  learn::ParameterTable arcs_, labels_, parts_, tree_labels_, label_pairs_;
  learn::Optimizer optimizer_, label_optimizer_, tree_label_optimizer_;
  std::unique_ptr<learn::UpdateRule> rule_;
  std::unique_ptr<learn::ExponentiatedGradient> dual_;
  std::vector<Instance> instances_;
  std::vector<std::unique_ptr<ArcStructure>> workspaces_;
  std::vector<std::unique_ptr<PartStructure>> part_workspaces_;
  PrunerTrainer pruners_;
  std::unique_ptr<LabelStructure> tree_labeller_;
};

}  // namespace accord::tasks
