// SPDX-License-Identifier: Apache-2.0
// From scores of labelled spans to trees, whoever gave the scores: a linear model (model.hpp) or a network (neural_model.hpp).
// Scores divided by the temperature are log-odds.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/constituents/span_space.hpp"

namespace accord::tasks {

struct ConstituentRequest {
  bool least_risk = false;     // the tree of smallest expected loss instead of the best one
  double threshold = 0.5;      // least_risk: what a span must be worth
  bool probabilities = false;  // of the spans given, and of whole trees
  int threads = 0;
};

// The tree of one sentence.
struct FoundSpans {
  std::vector<constituents::LabelledSpan> spans;  // in preorder
  std::vector<double> probability;                // of each span, where asked for
  double score = 0, log_probability = 0;
};

// Those of all sentences.
struct ConstituentAnswer {
  std::vector<int64_t> starts;  // by sentence: where its spans begin; one more at the end
  std::vector<constituents::LabelledSpan> spans;
  std::vector<double> probability, score, log_probability;

  explicit ConstituentAnswer(const std::vector<FoundSpans>& found);
};

using RankedSpans = std::vector<std::pair<constituents::ScoredSpans, double>>;  // with logarithms of their probabilities

// Working space of one thread.
class SpanDecoder {
 public:
  explicit SpanDecoder(double temperature) : temperature_(temperature) {}

  // The scores are changed where sums are asked for.
  FoundSpans decode(const ConstituentRequest& request, int words, int labels, std::vector<double>& scores);
  RankedSpans kbest(int k, int words, int labels, std::vector<double>& scores);

 private:
  double temperature_;
  constituents::SpanSpace space_;
  std::vector<double> probabilities_;
};

}  // namespace accord::tasks
