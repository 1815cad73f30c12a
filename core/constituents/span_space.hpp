// SPDX-License-Identifier: Apache-2.0
// What can be asked about the trees of constituents of a sentence (span_items.hpp says which trees).
//
// P(tree) ~ exp(score). The labels of a span are folded into one weight first (their maximum, or the logarithm of their sum), so that the
// chart itself does not know them: O(n^3 + n^2 L) for every question but the k best, which look at labels one by one, lazily.
// An object owns the buffers it works in: use one per thread and reuse it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/span_rules.hpp"
#include "core/constituents/span_scores.hpp"
#include "core/hypergraph/outside.hpp"

namespace accord::constituents {

class SpanSpace {
 public:
  // Best tree into spans, in preorder; returns its score, or -infinity (no spans) when no tree is possible.
  double argmax(const SpanScores& scores, const SpanRules& rules, std::vector<LabelledSpan>& spans);

  // log of the sum of exp(score) over all trees; -infinity when there is none.
  double log_partition(const SpanScores& scores, const SpanRules& rules);

  // Probability of each labelled span into out, as large as the scores, zeros when no tree exists; returns log Z.
  double marginals(const SpanScores& scores, const SpanRules& rules, std::span<double> out);

  // The k best distinct trees, best first; fewer only if fewer exist.
  std::vector<ScoredSpans> kbest(const SpanScores& scores, const SpanRules& rules, int k);

  // Exact independent samples. The i-th sample depends on (scores, rules, seed, i) alone. Throws std::invalid_argument when no tree exists.
  std::vector<std::vector<LabelledSpan>> sample(const SpanScores& scores, const SpanRules& rules, int count, uint64_t seed);

  // Shannon entropy in nats; -infinity when no tree exists.
  double entropy(const SpanScores& scores, const SpanRules& rules);

  // The tree that maximises the sum over its labelled spans of (probability - threshold): at 1/2, the tree with the fewest wrong and
  // missing spans that is to be expected. Returns that sum; -infinity when no tree exists.
  double least_risk(const SpanScores& scores, const SpanRules& rules, double threshold, std::vector<LabelledSpan>& spans);

  // The same from marginals that are known.
  double least_risk_of(const SpanScores& marginals, const SpanScores& scores, const SpanRules& rules, double threshold,
                       std::vector<LabelledSpan>& spans);

 private:
  SpanScores folded_best(const SpanScores& scores);
  SpanScores folded_sum(const SpanScores& scores);
  template <class Use>
  auto with_shares(const SpanScores& scores, const SpanRules& rules, Use&& use);

  std::vector<double> folded_, values_, gains_;
  std::vector<int32_t> best_labels_;
  std::vector<std::size_t> agenda_;
  hypergraph::Expectations expectations_;
};

// Sum of the scores of the spans, always added in their order so that equal trees have equal scores.
double spans_score(const SpanScores& scores, std::span<const LabelledSpan> spans);

// Into preorder.
void sort_spans(std::vector<LabelledSpan>& spans);

}  // namespace accord::constituents
