// SPDX-License-Identifier: Apache-2.0
#include "core/graph/scale.hpp"

#include <algorithm>

namespace accord::graph {

namespace {

constexpr double negligible = 0.02;     // scores of variables, beside the widths of factors
constexpr double share_of_width = 0.2;  // the unit, where they are

}  // namespace

Scale scale_of(const FactorGraph& graph) {
  double scores = 0, widths = 0;
  CarefulSum ceiling;
  size_t variables = 0;
  for (size_t r = 0; r < graph.variables(); ++r) {
    if (decided_alone(graph, r)) continue;
    scores += std::fabs(graph.scores()[r]);
    if (graph.scores()[r] > 0) ceiling.add(graph.scores()[r]);
    ++variables;
  }
  for (size_t s = 0; s < graph.factors(); ++s) {
    const OwnRange range = graph.factor(s).own_range();
    if (range.known()) widths += range.width();
    ceiling.add(range.highest);
  }
  const double score = scores / static_cast<double>(std::max<size_t>(1, variables));
  const double width = widths / static_cast<double>(std::max<size_t>(1, graph.factors()));
  Scale scale{scores + widths, score > negligible * width ? score : std::max(score, share_of_width * width), ceiling.value()};
  if (!(scale.unit > 0)) scale.unit = 1;  // nothing is at stake: any unit will do
  return scale;
}

double constant_of(const FactorGraph& graph) {
  CarefulSum total;
  if (graph.constant() != 0) total.add(graph.constant());
  for (size_t r = 0; r < graph.variables(); ++r)
    if (decided_alone(graph, r) && value_alone(graph, r)) total.add(graph.scores()[r]);
  return total.value();
}

}  // namespace accord::graph
