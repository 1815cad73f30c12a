// SPDX-License-Identifier: Apache-2.0
// What learners see of one sentence with its constituents: parts are labelled spans, each of which costs 1 where it is wrong or missing.
#pragma once
#include <span>
#include <vector>

#include "core/constituents/span_space.hpp"
#include "core/learn/parameters.hpp"
#include "core/tasks/constituents/phrase_structure.hpp"
#include "core/tasks/constituents/scorer.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// A treebank. Sequences are somebody else's.
struct ConstituentData {
  const text::Sequences& sequences;
  std::vector<constituents::LabelledSpan> gold;  // those of sentence s from starts[s] to starts[s + 1]
  std::vector<size_t> starts;
  text::ClusterLexicon clusters;
};

class ConstituentStructure final : public PhraseStructure {
 public:
  // Templates, data and table must outlive the structure.
  ConstituentStructure(const SpanTemplates& templates, const ConstituentData& data, int labels, learn::ParameterTable& table)
      : labels_(labels),
        data_(data),
        table_(table),
        features_(templates) {}

  bool bind(size_t sentence) override;

 private:
  void fill(std::vector<double>& scores, std::vector<size_t>& gold) override;
  double best(const std::vector<double>& scores, std::vector<size_t>& parts) override;
  double sums(const std::vector<double>& scores, std::vector<double>& probabilities) override;
  void add_features(std::span<const double> amounts, double scale) override;

  constituents::SpanScores view(const std::vector<double>& scores) const { return {scores.data(), words_, labels_}; }
  size_t at(const constituents::LabelledSpan& span) const {
    return constituents::span_index(words_, span.begin, span.end) * static_cast<size_t>(labels_) + static_cast<size_t>(span.label);
  }

  int labels_;
  const ConstituentData& data_;
  learn::ParameterTable& table_;
  SpanFeatures features_;
  constituents::SpanSpace space_;
  constituents::SpanRules rules_;  // none
  int words_ = 0;
  std::vector<text::Token> tokens_;
  std::span<const constituents::LabelledSpan> gold_;
  std::vector<constituents::LabelledSpan> answer_;
  std::vector<float> sums_;
};

}  // namespace accord::tasks
