// SPDX-License-Identifier: Apache-2.0
// From relaxed values to an assignment: threshold at one half, then let every factor that forbids the result choose its
// nearest configuration, in a few sweeps. False when some factor still objects. (sequential_rounding.hpp lets factors
// answer in turn instead; solvers try both.)
#pragma once
#include <span>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

// `unit`: the size of one score (scale.hpp).
bool round_and_repair(const FactorGraph& graph, std::span<const double> values, double unit, std::span<uint8_t> assignment);

}  // namespace accord::graph
