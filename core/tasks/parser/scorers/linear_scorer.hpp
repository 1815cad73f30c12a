// SPDX-License-Identifier: Apache-2.0
// Scores of a sentence's parts by linear features and frozen weights.
#pragma once
#include <vector>

#include "core/tasks/parser/labels/tree_labeller.hpp"
#include "core/tasks/parser/scorer.hpp"
#include "core/tasks/parser/scorers/tables.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/tasks/pruner/scorer.hpp"
#include "core/tasks/scores/part_scorer.hpp"
#include "core/tasks/scores/pattern_matches.hpp"
#include "core/text/documents/document.hpp"

namespace accord::tasks {

class LinearScorer final : public TreeScorer {
 public:
  LinearScorer(const ParserTemplates& templates, const ParserTables& tables, const text::ClusterLexicon& clusters,
               const parses::PartFamilies& families, int labels, double nonlocal_scale)
      : templates_(templates),
        tables_(tables),
        clusters_(clusters),
        families_(families),
        scorer_(templates, tables.arcs, tables.labels, tables.parts, nonlocal_scale),
        labeller_(templates, tables.tree_labels, tables.label_pairs, labels),
        around_(templates),
        pending_(tables.second_pruner) {}

  void load(const text::Document& document, std::span<const size_t> sentences) override {
    document_ = &document;
    sentences_.assign(sentences.begin(), sentences.end());
  }

  void select(size_t place) override {
    document_->tokens(sentences_[place], tokens_);
    atoms_ = text::AtomTable(tokens_, templates_.attributes, clusters_);
    scorer_.prepare_arcs(atoms_);
    parts_ready_ = tree_labels_ready_ = false;
  }

  void score_arcs(std::span<double> scores) override { scorer_.score_arcs(scores); }

  void prune(Pruner& pruner, const Deadline& deadline, std::span<const int32_t> given) override {
    pruner.prepare(atoms_);
    pruner.score(tables_.pruner, deadline, given);
    if (tables_.second_pruner.values.empty()) return;
    if (around_.any()) around_.prepare(atoms_, pruner.best_heads());
    pruner.look_closer(deadline, [&](std::span<const int32_t> heads, int dependent, std::span<double> scores) {
      for (size_t i = 0; i < heads.size(); ++i) {
        pending_.append(pruner.keys(heads[i], dependent));
        pending_.append(scorer_.arc_keys(heads[i], dependent));
        if (around_.any()) pending_.append(around_.keys(heads[i], dependent));
        pending_.end(1.0, scores[i]);
      }
      pending_.finish();
    });
  }

  void score_parts(const parses::PartLayout& layout, std::span<double> scores) override {
    if (!parts_ready_) scorer_.prepare_parts(atoms_, families_);
    parts_ready_ = true;
    scorer_.score(layout, scores);
  }

  void score_labels(int head, int dependent, std::span<float> scores) override { scorer_.score_labels(head, dependent, scores); }

  void add_patterns(parses::PartLayout& layout) override {
    if (families_.pattern) tasks::add_patterns(templates_.patterns, atoms_, layout);
  }

  CandidateLabels& score_tree_labels(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only) override {
    return score_tree_labels(heads, wanted, only, 1.0, [](int, int, std::span<float>) {});
  }
  // The same with another share, and with what add(head, dependent, scores) adds to the scores of each word's labels.
  template <typename Add>
  CandidateLabels& score_tree_labels(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only, double share, Add&& add) {
    if (!tree_labels_ready_) labeller_.prepare(atoms_);
    tree_labels_ready_ = true;
    labeller_.score(heads, wanted, only, share, add);
    return labeller_.found();
  }

 private:
  const ParserTemplates& templates_;
  const ParserTables& tables_;
  const text::ClusterLexicon& clusters_;
  parses::PartFamilies families_;
  LinearPartScorer<ColumnTable, text::WeightTable<int8_t>> scorer_;
  TreeLabeller<ColumnTable, text::WeightTable<int8_t>> labeller_;
  const text::Document* document_ = nullptr;
  std::vector<size_t> sentences_;
  std::vector<text::Token> tokens_;
  text::AtomTable atoms_;
  SurroundingsFeatures around_;
  PendingSums<text::WeightTable<int8_t>> pending_;        // of the second stage of the pruner
  bool parts_ready_ = false, tree_labels_ready_ = false;  // of the sentence
};

}  // namespace accord::tasks
