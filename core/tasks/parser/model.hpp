// SPDX-License-Identifier: Apache-2.0
// The dependency parser, immutable and shared by threads; everything that changes lives in one SentenceParser per thread.
//   first order    scores of all arcs -> tree, with a label per arc: O(n^2) scores, O(n^2) or O(n^3) search
//   higher orders  pruner -> candidate arcs -> scores of parts -> decoder (part_decoder.hpp), with a label per arc
// Scores come from linear features, from a network, or from both (scorer.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/parser/settings.hpp"

namespace accord::neural {
class Network;
}
namespace accord::parses {
struct DecoderSettings;
}
namespace accord::text {
class ClusterLexicon;
class Document;
}  // namespace accord::text

namespace accord::tasks {

struct ArcChoice;
class Given;
struct ParserContents;
struct ParserTables;
struct SentenceParts;

struct ParseResult {  // words of all sentences concatenated
  std::vector<int32_t> heads, labels;
  std::vector<double> scores;                // per sentence; -infinity for a sentence without words
  std::vector<double> arc_probability;       // per word: marginal of the chosen arc (only when asked for)
  std::vector<double> label_probability;     // per word: marginal of the chosen labelled arc
  std::vector<double> tree_log_probability;  // per sentence, labels included; higher orders: by the estimate of log Z
  std::vector<double> bounds;                // per sentence: no tree of the candidates scores more
  std::vector<int32_t> statuses;             // per sentence: graph::Status
  std::vector<int32_t> iterations;
  std::vector<std::vector<int32_t>> tags;  // by task of a network that predicts tags, per word: its class (only when asked for)
};

struct LabelledTree {
  double score;
  std::vector<int32_t> heads, labels;  // size n+1; the labels that the parser gives this tree
  bool certified;                      // it and those before it are proved the best
};

class ParserModel {
 public:
  // Throw std::invalid_argument when the parts do not fit together.
  ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters);
  ParserModel(ParserSettings settings, std::shared_ptr<const neural::Network> network);
  ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters, std::shared_ptr<const neural::Network> network,
              const ScorerShares& shares);
  ParserModel(ParserModel&&) noexcept;
  ~ParserModel();

  // With `given` (made of this document) its heads and labels stand in the answer, and probabilities are conditioned on them;
  // labels that the model does not know are -1.
  ParseResult parse(const text::Document& document, const parses::DecoderSettings& decoder, bool probabilities, int threads,
                    const Given* given = nullptr, bool tags = false) const;
  // The classes of a network's tasks alone, by task and word.
  std::vector<std::vector<int32_t>> tag(const text::Document& document, int threads) const;
  // Logarithms of the probabilities of a task's classes, words of the sentence x classes; `alone`: whatever classes of other tasks
  // they go with.
  std::vector<float> tag_logs(const text::Document& document, size_t sentence, size_t task, bool alone) const;
  // Probability of each word's chosen class in a task.
  std::vector<double> tag_probabilities(const text::Document& document, size_t task, int threads) const;
  PruningStatistics prune(const text::Document& document, int threads) const;
  // The first is the tree of parse(), labels included, unless a search without proof finds a better one later.
  std::vector<LabelledTree> kbest(const text::Document& document, size_t sentence, const parses::DecoderSettings& decoder, int k,
                                  const Given* given = nullptr) const;
  // Log-probability of the document's own (gold) trees, labels included, over the sentences that have complete trees of
  // labels the model knows: what a temperature is fitted to. Higher orders: the sum over gold arcs among the candidates of
  // the logarithms of their beliefs, with those of the labels of such sentences.
  double gold_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const;
  // Log-probability of the labels of such sentences, given their trees: what a label temperature is fitted to.
  double gold_label_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const;
  // Arc scores (n+1)^2 with the best label's score included in joint mode: what the decoder sees.
  std::vector<double> arc_scores(const text::Document& document, size_t sentence) const;
  // The candidates and scores of one sentence (sentence_parts.hpp); none when the allowed arcs contain no tree.
  std::optional<SentenceParts> sentence_parts(const text::Document& document, size_t sentence, const ArcChoice& choice) const;
  // Labels of a tree of heads 0..n (the root's is ignored), chosen together; for a model with tree_labels.
  std::vector<int32_t> labels_of_tree(const text::Document& document, size_t sentence, std::span<const int32_t> heads) const;
  // Of a model with tree_labels: log-probabilities of labels (positions 0..n) given a tree, and of all together at position 0, where
  // penalties, (n+1) x labels, are added to what the labels of each word score over the temperature.
  std::vector<double> label_logs(const text::Document& document, size_t sentence, std::span<const int32_t> heads,
                                 std::span<const int32_t> labels, std::span<const double> penalties) const;
  const ParserSettings& settings() const;

 private:
  std::unique_ptr<const ParserContents> contents_;
};

}  // namespace accord::tasks
