// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/parses/decoders/part_sums.hpp"
#include "core/parses/decoders/tree_climbing.hpp"
#include "core/parses/graphs/tree_arcs.hpp"
#include "core/parses/nonlocal/nonlocal_parser.hpp"
#include "core/parses/nonlocal/part_backbone.hpp"

namespace accord::parses {

Solver parse_solver(std::string_view name) {
  if (name == "auto") return Solver::automatic;
  if (name == "chart") return Solver::chart;
  if (name == "ad3") return Solver::ad3;
  if (name == "subgradient") return Solver::subgradient;
  if (name == "bp") return Solver::belief_propagation;
  if (name == "nonlocal") return Solver::nonlocal;
  if (name == "branch_and_bound") return Solver::branch_and_bound;
  throw std::invalid_argument("unknown solver '" + std::string(name) + "'");
}

PartDecoder::PartDecoder(bool projective, bool single_root)
    : projective_(projective),
      single_root_(single_root),
      space_(trees::make_tree_space(projective, single_root)) {}

PartDecoder::~PartDecoder() = default;

void PartDecoder::set_posteriors(const PartLayout& layout, std::span<const int32_t> heads) {
  posteriors_.assign(static_cast<size_t>(layout.arcs()), 0.0);
  mark_arcs<double>(layout, heads, posteriors_);
}

Decoded PartDecoder::decode_nonlocal(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                                     std::span<int32_t> heads) {
  if (!projective_) throw std::invalid_argument("solver 'nonlocal' is for projective models");
  masked_.assign(scores.begin(), scores.begin() + layout.arcs());
  mask(layout, masked_);
  auto backbone = std::make_unique<PartBackbone>(layout, scores, single_root_, settings.chart_grandparents);
  NonlocalParser parser(dense_scores(layout, masked_), nonlocal_factors(layout, scores, !settings.chart_grandparents), true, single_root_,
                        std::move(backbone));
  NonlocalOptions options;
  options.max_nodes = settings.nodes;
  options.time_limit = settings.seconds;
  const NonlocalResult result = parser.solve(1, options);
  Decoded decoded;
  decoded.status = result.status;
  decoded.bound = result.bound;
  decoded.iterations = static_cast<int>(result.calls);
  if (!result.trees.empty()) std::copy(result.trees[0].heads.begin(), result.trees[0].heads.end(), heads.begin());
  else if (!decode_by_chart(layout, scores, heads)) throw std::invalid_argument("the candidate arcs contain no tree");
  set_posteriors(layout, heads);
  decoded.score = layout.score(scores, heads);
  return decoded;
}

// Few rounds leave indicators of paths undecided, and the tree of the arcs' values with less than it could have.
void PartDecoder::climb_from(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                             std::span<int32_t> heads, Decoded& decoded) const {
  const bool in_time = std::isinf(settings.seconds) || layout.words() <= climbing_words;
  if (decoded.status == graph::Status::optimal || !in_time) return;
  decoded.score = climb(layout, scores, {projective_, single_root_, evidence_}, heads);
  if (decoded.score >= decoded.bound - settings.gap * (1 + std::fabs(decoded.bound))) decoded.status = graph::Status::optimal;
}

Decoded PartDecoder::decode(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                            std::span<int32_t> heads, std::span<const int8_t> evidence, std::span<const int32_t> start) {
  Decoded decoded;
  evidence_ = evidence;
  if (!evidence.empty() && !best_tree(layout, scores, scores)) {
    decoded.status = graph::Status::infeasible;
    decoded.score = decoded.bound = graph::impossible;
    return decoded;
  }
  const bool by_chart = settings.solver == Solver::chart || (settings.solver == Solver::automatic && chart_is_exact(layout));
  if (by_chart && !chart_is_exact(layout))
    throw std::invalid_argument(
        "solver 'chart' is for projective models whose parts are sibling, grandparent, outer_grandparent, grand_sibling and "
        "tri_sibling");
  if (by_chart || !layout.families().any()) {
    // Arcs alone: the tree itself is exact.
    const bool found = by_chart ? decode_by_chart(layout, scores, heads) : best_tree(layout, scores, scores);
    if (!found) throw std::invalid_argument("the candidate arcs contain no tree");
    if (!by_chart) std::copy(heads_.begin(), heads_.end(), heads.begin());
    set_posteriors(layout, heads);
    decoded.status = graph::Status::optimal;
    decoded.score = decoded.bound = layout.score(scores, heads);
    return decoded;
  }
  if (settings.solver == Solver::nonlocal) return decode_nonlocal(layout, scores, settings, heads);
  if (settings.solver == Solver::belief_propagation) return decode_by_beliefs(layout, scores, settings, heads);
  return decode_by_graph(layout, scores, settings, heads, start);
}

}  // namespace accord::parses
