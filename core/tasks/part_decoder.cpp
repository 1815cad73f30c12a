#include "core/tasks/part_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/graph/ad3.hpp"
#include "core/graph/belief_propagation.hpp"
#include "core/graph/nonlocal_parser.hpp"
#include "core/graph/branch_and_bound.hpp"
#include "core/graph/part_graph.hpp"
#include "core/graph/part_values.hpp"
#include "core/graph/path_indicators.hpp"
#include "core/tasks/part_backbone.hpp"
#include "core/tasks/part_sums.hpp"
#include "core/tasks/tree_climbing.hpp"

namespace accord::tasks {

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
    : projective_(projective), single_root_(single_root), space_(trees::make_tree_space(projective, single_root)) {}

// The tree of the largest total weight; equal weights are told apart by scores.
bool PartDecoder::best_tree(const trees::PartLayout& layout, std::span<const double> weights, std::span<const double> scores) {
  if (!projective_ && layout.words() > trees::dense_words) return best_long_tree(layout, weights, scores);
  const auto size = static_cast<size_t>(layout.words()) + 1;
  dense_.assign(size * size, trees::kForbidden);
  const auto cell = [&](int head, int dependent) -> double& {
    return dense_[static_cast<size_t>(head) * size + static_cast<size_t>(dependent)];
  };
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    const auto a = static_cast<size_t>(arc);
    if (evidence_.empty() || evidence_[a] != 0) cell(layout.head(arc), layout.dependent(arc)) = weights[a] + 1e-6 * scores[a];
  }
  for (int arc = 0; arc < layout.arcs() && !evidence_.empty(); ++arc)
    for (int head = 0; head <= layout.words() && evidence_[static_cast<size_t>(arc)] == 1; ++head)
      if (head != layout.head(arc)) cell(head, layout.dependent(arc)) = trees::kForbidden;
  heads_.resize(size);
  return space_->argmax({dense_.data(), layout.words()}, heads_) > trees::kForbidden;
}

bool PartDecoder::best_long_tree(const trees::PartLayout& layout, std::span<const double> weights, std::span<const double> scores) {
  std::vector<int32_t> starts(1, 0), arc_heads;
  masked_.clear();
  for (int m = 0; m <= layout.words(); ++m) {
    const int first = layout.first_entering(m), last = first + layout.entering(m);
    const auto required = [&](int arc) { return !evidence_.empty() && evidence_[static_cast<size_t>(arc)] == 1; };
    int only = -1;
    for (int arc = first; arc < last; ++arc)
      if (required(arc)) only = arc;
    for (int arc = first; arc < last; ++arc) {
      const auto a = static_cast<size_t>(arc);
      const bool free = (evidence_.empty() || evidence_[a] != 0) && (only < 0 || only == arc);
      arc_heads.push_back(layout.head(arc));
      masked_.push_back(free ? weights[a] + 1e-6 * scores[a] : trees::kForbidden);
    }
    starts.push_back(static_cast<int32_t>(arc_heads.size()));
  }
  heads_.resize(static_cast<size_t>(layout.words()) + 1);
  return sparse_.solve(layout.words(), starts, arc_heads, masked_, single_root_, heads_) > trees::kForbidden;
}

// Arcs of score -infinity are fixed to be absent.
graph::FactorGraph PartDecoder::make_graph(const trees::PartLayout& layout, std::span<const double> scores,
                                           std::span<const int8_t> known) {
  const auto arcs = static_cast<size_t>(layout.arcs());
  const auto forbidden = [](double score) { return score == trees::kForbidden; };
  if (std::none_of(scores.begin(), scores.begin() + layout.arcs(), forbidden)) {
    graph::FactorGraph graph = graph::make_part_graph(layout, scores, projective_, single_root_);
    if (known.empty()) return graph;
    std::vector<int8_t> evidence(known.begin(), known.end());
    evidence.resize(graph.variables(), -1);
    graph.set_evidence(evidence);
    return graph;
  }
  std::vector<double> finite(scores.begin(), scores.end());
  std::replace_if(finite.begin(), finite.begin() + layout.arcs(), forbidden, 0.0);
  graph::FactorGraph graph = graph::make_part_graph(layout, finite, projective_, single_root_);
  std::vector<int8_t> evidence(known.begin(), known.end());
  evidence.resize(graph.variables(), -1);
  for (size_t arc = 0; arc < arcs; ++arc)
    if (forbidden(scores[arc])) evidence[arc] = 0;
  graph.set_evidence(evidence);
  return graph;
}

bool PartDecoder::chart_is_exact(const trees::PartLayout& layout) const {
  return has_chart(layout.families(), projective_);
}

bool PartDecoder::decode_by_chart(const trees::PartLayout& layout, std::span<const double> scores, std::span<int32_t> heads) {
  chart_.prepare(layout, {trees::PartModel::full, single_root_, true});
  if (evidence_.empty()) return chart_.argmax(scores, heads) > trees::kForbidden;
  masked_.assign(scores.begin(), scores.end());
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    const int first = layout.first_entering(layout.dependent(arc)), last = first + layout.entering(layout.dependent(arc));
    if (evidence_[static_cast<size_t>(arc)] == 0) masked_[static_cast<size_t>(arc)] = trees::kForbidden;
    for (int rival = first; rival < last && evidence_[static_cast<size_t>(arc)] == 1; ++rival)
      if (rival != arc) masked_[static_cast<size_t>(rival)] = trees::kForbidden;
  }
  return chart_.argmax(masked_, heads) > trees::kForbidden;
}

void PartDecoder::set_posteriors(const trees::PartLayout& layout, std::span<const int32_t> heads) {
  posteriors_.assign(static_cast<size_t>(layout.arcs()), 0.0);
  for (int arc = 0; arc < layout.arcs(); ++arc)
    posteriors_[static_cast<size_t>(arc)] = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
}

Decoded PartDecoder::decode_nonlocal(const trees::PartLayout& layout, std::span<const double> scores,
                                     const DecoderSettings& settings, std::span<int32_t> heads) {
  if (!projective_) throw std::invalid_argument("solver 'nonlocal' is for projective models");
  const auto size = static_cast<size_t>(layout.words()) + 1;
  dense_.assign(size * size, trees::kForbidden);
  for (int arc = 0; arc < layout.arcs(); ++arc)
    if (evidence_.empty() || evidence_[static_cast<size_t>(arc)] != 0)
      dense_[static_cast<size_t>(layout.head(arc)) * size + static_cast<size_t>(layout.dependent(arc))] = scores[static_cast<size_t>(arc)];
  for (int arc = 0; arc < layout.arcs() && !evidence_.empty(); ++arc)  // a required arc is one whose rivals are forbidden
    for (size_t h = 0; evidence_[static_cast<size_t>(arc)] == 1 && h < size; ++h)
      if (static_cast<int>(h) != layout.head(arc)) dense_[h * size + static_cast<size_t>(layout.dependent(arc))] = trees::kForbidden;
  graph::NonlocalParser parser({dense_.data(), layout.words()}, nonlocal_factors(layout, scores, !settings.chart_grandparents), true,
                               single_root_, std::make_unique<PartBackbone>(layout, scores, single_root_, settings.chart_grandparents));
  graph::NonlocalOptions options;
  options.max_nodes = settings.nodes;
  options.time_limit = settings.seconds;
  const graph::NonlocalResult result = parser.solve(1, options);
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

graph::Ad3Settings PartDecoder::relaxed(const DecoderSettings& settings) const {
  graph::Ad3Settings ad3;
  ad3.iterations = settings.iterations;
  ad3.seconds = settings.seconds;
  ad3.gap = settings.gap;
  ad3.residual = 1e-4;
  ad3.check_every = 5;
  return ad3;
}

// The best projective tree is most often the best tree of all: the bound then has something to meet.
bool PartDecoder::start_from_tree(const trees::PartLayout& layout, std::span<const double> scores, std::span<const int32_t> start,
                                  std::span<int32_t> heads, const DecoderSettings& settings) {
  if ((std::isinf(settings.seconds) || layout.words() <= chart_words) && decode_by_chart(layout, scores, heads)) return true;
  std::copy(start.begin(), start.end(), heads.begin());
  return !start.empty();
}

double PartDecoder::relax(const trees::PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                          std::span<double> values) {
  evidence_ = {};
  graph::PartRoles roles;
  graph::FactorGraph graph = graph::make_part_graph(layout, scores, projective_, single_root_, &roles);
  graph::Ad3 relaxation(graph);
  graph::Ad3Settings ad3 = relaxed(settings);
  std::vector<int32_t> heads(static_cast<size_t>(layout.words()) + 1, -1);
  const auto arcs = static_cast<size_t>(layout.arcs());
  if (start_from_tree(layout, scores, {}, heads, settings)) {
    candidate_.resize(arcs);
    for (int arc = 0; arc < layout.arcs(); ++arc)
      candidate_[static_cast<size_t>(arc)] = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
    ad3.candidate = candidate_;
  }
  const graph::Result result = relaxation.solve(ad3);
  if (result.status == graph::Status::optimal) {
    std::fill(values.begin(), values.end(), 0.0);
    for (size_t arc = 0; arc < arcs; ++arc)
      if (result.assignment[arc]) heads[static_cast<size_t>(layout.dependent(static_cast<int>(arc)))] = layout.head(static_cast<int>(arc));
    std::vector<size_t> slots;
    layout.parts_of(heads, slots);
    for (const size_t slot : slots) values[slot] = 1;
  } else {
    graph::relaxed_part_values(graph, roles, relaxation, std::span(result.posteriors).first(arcs), values);
  }
  double score = 0;
  for (size_t slot = 0; slot < values.size(); ++slot)
    if (values[slot] != 0) score += values[slot] * scores[slot];
  return score;
}

Decoded PartDecoder::decode(const trees::PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
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
        "solver 'chart' is for projective models whose parts are sibling, grandparent, outer_grandparent, grand_sibling and tri_sibling");
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
  graph::FactorGraph graph = make_graph(layout, scores, evidence);
  const std::span<const double> arc_scores = scores.first(static_cast<size_t>(layout.arcs()));
  const graph::PathIndicators indicators(layout, projective_);
  const auto assign = [&](std::span<const int32_t> tree, std::span<uint8_t> assignment) {
    for (int arc = 0; arc < layout.arcs(); ++arc)
      assignment[static_cast<size_t>(arc)] = tree[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
    if (indicators.size() == 0) return;
    const std::vector<uint8_t> values = indicators.values(tree);
    std::copy(values.begin(), values.end(), assignment.begin() + layout.arcs());
  };
  const graph::Rounding round = [&](std::span<const double> values, std::span<uint8_t> assignment) {
    if (!best_tree(layout, values, arc_scores)) return false;
    assign(heads_, assignment);
    return true;
  };
  const auto search = [&](int nodes, graph::Ad3& relaxation, graph::Result& result) {
    graph::BranchSettings branches;
    branches.seconds = settings.seconds - result.seconds;
    branches.gap = settings.gap;
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
    graph::Result found = graph::branch_and_bound(graph, branches);
    found.iterations += result.iterations;
    found.bound = std::min(found.bound, result.bound);
    if (found.value < result.value) found.value = result.value, found.assignment = result.assignment;
    result = std::move(found);
  };
  graph::Result result;
  switch (settings.solver) {
    case Solver::automatic:
    case Solver::chart:
    case Solver::ad3: {
      graph::Ad3 relaxation(graph);
      graph::Ad3Settings ad3 = relaxed(settings);
      ad3.round = round;
      if (start_from_tree(layout, scores, start, heads, settings)) {
        candidate_.resize(graph.variables());
        assign(heads, candidate_);
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
      subgradient.tolerance = settings.gap;
      subgradient.step_rule = settings.step_rule;
      subgradient.round = round;
      result = graph::Subgradient(graph).solve(subgradient);
      break;
    }
    case Solver::nonlocal: break;  // answered above
    case Solver::branch_and_bound: {
      graph::Ad3 relaxation(graph);
      search(settings.nodes, relaxation, result);
      break;
    }
    case Solver::belief_propagation: {
      graph::BeliefSettings beliefs;
      beliefs.iterations = settings.iterations;
      beliefs.seconds = settings.seconds;
      beliefs.tolerance = 1e-4;
      beliefs.damping = 0.2;
      result = graph::BeliefPropagation(graph).solve(beliefs);
      result.assignment.clear();  // the tree of the beliefs instead of one factor's answer after another
      break;
    }
  }
  posteriors_ = result.posteriors;
  if (posteriors_.size() > arc_scores.size()) posteriors_.resize(arc_scores.size());
  decoded.status = result.status;
  decoded.bound = result.bound;
  decoded.iterations = result.iterations;
  if (!result.assignment.empty()) {
    for (int arc = 0; arc < layout.arcs(); ++arc)
      if (result.assignment[static_cast<size_t>(arc)]) heads[static_cast<size_t>(layout.dependent(arc))] = layout.head(arc);
  } else {
    if (posteriors_.empty()) posteriors_.assign(arc_scores.begin(), arc_scores.end());  // no time for any answer
    if (!best_tree(layout, posteriors_, arc_scores)) throw std::invalid_argument("the candidate arcs contain no tree");
    std::copy(heads_.begin(), heads_.end(), heads.begin());
  }
  const bool in_time = std::isinf(settings.seconds) || layout.words() <= climbing_words;
  if (indicators.size() == 0 || decoded.status == graph::Status::optimal || !in_time) {
    decoded.score = layout.score(scores, heads);
    return decoded;
  }
  // Few rounds leave indicators undecided, and the tree of the arcs' values with less than it could have.
  decoded.score = climb(layout, scores, {projective_, single_root_, evidence_}, heads);
  if (decoded.score >= decoded.bound - settings.gap * (1 + std::fabs(decoded.bound))) decoded.status = graph::Status::optimal;
  return decoded;
}

}  // namespace accord::tasks
