// SPDX-License-Identifier: Apache-2.0
// The best tree under the scores of arcs alone, and the best projective one under those of all parts; both agree with the evidence.
#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"

namespace accord::parses {

// Forbids what the evidence does, and the rivals of what it requires.
void PartDecoder::mask(const PartLayout& layout, std::span<double> scores) const {
  for (int arc = 0; arc < layout.arcs() && !evidence_.empty(); ++arc) {
    const int8_t known = evidence_[static_cast<size_t>(arc)];
    if (known == 0) scores[static_cast<size_t>(arc)] = trees::kForbidden;
    const int first = layout.first_entering(layout.dependent(arc)), last = first + layout.entering(layout.dependent(arc));
    for (int rival = first; rival < last && known == 1; ++rival)
      if (rival != arc) scores[static_cast<size_t>(rival)] = trees::kForbidden;
  }
}

trees::ArcScores PartDecoder::dense_scores(const PartLayout& layout, std::span<const double> arc_scores) {
  const auto size = static_cast<size_t>(layout.words()) + 1;
  dense_.assign(size * size, trees::kForbidden);
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    const auto head = static_cast<size_t>(layout.head(arc)), dependent = static_cast<size_t>(layout.dependent(arc));
    dense_[head * size + dependent] = arc_scores[static_cast<size_t>(arc)];
  }
  return {dense_.data(), layout.words()};
}

// The tree of the largest total weight; equal weights are told apart by scores.
bool PartDecoder::best_tree(const PartLayout& layout, std::span<const double> weights, std::span<const double> scores) {
  masked_.resize(static_cast<size_t>(layout.arcs()));
  for (size_t arc = 0; arc < masked_.size(); ++arc) masked_[arc] = weights[arc] + 1e-6 * scores[arc];
  mask(layout, masked_);
  heads_.resize(static_cast<size_t>(layout.words()) + 1);
  const bool sparse = !projective_ && layout.words() > trees::dense_words;
  return (sparse ? solve_sparse(layout) : space_->argmax(dense_scores(layout, masked_), heads_)) > trees::kForbidden;
}

double PartDecoder::solve_sparse(const PartLayout& layout) {
  std::vector<int32_t> starts, arc_heads;
  for (int word = 0; word <= layout.words() + 1; ++word) starts.push_back(layout.first_entering(word));
  for (int arc = 0; arc < layout.arcs(); ++arc) arc_heads.push_back(layout.head(arc));
  return sparse_.solve(layout.words(), starts, arc_heads, masked_, single_root_, heads_);
}

bool PartDecoder::chart_is_exact(const PartLayout& layout) const { return has_chart(layout.families(), projective_); }

bool PartDecoder::decode_by_chart(const PartLayout& layout, std::span<const double> scores, std::span<int32_t> heads) {
  chart_.prepare(layout, {PartModel::full, single_root_, true});
  if (evidence_.empty()) return chart_.argmax(scores, heads) > trees::kForbidden;
  masked_.assign(scores.begin(), scores.end());
  mask(layout, masked_);
  return chart_.argmax(masked_, heads) > trees::kForbidden;
}

}  // namespace accord::parses
