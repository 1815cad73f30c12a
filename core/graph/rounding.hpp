// From relaxed values to an assignment: threshold at one half, then let every factor that forbids the result choose its
// nearest configuration. A few sweeps; false when
// some factor still objects.
#pragma once
#include <span>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

bool round_by_factors(const FactorGraph& graph, std::span<const double> values, std::span<uint8_t> assignment);

}  // namespace accord::graph
