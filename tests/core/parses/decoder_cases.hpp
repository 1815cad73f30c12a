// SPDX-License-Identifier: Apache-2.0
// How the core's own tests search unless they say otherwise. Settings of the core have no defaults: those that users get are declared
// in Python.
#pragma once
#include <limits>

#include "core/graph/solvers/subgradient.hpp"
#include "core/parses/decoders/decoder_settings.hpp"

namespace cases {

inline accord::parses::DecoderSettings search_by(accord::parses::Solver solver = accord::parses::Solver::automatic, int iterations = 50) {
  return {.solver = solver,
          .iterations = iterations,
          .seconds = std::numeric_limits<double>::infinity(),
          .nodes = 10000,
          .search_nodes = 30,
          .step_rule = accord::graph::SubgradientRule::increases,
          .chart_grandparents = true};
}

}  // namespace cases
