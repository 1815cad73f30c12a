// SPDX-License-Identifier: Apache-2.0
// A trained constituency parser at work: words -> scores of labelled spans -> tree. Immutable; any number of threads may share it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/constituents/span_space.hpp"
#include "core/tasks/constituents/scorer.hpp"
#include "core/text/features/tables.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

using SpanTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

struct ConstituentRequest {
  bool least_risk = false;     // the tree of smallest expected loss instead of the best one
  double threshold = 0.5;      // least_risk: what a span must be worth
  bool probabilities = false;  // of the spans given, and of whole trees
  int threads = 0;
};

struct ConstituentAnswer {
  std::vector<int64_t> starts;                    // by sentence: where its spans begin; one more at the end
  std::vector<constituents::LabelledSpan> spans;  // in preorder
  std::vector<double> probability;                // of each span
  std::vector<double> score;                      // of each tree
  std::vector<double> log_probability;            // of each tree
};

// Scores of labelled spans divided by the temperature are log-odds.
class ConstituentModel {
 public:
  // Throws std::invalid_argument when templates, sizes and table do not fit together.
  ConstituentModel(const std::string& templates, int labels, double temperature, SpanTable table, text::ClusterLexicon clusters);

  int labels() const { return labels_; }
  ConstituentAnswer parse(const text::Sequences& sequences, const ConstituentRequest& request) const;
  // The k best trees of a sentence, with their log-probabilities.
  std::vector<std::pair<constituents::ScoredSpans, double>> kbest(const text::Sequences& sequences, size_t sentence, int k) const;
  // Scores of all labelled spans of a sentence.
  std::vector<double> scores(const text::Sequences& sequences, size_t sentence) const;

 private:
  struct Worker {
    explicit Worker(const ConstituentModel& model) : features(model.templates_) {}
    SpanFeatures features;
    constituents::SpanSpace space;
    std::vector<text::Token> tokens;
    std::vector<int32_t> sums;
    std::vector<double> scores, probabilities;
    std::vector<constituents::LabelledSpan> spans;
  };
  struct Found {
    std::vector<constituents::LabelledSpan> spans;
    std::vector<double> probability;
    double score = 0, log_probability = 0;
  };

  void score(Worker& worker) const;
  Found parse_sentence(const ConstituentRequest& request, Worker& worker) const;

  SpanTemplates templates_;
  int labels_;
  double temperature_;
  SpanTable table_;
  text::ClusterLexicon clusters_;
};

}  // namespace accord::tasks
