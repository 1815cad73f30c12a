// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solution.hpp"

#include <algorithm>

#include "core/graph/factor_graph.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

void settle_bound(const FactorGraph& graph, double constant, Solution& solution) {
  const bool met = solution.value > impossible && solution.bound - 2 * solution.rounding <= solution.value;
  if (solution.value > impossible) solution.value = graph.value(solution.assignment);
  solution.bound = met ? solution.value : std::max(solution.value, bound_with(constant, solution.bound));
}

}  // namespace accord::graph
