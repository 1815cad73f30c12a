// SPDX-License-Identifier: Apache-2.0
// One thread's parser: sentences are loaded in batches, selected one by one, and asked. Whatever the order of the model and whoever
// scores, the way is one: scores -> search -> labels -> probabilities.
//
// Distribution: p(tree) ~ exp(score / T) over the trees of the candidate arcs, in joint mode with labels summed out of the score
//               of each arc, and p(labels | tree) as in labels/tree_labels.hpp.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tasks/parser/contents.hpp"
#include "core/tasks/parser/labels/tree_labels.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/tasks/parser/scorers/network_tags.hpp"
#include "core/tasks/parser/tree_search.hpp"

namespace accord::tasks {

class SentenceParser {
 public:
  // The contents must stay.
  explicit SentenceParser(const ParserContents& contents);

  void load(const text::Document& document, std::span<const size_t> sentences) { scoring_.scorer->load(document, sentences); }
  // A loaded sentence, with what is given of it.
  void select(const text::Document& document, size_t sentence, size_t place, const GivenWords& given = {});
  // One sentence, loaded alone.
  void open(const text::Document& document, size_t sentence, const GivenWords& given = {});

  TreeScorer& scorer() { return *scoring_.scorer; }
  NetworkTags& tags() { return *scoring_.tags; }  // of networks only
  TreeLabels& labels() { return labels_; }

  // The selected sentence's tree into the results of its document.
  void parse(const parses::DecoderSettings& decoder, bool probabilities, ParseResult& out);
  std::vector<LabelledTree> kbest(const parses::DecoderSettings& decoder, int k);
  // Candidate arcs, and how many of them are in the document's own tree.
  PruningStatistics prune();
  // Of all arcs, with labels in joint mode, whatever the order of the model.
  std::vector<double> arc_scores();
  // As ParserModel says; 0 for sentences that do not count.
  double gold_log_probability(const std::vector<std::string>& names);
  double gold_label_log_probability(const std::vector<std::string>& names);

 private:
  // Candidates and scores, labels included; with `sums` also those of the distribution, over the temperature, into sums_.
  void score(TreeSearch& search, bool sums, const Deadline& deadline);
  void add_probabilities(ParseResult& out);
  void read_gold_heads();  // the document's own, into heads_
  // Log-probabilities of its labels, given the tree in heads_; none when these heads are no tree or a label is unknown.
  const LabelLogs* gold_labels(const std::vector<std::string>& names);

  const ParserSettings& settings_;
  Scoring scoring_;
  TreeLabels labels_;
  std::unique_ptr<TreeSearch> search_;
  const text::Document* document_ = nullptr;
  size_t sentence_ = 0, words_ = 0, first_ = 0;  // first_: place of its first word in the document
  GivenWords given_;
  std::vector<int32_t> heads_, tree_labels_;  // size n+1
  std::vector<double> sums_, marginals_;      // by slot
};

}  // namespace accord::tasks
