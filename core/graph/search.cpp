// SPDX-License-Identifier: Apache-2.0
#include "core/graph/search.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include "core/graph/programs/program_solution.hpp"
#include "core/graph/values/value_solution.hpp"

namespace accord::graph {

SearchBy parse_search_by(std::string_view name) {
  if (name == "auto") return SearchBy::any;
  if (name == "values") return SearchBy::values;
  if (name == "rows") return SearchBy::rows;
  throw std::invalid_argument("a search goes by \"values\", by \"rows\" or by what suits (\"auto\"), not by \"" + std::string(name) + "\"");
}

Solution search(const FactorGraph& graph, const SearchSettings& settings) {
  if (settings.by != SearchBy::rows) {
    ValueSolverSettings inner;
    inner.nodes = settings.nodes;
    inner.gap = settings.gap;
    inner.stop = settings.stop;
    inner.progress = settings.progress;
    inner.better = settings.better;
    inner.start = settings.start;
    if (std::optional<Solution> solution = solve_by_values(graph, inner)) return std::move(*solution);
    if (settings.by == SearchBy::values) throw std::invalid_argument("a factor is custom, or too large to be a table of values");
  }
  ProgramSettings inner;
  inner.nodes = settings.nodes;
  inner.gap = settings.gap;
  inner.kernel = settings.rows;
  inner.stop = settings.stop;
  inner.progress = settings.progress;
  inner.better = settings.better;
  inner.start = settings.start;
  return solve_by_program(graph, inner);
}

}  // namespace accord::graph
