// SPDX-License-Identifier: Apache-2.0
// The tree of the largest expected number of right arcs, by what belief propagation over words says of each arc. Messages over the
// binary variables of the factor graph would not do: part_beliefs.hpp says why.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/parses/graphs/path_indicators.hpp"

namespace accord::parses {

Decoded PartDecoder::decode_by_beliefs(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                                       std::span<int32_t> heads) {
  constexpr double below = 200;  // so far below all others, an arc has no weight
  const auto arcs = static_cast<size_t>(layout.arcs());
  std::vector<double> finite(scores.begin(), scores.end()), probabilities(scores.size());
  const std::span<double> arc_scores = std::span(finite).first(arcs);
  mask(layout, arc_scores);
  double least = 0;
  for (const double score : arc_scores)
    if (score > trees::kForbidden) least = std::min(least, score);
  std::replace(arc_scores.begin(), arc_scores.end(), trees::kForbidden, least - below);

  if (!sums_) sums_ = std::make_unique<PartSums>(projective_, single_root_);
  PartBeliefSettings beliefs;
  beliefs.sweeps = settings.iterations;
  beliefs.seconds = settings.seconds;
  sums_->run_beliefs(layout, finite, beliefs, probabilities);
  posteriors_.assign(probabilities.begin(), probabilities.begin() + layout.arcs());
  if (!best_tree(layout, posteriors_, scores)) throw std::invalid_argument("the candidate arcs contain no tree");
  std::copy(heads_.begin(), heads_.end(), heads.begin());

  Decoded decoded;
  decoded.status = sums_->settled() ? graph::Status::estimate : graph::Status::budget;
  decoded.iterations = sums_->sweeps();
  decoded.score = layout.score(scores, heads);
  if (PathIndicators(layout, projective_).size() > 0) climb_from(layout, scores, settings, heads, decoded);
  return decoded;
}

}  // namespace accord::parses
