// SPDX-License-Identifier: Apache-2.0
// The dependency parser, immutable and shared by threads; everything that changes lives in a workspace per thread.
//   first order    scores of all arcs -> tree, with a label per arc: O(n^2) scores, O(n^2) or O(n^3) search
//   higher orders  pruner -> candidate arcs -> scores of parts -> decoder (part_decoder.hpp), with a label per arc
// Scores come from linear features or from a network (sentence_scorer.hpp).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/linear_scorer.hpp"
#include "core/tasks/parser/neural_scorer.hpp"
#include "core/tasks/parser/sentence_parts.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/text/documents/document.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

struct ParserSettings {
  std::string templates;
  int labels = 0;
  LabelMode mode = LabelMode::joint;
  bool projective = false, single_root = true;
  double temperature = 1.0;       // scores are divided by it before probabilities are taken
  parses::PartFamilies families;  // parts larger than arcs; with any of them arcs are pruned
  PrunerSettings pruner;
  bool tree_labels = false;        // labels are chosen together once the tree is known (tree_labeller.hpp)
  double label_temperature = 1.0;  // the same for labels given their arcs, whose scores learners leave at a scale of their own
  double nonlocal_scale = 1.0;     // of the features of parts that are sets of arcs (part_scorer.hpp)
  std::string patterns;            // of pattern parts (core/text/patterns/patterns.hpp)

  bool pruned() const { return families.any(); }
};

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
  std::vector<int32_t> heads, labels;  // size n+1
  bool certified;                      // it and those before it are proved the best
};

class ParserModel {
 public:
  ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters);
  ParserModel(ParserSettings settings, std::shared_ptr<const neural::Network> network);

  // With `given` (made of this document) its heads and labels stand in the answer, and probabilities are conditioned on them;
  // labels that the model does not know are -1.
  ParseResult parse(const text::Document& document, const parses::DecoderSettings& decoder, bool probabilities, int threads,
                    const Given* given = nullptr, bool tags = false) const;
  // The classes of a network's tasks alone, by task and word.
  std::vector<std::vector<int32_t>> tag(const text::Document& document, int threads) const;
  // Logarithms of the probabilities of a task's classes, words of the sentence x classes.
  std::vector<float> tag_logs(const text::Document& document, size_t sentence, size_t task) const;
  // Probability of each word's likeliest class in a task.
  std::vector<double> tag_probabilities(const text::Document& document, size_t task, int threads) const;
  PruningStatistics prune(const text::Document& document, int threads) const;
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
  // The candidates and scores of one sentence; none when the allowed arcs contain no tree.
  std::optional<SentenceParts> sentence_parts(const text::Document& document, size_t sentence, const ArcChoice& choice) const;
  // Labels of a tree of heads 0..n (the root's is ignored), chosen together; for a model with tree_labels.
  std::vector<int32_t> labels_of_tree(const text::Document& document, size_t sentence, std::span<const int32_t> heads) const;
  // Of a model with tree_labels: log-probabilities of labels (positions 0..n) given a tree, and of all together at position 0, where
  // penalties, (n+1) x labels, are added to what the labels of each word score over the temperature.
  std::vector<double> label_logs(const text::Document& document, size_t sentence, std::span<const int32_t> heads,
                                 std::span<const int32_t> labels, std::span<const double> penalties) const;
  const ParserSettings& settings() const { return settings_; }

 private:
  struct Workspace;

  // Calls visit(workspace, sentences) for batches that together are all sentences with words, loaded into the workspace's scorer.
  template <typename Visit>
  void for_each_batch(const text::Document& document, int threads, Visit&& visit) const;
  // Calls visit(workspace, sentence) for every sentence with words, selected in the workspace's scorer.
  template <typename Visit>
  void for_each_sentence(const text::Document& document, int threads, Visit&& visit) const;
  std::unique_ptr<SentenceScorer> make_scorer() const;
  std::vector<std::vector<int32_t>> empty_tags(const text::Document& document) const;
  void take_tags(Workspace& work, const text::Document& document, std::span<const size_t> sentences,
                 std::vector<std::vector<int32_t>>& tags) const;
  void prepare(Workspace& work, bool sums) const;
  void parse_sentence(Workspace& work, const text::Document& document, size_t sentence, bool probabilities, ParseResult& out) const;
  void find_candidates(Workspace& work, const Deadline& deadline) const;
  void parse_parts(Workspace& work, const text::Document& document, size_t sentence, const parses::DecoderSettings& decoder,
                   bool probabilities, ParseResult& out) const;
  void score_parts(Workspace& work, const Deadline& deadline) const;
  double score_label(Workspace& work, size_t arc) const;
  double sum_parts(Workspace& work) const;
  void add_part_probabilities(Workspace& work, size_t sentence, size_t first, ParseResult& out) const;
  std::vector<LabelledTree> kbest_parts(Workspace& work, const parses::DecoderSettings& decoder, int k) const;
  double gold_part_log_probability(Workspace& work, const text::Document& document, size_t sentence,
                                   const std::vector<std::string>& names) const;
  void add_probabilities(Workspace& work, size_t sentence, size_t first, ParseResult& out) const;
  double gold_log_probability(Workspace& work, const text::Document& document, size_t sentence,
                              const std::vector<std::string>& names) const;
  int best_label(Workspace& work, int head, int dependent) const;
  // Labels and their probabilities given the tree in work.heads (parser_labels.cpp).
  double label_sum(Workspace& work, int dependent) const;
  void take_labels(Workspace& work, std::span<const int32_t> labels, std::span<const double> penalties = {}) const;
  bool take_gold(Workspace& work, const text::Document& document, size_t sentence, const std::vector<std::string>& names) const;
  // Labels of the tree in work.heads by the tree labeller, into work.labels.
  void label_tree(Workspace& work) const;
  // parser_given.cpp
  int choose_label(const Workspace& work, int dependent) const;
  double label_evidence(const Workspace& work, int dependent) const;
  void add_label_evidence(Workspace& work, bool sums) const;
  void add_part_label_evidence(Workspace& work) const;

  ParserSettings settings_;
  ParserTemplates templates_;
  ParserTables tables_;
  text::ClusterLexicon clusters_;
  std::shared_ptr<const neural::Network> network_;  // none: linear features
};

}  // namespace accord::tasks
