// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/trainer.hpp"

#include <stdexcept>

namespace accord::tasks {

ConstituentTrainer::ConstituentTrainer(const std::string& templates, int labels, PhraseTrainerSettings settings,
                                       const text::Sequences& sequences, std::span<const int32_t> gold, std::span<const int64_t> starts,
                                       text::ClusterLexicon clusters)
    : PhraseTrainer(std::move(settings), sequences.size(), std::span(&labels, 1)),
      templates_(templates),
      labels_(labels),
      data_{sequences, {}, {starts.begin(), starts.end()}, std::move(clusters)} {
  const std::vector<size_t>& runs = data_.starts;
  if (runs.size() != sequences.size() + 1 || runs.back() * 3 != gold.size())
    throw std::invalid_argument("one run of gold spans for each sentence");
  for (size_t s = 0; s < sequences.size(); ++s) {
    if (runs[s] > runs[s + 1]) throw std::invalid_argument("runs of gold spans stand in their order");
    for (size_t k = runs[s]; k < runs[s + 1]; ++k) {
      const constituents::LabelledSpan span{gold[3 * k], gold[3 * k + 1], gold[3 * k + 2]};
      if (span.begin < 0 || span.end <= span.begin || static_cast<size_t>(span.end) > sequences.length(s) || span.label < 0 ||
          span.label >= labels)
        throw std::invalid_argument("a gold span is out of range");
      data_.gold.push_back(span);
    }
  }
}

}  // namespace accord::tasks
