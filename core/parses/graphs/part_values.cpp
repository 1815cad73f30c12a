// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/part_values.hpp"

#include <algorithm>
#include <vector>

namespace accord::parses {

void relaxed_part_values(const graph::FactorGraph& graph, const PartRoles& roles, graph::Ad3& solved, std::span<const double> posteriors,
                         std::span<double> values) {
  constexpr double certain = 1e4;  // log-odds that leave one configuration
  std::fill(values.begin(), values.end(), 0.0);
  std::copy_n(posteriors.begin(), roles.complete[0], values.begin());  // those of the tree
  std::vector<double> scores, counts;
  for (size_t f = 0; f < graph.factors(); ++f) {
    const size_t first = roles.starts[f], parts = roles.starts[f + 1] - first;
    if (parts == 0) continue;
    graph::Factor& factor = graph.factor(f);
    counts.resize(parts);
    solved.for_each_configuration_of(f, [&](std::span<const int32_t> on, double share) {
      if (share <= 0) return;
      scores.assign(factor.size(), -certain);
      for (const int32_t variable : on) scores[static_cast<size_t>(variable)] = certain;
      factor.part_marginals(scores, counts);
      for (size_t part = 0; part < parts; ++part)
        if (const size_t slot = roles.slots[first + part]; slot != PartRoles::none) values[slot] += share * counts[part];
    });
  }
  roles.fill_indicated(posteriors, values);
}

}  // namespace accord::parses
