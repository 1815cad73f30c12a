// SPDX-License-Identifier: Apache-2.0
// Training of the pruner of spines by the log-likelihood of its models (pruner.hpp): weights of labels, and weights of spines.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/tasks/constituents/phrase_trainer.hpp"
#include "core/tasks/constituents/tag/data.hpp"
#include "core/tasks/constituents/tag/pruner.hpp"

namespace accord::tasks {

class SpinePrunerTrainer final : public PhraseTrainer {
 public:
  // `bits`: of the labels' table and of the spines'. Data must outlive the trainer, and the rule must be one that sums.
  SpinePrunerTrainer(const std::string& templates, const constituents::SpineGrammar& grammar, const std::vector<std::string>& tags,
                     PhraseTrainerSettings settings, std::span<const int> bits, SpineData data);

 private:
  class Structure;
  std::unique_ptr<SentenceStructure> make_structure() override;

  SpineTemplates templates_;
  constituents::SpineGrammar grammar_;
  TagNumbers tags_;
  SpineLabels labels_;
  SpineMarks marks_;
  SpineData data_;
};

}  // namespace accord::tasks
