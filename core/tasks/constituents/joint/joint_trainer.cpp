// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/joint/joint_trainer.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::tasks {

namespace {

constexpr int one_weight = 1;

// Whether the spans of a sentence are a derivation: a row for the whole sentence, then the rows of its left child, then those of its
// right one.
void check_derivation(std::span<const GoldSpan> spans, const constituents::Grammar& grammar, size_t words) {
  const auto fail = [] { throw std::invalid_argument("gold spans of a sentence are no derivation of the grammar"); };
  std::vector<std::pair<int32_t, int32_t>> waiting = {{0, static_cast<int32_t>(words)}};
  for (const GoldSpan& span : spans) {
    if (waiting.empty() || waiting.back() != std::pair(span.begin, span.end)) fail();
    waiting.pop_back();
    const bool leaf = span.end - span.begin == 1;
    if (leaf != (span.split < 0) || span.bottom < 0 || span.bottom >= grammar.states() || (leaf && span.bottom >= grammar.tags())) fail();
    const std::span<const int32_t> tops = grammar.tops(span.bottom);
    if (std::find(tops.begin(), tops.end(), span.top) == tops.end()) fail();
    if (leaf) continue;
    if (span.split <= span.begin || span.split >= span.end) fail();
    waiting.emplace_back(span.split, span.end);
    waiting.emplace_back(span.begin, span.split);
  }
  if (!waiting.empty()) fail();
}

}  // namespace

JointTrainer::JointTrainer(const std::string& templates, constituents::Grammar grammar, int beam, const PhraseTrainerSettings& settings,
                           const text::Sequences& sequences, std::span<const int32_t> gold, std::span<const int64_t> starts,
                           text::ClusterLexicon clusters)
    : PhraseTrainer(settings, sequences.size(), std::span(&one_weight, 1)),
      templates_(templates),
      grammar_(std::move(grammar)),
      beam_(beam),
      bits_(settings.bits),
      data_{sequences, {}, {starts.begin(), starts.end()}, std::move(clusters)} {
  const std::vector<size_t>& runs = data_.starts;
  if (runs.size() != sequences.size() + 1 || runs.back() * 5 != gold.size() || !std::is_sorted(runs.begin(), runs.end()))
    throw std::invalid_argument("one run of gold spans for each sentence");
  for (size_t k = 0; k < runs.back(); ++k)
    data_.gold.push_back({gold[5 * k], gold[5 * k + 1], gold[5 * k + 2], gold[5 * k + 3], gold[5 * k + 4]});
  for (size_t s = 0; s < sequences.size(); ++s)
    if (runs[s] < runs[s + 1])
      check_derivation(std::span(data_.gold).subspan(runs[s], runs[s + 1] - runs[s]), grammar_, sequences.length(s));
}

}  // namespace accord::tasks
