// SPDX-License-Identifier: Apache-2.0
// The best tree through the factor graph of a layout: dual decomposition, or branch and bound.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/branch_and_bound.hpp"
#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_search.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/parses/graphs/path_indicators.hpp"
#include "core/parses/graphs/tree_arcs.hpp"
#include "core/parses/parts/narrowed_parts.hpp"

namespace accord::parses {

// Arcs of score -infinity are fixed to be absent.
graph::FactorGraph PartDecoder::make_graph(const PartLayout& layout, std::span<const double> scores) const {
  const auto forbidden = [](double score) { return score == trees::kForbidden; };
  const std::span<const double> arc_scores = scores.first(static_cast<size_t>(layout.arcs()));
  std::vector<double> finite;
  if (std::any_of(arc_scores.begin(), arc_scores.end(), forbidden)) {
    finite.assign(scores.begin(), scores.end());
    std::replace_if(finite.begin(), finite.begin() + layout.arcs(), forbidden, 0.0);
  }
  graph::FactorGraph graph = make_part_graph(layout, finite.empty() ? scores : finite, projective_, single_root_);
  if (finite.empty() && evidence_.empty()) return graph;
  std::vector<int8_t> evidence(evidence_.begin(), evidence_.end());
  evidence.resize(graph.variables(), -1);
  for (size_t arc = 0; arc < arc_scores.size(); ++arc)
    if (forbidden(arc_scores[arc])) evidence[arc] = 0;
  graph.set_evidence(evidence);
  return graph;
}

// Arcs that may not be are left out at once.
Decoded PartDecoder::decode_by_search(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                                      std::span<int32_t> heads, std::span<const int32_t> start) {
  std::vector<int32_t> best;
  if (start_from_tree(layout, scores, start, heads, settings)) best.assign(heads.begin(), heads.end());
  masked_.assign(scores.begin(), scores.begin() + layout.arcs());
  mask(layout, masked_);
  std::vector<uint8_t> allowed;
  for (const double score : masked_) allowed.push_back(score > trees::kForbidden);
  std::optional<NarrowedParts> fewer;
  if (std::find(allowed.begin(), allowed.end(), uint8_t{0}) != allowed.end()) fewer.emplace(layout, scores, allowed);

  PartSearchSettings search{relaxed(settings), settings.search_nodes, projective_, single_root_, {}};
  search.best_tree = [this](const PartLayout& left, std::span<const double> weights, std::span<const double> arc_scores,
                            std::span<int32_t> found) {
    if (!best_tree(left, weights, arc_scores)) return false;
    std::copy(heads_.begin(), heads_.end(), found.begin());
    return true;
  };
  const std::span<const int8_t> evidence = std::exchange(evidence_, {});
  Decoded decoded = PartSearch(std::move(search)).run(fewer ? fewer->layout() : layout, fewer ? fewer->scores() : scores, best);
  evidence_ = evidence;
  if (fewer) decoded.bound += fewer->constant();
  if (best.empty()) {  // no time for any answer
    if (!best_tree(layout, scores.first(static_cast<size_t>(layout.arcs())), scores))
      throw std::invalid_argument("the candidate arcs contain no tree");
    best = heads_;
  }
  std::copy(best.begin(), best.end(), heads.begin());
  set_posteriors(layout, heads);
  decoded.score = layout.score(scores, heads);
  return decoded;
}

Decoded PartDecoder::decode_by_graph(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                                     std::span<int32_t> heads, std::span<const int32_t> start) {
  if (settings.solver == Solver::automatic && settings.search_nodes > 0 && NarrowedParts::covers(layout.families()))
    return decode_by_search(layout, scores, settings, heads, start);
  graph::FactorGraph graph = make_graph(layout, scores);
  const std::span<const double> arc_scores = scores.first(static_cast<size_t>(layout.arcs()));
  const PathIndicators indicators(layout, projective_);
  const graph::Rounding round = [&](std::span<const double> values, std::span<uint8_t> assignment) {
    if (!best_tree(layout, values, arc_scores)) return false;
    mark_tree(layout, indicators, heads_, assignment);
    return true;
  };
  const auto search = [&](int nodes, graph::Ad3& relaxation, graph::Solution& result) {
    graph::BranchSettings branches;
    branches.seconds = settings.seconds - result.seconds;
    branches.gap = settings.graph_gap;
    branches.nodes = nodes;
    branches.decisive = static_cast<size_t>(layout.arcs());
    branches.start = result.assignment;
    branches.bound = [&](double seconds, double level) {
      graph::Ad3Settings ad3 = relaxed(settings);
      ad3.round = round;
      ad3.seconds = seconds;
      ad3.level = level;
      if (settings.solver == Solver::automatic) ad3.iterations = std::min(ad3.iterations, search_rounds);
      return relaxation.solve(ad3);
    };
    graph::Solution found = graph::branch_and_bound(graph, branches);
    found.iterations += result.iterations;
    found.bound = std::min(found.bound, result.bound);
    if (found.value < result.value) found.value = result.value, found.assignment = result.assignment;
    result = std::move(found);
  };
  graph::Solution result;
  switch (settings.solver) {
    case Solver::automatic:
    case Solver::chart:
    case Solver::ad3: {
      graph::Ad3 relaxation(graph);
      graph::Ad3Settings ad3 = relaxed(settings);
      ad3.round = round;
      if (start_from_tree(layout, scores, start, heads, settings)) {
        candidate_.resize(graph.variables());
        mark_tree(layout, indicators, heads, candidate_);
        ad3.candidate = candidate_;
      }
      result = relaxation.solve(ad3);
      if (settings.solver == Solver::automatic && settings.search_nodes > 0 && result.status != graph::Status::optimal)
        search(settings.search_nodes, relaxation, result);
      break;
    }
    case Solver::subgradient: {
      graph::SubgradientSettings subgradient;
      subgradient.iterations = settings.iterations;
      subgradient.seconds = settings.seconds;
      subgradient.tolerance = settings.graph_gap;
      subgradient.step_rule = settings.step_rule;
      subgradient.round = round;
      result = graph::Subgradient(graph).solve(subgradient);
      break;
    }
    case Solver::nonlocal:
    case Solver::belief_propagation:
      break;  // answered elsewhere
    case Solver::branch_and_bound: {
      graph::Ad3 relaxation(graph);
      search(settings.nodes, relaxation, result);
      break;
    }
  }
  posteriors_ = result.posteriors;
  if (posteriors_.size() > arc_scores.size()) posteriors_.resize(arc_scores.size());
  Decoded decoded;
  decoded.status = result.status;
  decoded.bound = result.bound;
  decoded.iterations = result.iterations;
  if (!result.assignment.empty()) {
    read_heads(layout, result.assignment, heads);
  } else {
    if (posteriors_.empty()) posteriors_.assign(arc_scores.begin(), arc_scores.end());  // no time for any answer
    if (!best_tree(layout, posteriors_, arc_scores)) throw std::invalid_argument("the candidate arcs contain no tree");
    std::copy(heads_.begin(), heads_.end(), heads.begin());
  }
  decoded.score = layout.score(scores, heads);
  if (indicators.size() > 0) climb_from(layout, scores, settings, heads, decoded);
  return decoded;
}

}  // namespace accord::parses
