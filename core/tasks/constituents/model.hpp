// SPDX-License-Identifier: Apache-2.0
// A trained linear constituency parser at work: words -> features of spans -> scores of labelled spans -> tree. Immutable; any number of
// threads may share it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/tasks/constituents/decoder.hpp"
#include "core/tasks/constituents/scorer.hpp"
#include "core/text/features/tables.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

using SpanTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

class ConstituentModel {
 public:
  // Throws std::invalid_argument when templates, sizes and table do not fit together.
  ConstituentModel(const std::string& templates, int labels, double temperature, SpanTable table, text::ClusterLexicon clusters);

  int labels() const { return labels_; }
  ConstituentAnswer parse(const text::Sequences& sequences, const ConstituentRequest& request) const;
  // The k best trees of a sentence, with the logarithms of their probabilities.
  RankedSpans kbest(const text::Sequences& sequences, size_t sentence, int k) const;
  // Scores of all labelled spans of a sentence.
  std::vector<double> scores(const text::Sequences& sequences, size_t sentence) const;

 private:
  struct Worker {
    explicit Worker(const ConstituentModel& model) : features(model.templates_), decoder(model.temperature_) {}
    SpanFeatures features;
    SpanDecoder decoder;
    std::vector<text::Token> tokens;
    std::vector<int32_t> sums;
    std::vector<double> scores;
  };

  int score(const text::Sequences& sequences, size_t sentence, Worker& worker) const;  // the number of words

  SpanTemplates templates_;
  int labels_;
  double temperature_;
  SpanTable table_;
  text::ClusterLexicon clusters_;
};

}  // namespace accord::tasks
