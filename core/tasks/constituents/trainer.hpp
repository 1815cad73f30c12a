// SPDX-License-Identifier: Apache-2.0
// Online training of a linear constituency parser: any learn::UpdateRule over ConstituentStructures. Sentences of a batch are inferred in
// parallel and applied in order, so threads change nothing.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/tasks/constituents/structure.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.constituents declares them, with bounds and text.
struct ConstituentTrainerSettings {
  std::string rule;
  learn::RuleSettings rule_settings;
  learn::StepSettings step;
  int bits;
  int batch;
  int threads;
};

class ConstituentTrainer {
 public:
  // `gold`: rows (begin, end, label) of all sentences, those of sentence s from starts[s] to starts[s + 1]. Sequences must outlive the
  // trainer. Throws std::invalid_argument where a span is out of range.
  ConstituentTrainer(const std::string& templates, int labels, ConstituentTrainerSettings settings, const text::Sequences& sequences,
                     std::span<const int32_t> gold, std::span<const int64_t> starts, text::ClusterLexicon clusters);

  learn::UpdateStatistics update(std::span<const int64_t> order);
  void finish() { optimizer_.settle(); }
  learn::FrozenWeights freeze(bool average, int bytes, int pad) const;

  std::vector<std::vector<uint8_t>> save() const;  // complete state, for a checkpoint
  void load(std::span<const std::vector<uint8_t>> blocks);

 private:
  struct Slot {
    std::unique_ptr<ConstituentStructure> structure;
    std::vector<text::Token> tokens;
  };

  SpanTemplates templates_;
  int labels_;
  ConstituentTrainerSettings settings_;
  const text::Sequences& sequences_;
  std::vector<constituents::LabelledSpan> gold_;
  std::vector<size_t> starts_;
  text::ClusterLexicon clusters_;
  learn::ParameterTable table_;
  std::unique_ptr<learn::UpdateRule> rule_;
  learn::Optimizer optimizer_;
  std::vector<Slot> slots_;
};

}  // namespace accord::tasks
