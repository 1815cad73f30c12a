// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_sums.hpp"

#include <algorithm>
#include <cmath>

namespace accord::parses {

double PartSums::run(const PartLayout& layout, std::span<const double> scores, std::span<double> posteriors) {
  const PartFamilies& families = layout.families();
  const bool charted = has_chart(families, projective_), paths = families.path || (families.nonprojective && !projective_);
  settled_ = true;
  if (charted) {
    chart_.prepare(layout, {PartModel::full, single_root_, false});
    return chart_.marginals(scores, posteriors);
  }
  double log_partition = 0;
  const bool listed = paths && trees_.lists(layout);
  if (!listed) {
    log_partition = run_beliefs(layout, scores, {}, posteriors);
  }
  if (!paths) return log_partition;
  log_partition = trees_.run(layout, scores, listed ? std::span<const double>() : beliefs_.tree_weights(), posteriors);
  settled_ = trees_.power() == 1;
  return log_partition;
}

double PartSums::run_beliefs(const PartLayout& layout, std::span<const double> scores, PartBeliefSettings settings,
                             std::span<double> posteriors) {
  const graph::FactorGraph graph = make_part_graph(layout, scores, projective_, single_root_, &roles_, false);
  double log_partition = beliefs_.run(layout, graph, roles_, settings, posteriors);
  settled_ = beliefs_.settled();
  const bool finite = std::isfinite(log_partition) &&
                      std::all_of(posteriors.begin(), posteriors.end(), [](double probability) { return std::isfinite(probability); });
  if (finite) return log_partition;
  settings.sweeps = 0;
  log_partition = beliefs_.run(layout, graph, roles_, settings, posteriors);
  settled_ = false;
  for (double& probability : posteriors)
    if (!std::isfinite(probability)) probability = 0;
  return std::isfinite(log_partition) ? log_partition : 0;
}

}  // namespace accord::parses
