// From relaxed values to an assignment that every factor allows, by two cheap ways; neither is sure to succeed.
//
//   repaired    threshold at one half, then let every factor that forbids the result choose its nearest configuration, in a
//               few sweeps;
//   in order    factor after factor takes its best configuration given what is decided already, following the relaxed
//               values first and scores where these leave a choice.
#pragma once
#include <span>

#include "core/graph/factor_graph.hpp"

namespace accord::graph {

bool round_and_repair(const FactorGraph& graph, std::span<const double> values, std::span<uint8_t> assignment);
bool round_in_order(const FactorGraph& graph, std::span<const double> values, std::span<uint8_t> assignment);

}  // namespace accord::graph
