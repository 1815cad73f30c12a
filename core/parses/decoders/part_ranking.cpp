// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_ranking.hpp"

#include <utility>

#include "core/hypergraph/partition.hpp"
#include "core/parses/decoders/part_sums.hpp"

namespace accord::parses {

namespace {

// Subsets of trees are cut out by required and forbidden arcs.
class DecoderOracle {
 public:
  struct Subset {
    std::vector<int32_t> heads;
    std::vector<int8_t> evidence;
  };

  DecoderOracle(PartDecoder& decoder, const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings)
      : decoder_(decoder),
        layout_(layout),
        scores_(scores),
        settings_(settings) {}

  template <class Add>
  void all(Add&& add) {
    solve(std::vector<int8_t>(static_cast<size_t>(layout_.arcs()), -1), add);
  }

  template <class Add>
  void split(const Subset& subset, Add&& add) {
    std::vector<int8_t> evidence = subset.evidence;
    for (int m = 1; m <= layout_.words(); ++m) {
      const int arc = layout_.find(subset.heads[static_cast<size_t>(m)], m);
      int choices = 0;
      for (int a = layout_.first_entering(m); a < layout_.first_entering(m) + layout_.entering(m); ++a)
        choices += evidence[static_cast<size_t>(a)] != 0;
      if (choices > 1) {
        evidence[static_cast<size_t>(arc)] = 0;
        solve(evidence, add);
      }
      for (int a = layout_.first_entering(m); a < layout_.first_entering(m) + layout_.entering(m); ++a)
        evidence[static_cast<size_t>(a)] = a == arc;
    }
  }

 private:
  template <class Add>
  void solve(std::vector<int8_t> evidence, Add& add) {
    std::vector<int32_t> heads(static_cast<size_t>(layout_.words()) + 1, -1);
    const Decoded decoded = decoder_.decode(layout_, scores_, settings_, heads, evidence);
    if (decoded.status == graph::Status::infeasible) return;
    const bool proved = decoded.status == graph::Status::optimal;
    add({decoded.score, {std::move(heads), std::move(evidence)}, proved, decoded.bound});
  }

  PartDecoder& decoder_;
  const PartLayout& layout_;
  std::span<const double> scores_;
  const DecoderSettings& settings_;
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
  DecoderOracle oracle(decoder, layout, scores, settings);
  std::vector<RankedParse> ranked;
  for (auto& answer : hypergraph::Partition(oracle, hypergraph::Equals::oldest_first, settings.gap).best(k))
    ranked.push_back({answer.score, std::move(answer.subset.heads), answer.certified});
  return ranked;
}

}  // namespace accord::parses
