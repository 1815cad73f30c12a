// SPDX-License-Identifier: Apache-2.0
// Training of the linear parser of labelled spans: what ConstituentStructures learn from.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/constituents/phrase_trainer.hpp"
#include "core/tasks/constituents/structure.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

class ConstituentTrainer final : public PhraseTrainer {
 public:
  // `gold`: rows (begin, end, label) of all sentences, those of sentence s from starts[s] to starts[s + 1]. Sequences must outlive the
  // trainer. Throws std::invalid_argument where a span is out of range.
  ConstituentTrainer(const std::string& templates, int labels, PhraseTrainerSettings settings, const text::Sequences& sequences,
                     std::span<const int32_t> gold, std::span<const int64_t> starts, text::ClusterLexicon clusters);

 private:
  std::unique_ptr<SentenceStructure> make_structure() override {
    return std::make_unique<ConstituentStructure>(templates_, data_, labels_, table(0));
  }

  SpanTemplates templates_;
  int labels_;
  ConstituentData data_;
};

}  // namespace accord::tasks
