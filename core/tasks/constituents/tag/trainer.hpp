// SPDX-License-Identifier: Apache-2.0
// Training of the parser of spines on what its pruner leaves.
//
// Gold adjunctions and spines are among the candidates of a training sentence even where the pruner would drop them, so that every update
// goes towards gold.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/constituents/spines/spine_space.hpp"
#include "core/tasks/constituents/phrase_trainer.hpp"
#include "core/tasks/constituents/tag/data.hpp"
#include "core/tasks/constituents/tag/model.hpp"

namespace accord::tasks {

class TagTrainer final : public PhraseTrainer {
 public:
  // Sentence s is pruned by pruners[chosen[s]]: one that has not seen it, where there are several. All pruners have the same grammar.
  TagTrainer(const std::string& templates, const constituents::SpineGrammar& grammar, const std::vector<std::string>& tags,
             const PhraseTrainerSettings& settings, constituents::SpineShape shape, SpinePruning pruning,
             std::span<const FrozenPruner* const> pruners, std::span<const int32_t> chosen, SpineData data);

  SpinePruningStatistics pruning() const { return pruned_; }

 private:
  class Structure;
  std::unique_ptr<SentenceStructure> make_structure() override;
  void prune(const SpinePruning& pruning, std::span<const FrozenPruner* const> pruners, std::span<const int32_t> chosen, int threads);

  SpineTemplates templates_;
  constituents::SpineGrammar grammar_;
  TagNumbers tags_;
  SpineMarks marks_;
  constituents::SpineShape shape_;
  SpineData data_;
  std::vector<constituents::SpineCandidates> candidates_;  // by sentence
  SpinePruningStatistics pruned_;
};

}  // namespace accord::tasks
