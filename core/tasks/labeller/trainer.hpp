// SPDX-License-Identifier: Apache-2.0
// Online training of a sequence labeller: any learn::UpdateRule over LabellerStructures, or steps in the dual ("m3n", "smo").
// Sequences of a batch are inferred in parallel and applied in order, so threads change nothing.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/learn/frank_wolfe.hpp"
#include "core/learn/frequent_keys.hpp"
#include "core/learn/rules.hpp"
#include "core/learn/sparsity.hpp"
#include "core/tasks/labeller/model.hpp"
#include "core/tasks/labeller/structure.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.labeller declares them, with bounds and text.
struct LabellerTrainerSettings {
  std::string rule;
  learn::RuleSettings rule_settings;
  learn::StepSettings step;
  text::TableKind table;
  std::vector<int> bits;  // by block
  int batch;
  int threads;
  double dual_c;    // m3n, smo: weight of the losses against |w|^2 / 2
  int least_count;  // features whose key occurs less often never learn; those that look at no token always do
};

class LabellerTrainer {
 public:
  // `labels`: the layers of a token side by side. `costs`: by layer, or empty for one per wrong label. Sequences must outlive the trainer.
  LabellerTrainer(LabellerSettings model, LabellerTrainerSettings settings, const text::Sequences& sequences,
                  std::span<const int32_t> labels, CostMatrices costs, text::ClusterLexicon clusters);

  // The templates of all blocks: what groups of features are made of.
  std::vector<text::TemplateName> cells() const { return templates_.names(); }
  // Before the first update: weights are shrunk by groups of cells, or by rows or entries of blocks that look at tokens.
  void sparsify(const learn::SparsitySettings& settings);
  learn::Sparsity& sparsity();
  // Before the first update: the only features of a block that are to learn.
  void support(size_t block, std::span<const uint64_t> keys, std::span<const int32_t> columns);

  learn::UpdateStatistics update(std::span<const int64_t> order);
  // End of a pass. For m3n and smo: primal and dual objective.
  learn::FrankWolfeStatistics finish();
  std::vector<learn::FrozenWeights> freeze(bool average, int bytes, int pad, double prune) const;

  std::vector<std::vector<uint8_t>> save() const;  // complete state, for a checkpoint
  void load(std::span<const std::vector<uint8_t>> blocks);

 private:
  struct Slot {
    std::unique_ptr<LabellerStructure> structure;
    std::vector<text::Token> tokens;
  };

  void bind(Slot& slot, size_t sequence);
  void count_keys();
  void make_slots(size_t count);
  learn::FrankWolfe& make_dual();

  LabellerSettings model_;
  LabellerTrainerSettings settings_;
  const text::Sequences& sequences_;
  std::vector<int> labels_;
  CostMatrices costs_;
  text::ClusterLexicon clusters_;
  std::vector<Block> blocks_;
  LabellerTemplates templates_;
  std::vector<std::unique_ptr<learn::ParameterTable>> tables_;
  std::unique_ptr<learn::UpdateRule> rule_;
  learn::Optimizer optimizer_;
  std::vector<Slot> slots_;
  std::unique_ptr<learn::FrankWolfe> dual_;  // m3n, smo
  std::unique_ptr<learn::Sparsity> sparsity_;
  std::vector<learn::FrequentKeys> frequent_;  // by block; none: all keys are
};

}  // namespace accord::tasks
