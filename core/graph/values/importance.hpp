// SPDX-License-Identifier: Apache-2.0
// Weighted samples of a value graph that is too wide for exact ones.
//
// Proposal: variables are drawn one after the other. A value is proposed by its belief (a marginal that belief propagation estimates) and
// by
//           each table that the variable completes: the score of the tuple, relative to what the table promises for the value on average
//           under the beliefs of the other variables. On independent variables with exact beliefs this is the distribution itself.
// Weight:   exp(score of the setting) / probability of proposing it. A setting that a table forbids has weight zero. The mean weight
//           estimates the partition function without bias, whatever the beliefs; good beliefs make weights even.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct WeightedSettings {
  std::vector<std::vector<int32_t>> settings;
  std::vector<double> log_weights;
};

// beliefs: of all values, as the graph's scores. Fewer than `count` when stopped.
WeightedSettings importance_samples(const ValueGraph& graph, std::span<const double> beliefs, size_t count, uint64_t seed,
                                    const Stop& stop);

}  // namespace accord::graph
