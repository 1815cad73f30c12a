// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/rounding.hpp"

#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

// In units of the graph's scores: relaxed values outweigh most scores, evidence outweighs all.
constexpr double pull = 0x1p10;
constexpr double decided = 0x1p30;

}  // namespace

bool round_and_repair(const FactorGraph& graph, std::span<const double> values, double unit, std::span<uint8_t> assignment) {
  constexpr int sweeps = 4;
  for (size_t r = 0; r < values.size(); ++r) assignment[r] = decided_alone(graph, r) ? value_alone(graph, r) : values[r] > 0.5;
  std::vector<double> scores;
  std::vector<uint8_t> local;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool clean = true;
    for (size_t s = 0; s < graph.factors(); ++s) {
      const std::span<const int32_t> variables = graph.variables_of(s);
      local.resize(variables.size());
      for (size_t i = 0; i < variables.size(); ++i) local[i] = assignment[static_cast<size_t>(variables[i])];
      if (graph.factor(s).score(local) > impossible) continue;
      clean = false;
      // The first sweep follows the relaxed values; later ones stay near what has been decided since.
      scores.resize(variables.size());
      for (size_t i = 0; i < variables.size(); ++i) {
        const auto r = static_cast<size_t>(variables[i]);
        scores[i] = pull * unit * (values[r] - 0.5 + (sweep > 0 ? 0.5 * (assignment[r] - 0.5) : 0.0));
        if (graph.evidence()[r] >= 0) scores[i] = (graph.evidence()[r] ? decided : -decided) * unit;
      }
      if (graph.factor(s).maximize(scores, local) == impossible) return false;
      for (size_t i = 0; i < variables.size(); ++i) assignment[static_cast<size_t>(variables[i])] = local[i];
    }
    if (clean) return true;
  }
  return false;
}

}  // namespace accord::graph
