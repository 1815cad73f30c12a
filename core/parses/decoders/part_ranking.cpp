// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/graph/factor.hpp"
#include "core/parses/decoders/part_sums.hpp"

namespace accord::parses {

namespace {

struct Subspace {
  double score;  // of its answer
  bool proved;
  int number;  // order of creation: ties are broken the same way every time
  std::vector<int32_t> heads;
  std::vector<int8_t> evidence;

  bool operator<(const Subspace& other) const { return score != other.score ? score < other.score : number > other.number; }
};

class Ranking {
 public:
  Ranking(PartDecoder& decoder, const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings)
      : decoder_(decoder),
        layout_(layout),
        scores_(scores),
        settings_(settings) {}

  std::vector<RankedParse> run(int k) {
    std::vector<RankedParse> ranked;
    if (k < 1) return ranked;
    solve(std::vector<int8_t>(static_cast<size_t>(layout_.arcs()), -1));
    bool certified = true;
    while (!open_.empty()) {
      Subspace best = open_.top();
      open_.pop();
      certified = certified && best.proved && bound_ <= best.score + settings_.relative_gap * (1 + std::fabs(best.score));
      ranked.push_back({best.score, best.heads, certified});
      if (static_cast<int>(ranked.size()) == k) break;
      split(best);
    }
    // A search without proof may find a better tree later than a worse one.
    const auto unproved = std::find_if(ranked.begin(), ranked.end(), [](const RankedParse& parse) { return !parse.certified; });
    std::stable_sort(unproved, ranked.end(), [](const RankedParse& a, const RankedParse& b) { return a.score > b.score; });
    return ranked;
  }

 private:
  void solve(std::vector<int8_t> evidence) {
    std::vector<int32_t> heads(static_cast<size_t>(layout_.words()) + 1, -1);
    const Decoded decoded = decoder_.decode(layout_, scores_, settings_, heads, evidence);
    if (decoded.status == graph::Status::infeasible) return;
    const bool proved = decoded.status == graph::Status::optimal;
    if (!proved) bound_ = std::max(bound_, decoded.bound);
    open_.push({decoded.score, proved, created_++, std::move(heads), std::move(evidence)});
  }

  void split(const Subspace& subspace) {
    std::vector<int8_t> evidence = subspace.evidence;
    for (int m = 1; m <= layout_.words(); ++m) {
      const int arc = layout_.find(subspace.heads[static_cast<size_t>(m)], m);
      int choices = 0;
      for (int a = layout_.first_entering(m); a < layout_.first_entering(m) + layout_.entering(m); ++a)
        choices += evidence[static_cast<size_t>(a)] != 0;
      if (choices > 1) {
        evidence[static_cast<size_t>(arc)] = 0;
        solve(evidence);
      }
      for (int a = layout_.first_entering(m); a < layout_.first_entering(m) + layout_.entering(m); ++a)
        evidence[static_cast<size_t>(a)] = a == arc;
    }
  }

  PartDecoder& decoder_;
  const PartLayout& layout_;
  std::span<const double> scores_;
  const DecoderSettings& settings_;
  std::priority_queue<Subspace> open_;
  double bound_ = graph::impossible;  // of all subspaces whose answers are not proved
  int created_ = 0;
};

}  // namespace

std::vector<RankedParse> rank_parses(PartDecoder& decoder, const PartLayout& layout, std::span<const double> scores,
                                     const DecoderSettings& settings, int k) {
  if (has_chart(layout.families(), decoder.projective())) {
    PartChart chart;
    chart.prepare(layout, {PartModel::full, decoder.single_root(), false});
    std::vector<RankedParse> ranked;
    for (trees::ScoredTree& tree : chart.kbest(scores, k)) ranked.push_back({tree.score, std::move(tree.heads), true});
    return ranked;
  }
  return Ranking(decoder, layout, scores, settings).run(k);
}

}  // namespace accord::parses
