// SPDX-License-Identifier: Apache-2.0
// Online training of a linear model of phrases: any learn::UpdateRule over PhraseStructures. Sentences of a batch are inferred in
// parallel and applied in order, so threads change nothing.
//
// A model inherits this class, says how wide its tables are, and makes the structures that read them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/tasks/constituents/phrase_structure.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.constituents declares them, with bounds and text.
struct PhraseTrainerSettings {
  std::string rule;
  learn::RuleSettings rule_settings;
  learn::StepSettings step;
  int bits;
  int batch;
  int threads;
};

class PhraseTrainer {
 public:
  virtual ~PhraseTrainer() = default;

  learn::UpdateStatistics update(std::span<const int64_t> order);
  void finish() { optimizer_.settle(); }
  // One for each table, in their order; rows are made as wide as the next multiple of `pad`.
  std::vector<learn::FrozenWeights> freeze(bool average, int bytes, int pad) const;

  std::vector<std::vector<uint8_t>> save() const;  // complete state, for a checkpoint
  void load(std::span<const std::vector<uint8_t>> blocks);

 protected:
  // `sentences`: of the training data. `widths`: weights in a row, by table. `bits`: by table too, where tables differ.
  PhraseTrainer(PhraseTrainerSettings settings, size_t sentences, std::span<const int> widths, std::span<const int> bits = {});

  learn::ParameterTable& table(size_t number) { return *tables_[number]; }
  virtual std::unique_ptr<SentenceStructure> make_structure() = 0;

 private:
  PhraseTrainerSettings settings_;
  size_t sentences_;
  std::vector<std::unique_ptr<learn::ParameterTable>> tables_;
  std::unique_ptr<learn::UpdateRule> rule_;
  learn::Optimizer optimizer_;
  std::vector<std::unique_ptr<SentenceStructure>> structures_;  // by place in a batch
};

}  // namespace accord::tasks
