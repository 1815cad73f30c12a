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
#include "core/learn/sparsity.hpp"
#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/parser/labels/label_structure.hpp"
#include "core/tasks/parser/part_structure.hpp"
#include "core/tasks/parser/settings.hpp"
#include "core/tasks/pruner/trainer.hpp"
#include "core/text/documents/document.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.parser declares them, with bounds and text.
struct TrainerSettings {
  std::string rule;  // perceptron, mira, svm, crf, softmax_margin, eg_margin, eg_crf
  text::TableKind table;
  int arc_bits, label_bits;
  double cost, label_cost;
  double aggressiveness;
  learn::StepSettings step;
  double dual_c;
  int batch;
  // Higher orders.
  int part_bits, pruner_bits, second_pruner_bits;
  double pruner_rate;
  int tree_label_bits, pair_bits;
  parses::DecoderSettings decoder;
  double sharpness;  // crf, softmax_margin
  Answers answers;
  bool unsupported;  // false: only features of gold trees have weights
  double prune;      // a dictionary leaves out rows whose largest weight is below this share of the largest
  bool partial;      // sentences with unknown heads or labels are trained on; never by dual rules

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

  // Higher orders: as core/tasks/pruner/trainer.hpp says.
  double learn_pruner(size_t pruner, int stage, std::span<const int64_t> order);
  // A stage of a pruner begins from the mean of other pruners' weights.
  void start_pruner(size_t pruner, int stage, std::span<const int64_t> others);
  // By how much gold heads score less than the best of their word; and what follows from it.
  std::vector<double> gold_margins(size_t pruner, std::span<const int64_t> instances, int threads) {
    check(instances);
    return pruners_.gold_margins(pruner, instances_, instances, threads);
  }
  void set_pruner_threshold(double threshold) { pruners_.set_threshold(threshold); }
  PruningStatistics prune(size_t pruner, std::span<const int64_t> instances, int threads);
  learn::FrozenWeights freeze_pruner(int stage) const { return pruners_.freeze(stage); }

  // The templates of arcs, labels and larger parts: what groups of features are made of.
  std::vector<text::TemplateName> cells() const;
  // Before the first update: weights of arcs, labels and larger parts are shrunk by groups of cells, or by rows or entries.
  void sparsify(const learn::SparsitySettings& settings);
  learn::Sparsity& sparsity();
  // Of each template of arcs, in the order of cells().
  std::vector<double> information_gain() const;
  // Before the first update: the only features of arcs (0), labels (1) or larger parts (2) that are to learn.
  void support(size_t table, std::span<const uint64_t> keys, std::span<const int32_t> columns);

  learn::UpdateStatistics update(std::span<const int64_t> order, int threads);
  learn::DualStatistics finish_pass();  // end of an epoch: pending decay; for dual rules primal, dual and rate

  learn::FrozenWeights freeze_arcs(bool average) const;
  learn::FrozenWeights freeze_labels(bool average) const;
  learn::FrozenWeights freeze_parts(bool average) const;
  learn::FrozenWeights freeze_tree_labels(bool average) const;
  learn::FrozenWeights freeze_label_pairs(bool average) const;

  std::vector<std::vector<uint8_t>> save() const;
  void load(const std::vector<std::vector<uint8_t>>& blocks);

 private:
  std::unique_ptr<ArcStructure> make_arc_structure();
  std::unique_ptr<PartStructure> make_part_structure();
  // The structure of a place in a batch, made on first use.
  ParseStructure& structure(size_t place);
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
  std::vector<std::unique_ptr<ParseStructure>> structures_;  // by place in a batch
  std::unique_ptr<ArcStructure> dual_structure_;
  PrunerTrainer pruners_;
  std::unique_ptr<LabelStructure> label_structure_;
  std::unique_ptr<learn::Sparsity> sparsity_;
};

}  // namespace accord::tasks
