// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/decoder.hpp"

#include <algorithm>

namespace accord::tasks {

using constituents::LabelledSpan, constituents::ScoredSpans, constituents::SpanRules, constituents::SpanScores;

ConstituentAnswer::ConstituentAnswer(const std::vector<FoundSpans>& found) {
  starts.push_back(0);
  for (const FoundSpans& one : found) {
    spans.insert(spans.end(), one.spans.begin(), one.spans.end());
    probability.insert(probability.end(), one.probability.begin(), one.probability.end());
    score.push_back(one.score);
    log_probability.push_back(one.log_probability);
    starts.push_back(static_cast<int64_t>(spans.size()));
  }
}

FoundSpans SpanDecoder::decode(const ConstituentRequest& request, int words, int labels, std::vector<double>& scores) {
  FoundSpans found;
  if (words == 0) return found;
  const SpanRules rules;
  const SpanScores given{scores.data(), words, labels};
  if (!request.least_risk && !request.probabilities) {
    found.score = space_.argmax(given, rules, found.spans);
    return found;
  }
  for (double& one : scores) one /= temperature_;
  probabilities_.resize(scores.size());
  const double total = space_.marginals(given, rules, probabilities_);
  const SpanScores chances{probabilities_.data(), words, labels};
  if (request.least_risk) space_.least_risk_of(chances, given, rules, request.threshold, found.spans);
  else space_.argmax(given, rules, found.spans);
  const double score = constituents::spans_score(given, found.spans);
  found.score = score * temperature_;
  found.log_probability = std::min(score - total, 0.0);
  for (const LabelledSpan& span : found.spans)
    found.probability.push_back(std::clamp(chances.at(span.begin, span.end)[span.label], 0.0, 1.0));
  return found;
}

RankedSpans SpanDecoder::kbest(int k, int words, int labels, std::vector<double>& scores) {
  for (double& one : scores) one /= temperature_;
  const SpanScores given{scores.data(), words, labels};
  const double total = space_.log_partition(given, {});
  RankedSpans ranked;
  for (ScoredSpans& one : space_.kbest(given, {}, k)) {
    const double log_probability = std::min(one.score - total, 0.0);
    one.score *= temperature_;
    ranked.emplace_back(std::move(one), log_probability);
  }
  return ranked;
}

}  // namespace accord::tasks
