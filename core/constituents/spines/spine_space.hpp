// SPDX-License-Identifier: Apache-2.0
// The usual questions about the derivations of a sentence, by the scores of their parts: P(derivation) ~ exp(score).
//
// An object owns the buffers it works in: use one per thread and reuse it. Scores stand by part (spine_graph.hpp); that of part 0 is zero,
// and none is NaN or +infinity.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/spines/spine_graph.hpp"
#include "core/hypergraph/outside.hpp"

namespace accord::constituents {

struct ScoredDerivation {
  double score;
  SpineDerivation derivation;
};

class SpineSpace {
 public:
  // Best derivation; returns its score, or -infinity when there is none. `parts`: where asked for, those it is made of.
  double argmax(const SpineGraph& graph, std::span<const double> scores, SpineDerivation& derivation, std::vector<size_t>* parts = nullptr);

  // log of the sum of exp(score) over all derivations.
  double log_partition(const SpineGraph& graph, std::span<const double> scores);

  // The probability of each part into out, as large as the scores; returns log Z.
  double marginals(const SpineGraph& graph, std::span<const double> scores, std::span<double> out);

  // The best derivations whose trees differ, best first: of several derivations of a tree, the best. Looks at `most` derivations for each
  // tree asked for, then gives up.
  std::vector<ScoredDerivation> kbest(const SpineGrammar& grammar, const SpineGraph& graph, std::span<const double> scores, int k,
                                      int most = 64);

  // Exact independent samples. The i-th depends on (scores, seed, i) alone.
  std::vector<SpineDerivation> sample(const SpineGraph& graph, std::span<const double> scores, int count, uint64_t seed);

 private:
  std::vector<double> values_;
  std::vector<std::size_t> agenda_;
  hypergraph::Expectations expectations_;
};

}  // namespace accord::constituents
