// SPDX-License-Identifier: Apache-2.0
// What a trained parser is made of: immutable, and shared by the threads' SentenceParsers.
#pragma once
#include <memory>
#include <optional>

#include "core/tasks/parser/scorers/linear_scorer.hpp"
#include "core/tasks/parser/scorers/network_tags.hpp"
#include "core/tasks/parser/scorers/tables.hpp"
#include "core/tasks/parser/settings.hpp"
#include "core/tasks/scores/parser_templates.hpp"

namespace accord::tasks {

// Who scores a thread's sentences. Networks that predict tags read them from the batch that the scorer loads.
struct Scoring {
  std::unique_ptr<TreeScorer> scorer;
  std::unique_ptr<NetworkTags> tags;  // none: linear features
};

struct ParserContents {
  // Throw std::invalid_argument when the parts do not fit together.
  ParserContents(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters);
  ParserContents(ParserSettings settings, std::shared_ptr<const neural::Network> network);
  ParserContents(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters,
                 std::shared_ptr<const neural::Network> network, const ScorerShares& shares);

  Scoring make_scoring() const;
  // The sentences with words, in batches that do well together.
  std::vector<std::vector<size_t>> batches(const text::Document& document) const;

  ParserSettings settings;
  ParserTemplates templates;
  ParserTables tables;
  text::ClusterLexicon clusters;
  std::shared_ptr<const neural::Network> network;  // none: linear features
  std::optional<ScorerShares> shares;              // of a parser with both scorers
};

}  // namespace accord::tasks
