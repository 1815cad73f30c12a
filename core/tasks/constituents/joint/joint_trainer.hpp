// SPDX-License-Identifier: Apache-2.0
// Online training of the phrases of a joint model, on known words and tags.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "core/tasks/constituents/joint/joint_structure.hpp"
#include "core/tasks/constituents/phrase_trainer.hpp"

namespace accord::tasks {

class JointTrainer final : public PhraseTrainer {
 public:
  // `gold`: rows (begin, end, split, bottom, top) of all sentences, those of sentence s from starts[s] to starts[s + 1], a span before
  // those inside it. Sequences must outlive the trainer. Throws std::invalid_argument where rows are no derivations of the grammar.
  JointTrainer(const std::string& templates, constituents::Grammar grammar, int beam, const PhraseTrainerSettings& settings,
               const text::Sequences& sequences, std::span<const int32_t> gold, std::span<const int64_t> starts,
               text::ClusterLexicon clusters);

 private:
  std::unique_ptr<SentenceStructure> make_structure() override {
    return std::make_unique<JointStructure>(templates_, grammar_, data_, beam_, bits_, table(0));
  }

  PhraseTemplates templates_;
  constituents::Grammar grammar_;
  int beam_, bits_;
  DerivationData data_;
};

}  // namespace accord::tasks
