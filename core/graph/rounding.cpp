#include "core/graph/rounding.hpp"

#include <algorithm>
#include <numeric>

namespace accord::graph {

bool round_by_factors(const FactorGraph& graph, std::span<const double> values, std::span<uint8_t> assignment) {
  constexpr int sweeps = 4;
  for (size_t r = 0; r < values.size(); ++r)
    assignment[r] = graph.evidence()[r] >= 0 ? static_cast<uint8_t>(graph.evidence()[r])
                    : graph.degrees()[r] == 0 ? graph.scores()[r] > 0
                                              : values[r] > 0.5;
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
        scores[i] = 1e3 * (values[r] - 0.5 + (sweep > 0 ? 0.5 * (assignment[r] - 0.5) : 0.0));
        if (graph.evidence()[r] >= 0) scores[i] = graph.evidence()[r] ? 1e6 : -1e6;
      }
      if (graph.factor(s).maximize(scores, local) == impossible) return false;
      for (size_t i = 0; i < variables.size(); ++i) assignment[static_cast<size_t>(variables[i])] = local[i];
    }
    if (clean) return true;
  }
  return false;
}

}  // namespace accord::graph
