// SPDX-License-Identifier: Apache-2.0
// AD3's relaxation: its settings, the tree that it starts from, and its solution with the values of all parts.
#include <algorithm>
#include <cmath>

#include "core/graph/solvers/ad3.hpp"
#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/parses/graphs/part_values.hpp"
#include "core/parses/graphs/tree_arcs.hpp"

namespace accord::parses {

graph::Ad3Settings PartDecoder::relaxed(const DecoderSettings& settings) const {
  graph::Ad3Settings ad3;
  ad3.iterations = settings.iterations;
  ad3.seconds = settings.seconds;
  ad3.gap = settings.graph_gap;
  ad3.residual = 1e-4;
  ad3.check_every = 5;
  return ad3;
}

// The best projective tree is most often the best tree of all: the bound then has something to meet.
bool PartDecoder::start_from_tree(const PartLayout& layout, std::span<const double> scores, std::span<const int32_t> start,
                                  std::span<int32_t> heads, const DecoderSettings& settings) {
  if ((std::isinf(settings.seconds) || layout.words() <= chart_words) && decode_by_chart(layout, scores, heads)) return true;
  std::copy(start.begin(), start.end(), heads.begin());
  return !start.empty();
}

double PartDecoder::relax(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                          std::span<double> values) {
  evidence_ = {};
  PartRoles roles;
  graph::FactorGraph graph = make_part_graph(layout, scores, projective_, single_root_, &roles);
  graph::Ad3 relaxation(graph);
  graph::Ad3Settings ad3 = relaxed(settings);
  std::vector<int32_t> heads(static_cast<size_t>(layout.words()) + 1, -1);
  if (start_from_tree(layout, scores, {}, heads, settings)) {
    candidate_.resize(graph.variables());
    mark_tree(layout, PathIndicators(layout, projective_), heads, candidate_);
    ad3.candidate = candidate_;
  }
  const graph::Solution result = relaxation.solve(ad3);
  if (result.status == graph::Status::optimal) {
    std::fill(values.begin(), values.end(), 0.0);
    read_heads(layout, result.assignment, heads);
    std::vector<size_t> slots;
    layout.parts_of(heads, slots);
    for (const size_t slot : slots) values[slot] = 1;
  } else {
    relaxed_part_values(graph, roles, relaxation, result.posteriors, values);
  }
  double score = 0;
  for (size_t slot = 0; slot < values.size(); ++slot)
    if (values[slot] != 0) score += values[slot] * scores[slot];
  return score;
}

}  // namespace accord::parses
