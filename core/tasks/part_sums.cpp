#include "core/tasks/part_sums.hpp"

#include <algorithm>
#include <cmath>

namespace accord::tasks {

double PartSums::run(const trees::PartLayout& layout, std::span<const double> scores, std::span<double> posteriors) {
  charted_ = has_chart(layout.families(), projective_);
  if (charted_) {
    chart_.prepare(layout, {trees::PartModel::full, single_root_, false});
    return chart_.marginals(scores, posteriors);
  }
  const graph::FactorGraph graph = graph::make_part_graph(layout, scores, projective_, single_root_, &roles_);
  graph::PartBeliefSettings settings;
  double log_partition = beliefs_.run(layout, graph, roles_, settings, posteriors);
  const bool finite = std::isfinite(log_partition) &&
                      std::all_of(posteriors.begin(), posteriors.end(), [](double probability) { return std::isfinite(probability); });
  if (finite) return log_partition;
  settings.sweeps = 0;
  log_partition = beliefs_.run(layout, graph, roles_, settings, posteriors);
  for (double& probability : posteriors)
    if (!std::isfinite(probability)) probability = 0;
  return std::isfinite(log_partition) ? log_partition : 0;
}

}  // namespace accord::tasks
