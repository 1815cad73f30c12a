// SPDX-License-Identifier: Apache-2.0
// What learners see of one sentence with known words and tags: derivations of a grammar (core/constituents/joint). Every span costs 1
// where its top state is wrong or missing. The best derivation is that of a chart with a beam; sums over derivations are not offered.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/constituents/joint/phrase_features.hpp"
#include "core/tasks/constituents/phrase_structure.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// Spans of a derivation as training data has them: places are between words, a span before those inside it.
struct GoldSpan {
  int32_t begin, end, split;  // split: -1 for one word
  int32_t bottom, top;
};

// A treebank. Sequences are somebody else's.
struct DerivationData {
  const text::Sequences& sequences;
  std::vector<GoldSpan> gold;  // those of sentence s from starts[s] to starts[s + 1]
  std::vector<size_t> starts;
  text::ClusterLexicon clusters;
};

class JointStructure final : public SentenceStructure {
 public:
  // Everything must outlive the structure.
  JointStructure(const PhraseTemplates& templates, const constituents::Grammar& grammar, const DerivationData& data, int beam, int bits,
                 learn::ParameterTable& table)
      : grammar_(grammar),
        data_(data),
        settings_{beam, true, templates.pairwise},
        bits_(bits),
        table_(table),
        features_(templates),
        chart_(grammar) {}

  bool bind(size_t sentence) override;
  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

 private:
  void add_features(const constituents::Derivation& derivation, double scale);

  const constituents::Grammar& grammar_;
  const DerivationData& data_;
  constituents::ChartSettings settings_;
  int bits_;
  learn::ParameterTable& table_;
  PhraseFeatures features_;
  constituents::JointChart chart_;
  std::vector<text::Token> tokens_;
  std::unique_ptr<constituents::WordLattice> words_;
  std::unique_ptr<constituents::TaggedLattice> lattice_;
  constituents::Derivation gold_, answer_;
  double value_ = 0, gold_score_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
