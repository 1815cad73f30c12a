// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/programs/linear_program to Python: accord._core.graph.LinearProgram. Its arrays are views of the
// native ones and live as long as anybody holds them.
#include "core/graph/programs/linear_program.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/parses/flow/parser_program.hpp"

namespace linear_binding {

using accord::graph::LinearProgram;

template <typename T>
auto array_of(std::vector<T> LinearProgram::* member) {
  return [member](LinearProgram& program) {
    std::vector<T>& values = program.*member;
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, nb::find(program));
  };
}

using Pairs = std::vector<std::pair<int, int>>;
using Scored = std::vector<std::pair<int, double>>;
using ScoredPairs = std::vector<std::tuple<int, int, double>>;

template <typename Part, typename Tuples>
std::vector<Part> parts_of(const Tuples& tuples) {
  std::vector<Part> parts;
  for (const auto& tuple : tuples) parts.push_back(std::apply([](auto... fields) { return Part{fields...}; }, tuple));
  return parts;
}

LinearProgram parser_program_of(int words, const Pairs& arcs, const std::vector<double>& scores, bool single_commodity, bool projective,
                                bool single_root, const ScoredPairs& siblings, const ScoredPairs& grandparents,
                                const ScoredPairs& next_siblings, const Scored& first_children, const Scored& last_children,
                                const std::vector<std::vector<double>>& valency, const Scored& nonprojective, const ScoredPairs& paths) {
  using namespace accord::parses;
  using namespace accord::graph;
  FlowParts parts;
  parts.flow = single_commodity ? Flow::single_commodity : Flow::multi_commodity;
  parts.projective = projective;
  parts.single_root = single_root;
  parts.siblings = parts_of<ArcPair>(siblings);
  parts.grandparents = parts_of<ArcPair>(grandparents);
  parts.next_siblings = parts_of<ArcPair>(next_siblings);
  parts.first_children = parts_of<ArcPart>(first_children);
  parts.last_children = parts_of<ArcPart>(last_children);
  parts.valency = valency;
  parts.nonprojective = parts_of<ArcPart>(nonprojective);
  parts.paths = parts_of<PathPart>(paths);
  return parser_program(words, arcs, scores, std::move(parts));
}

}  // namespace linear_binding

void bind_linear(nb::module_& module) {
  using namespace linear_binding;
  using namespace nb::literals;
  nb::class_<LinearProgram>(module, "LinearProgram")
      .def_ro("variables", &LinearProgram::variables)
      .def_ro("constant", &LinearProgram::constant)
      .def_prop_ro("scores", array_of(&LinearProgram::scores))
      .def_prop_ro("low", array_of(&LinearProgram::low))
      .def_prop_ro("high", array_of(&LinearProgram::high))
      .def_prop_ro("integral", array_of(&LinearProgram::integral))
      .def_prop_ro("row_starts", array_of(&LinearProgram::row_starts))
      .def_prop_ro("columns", array_of(&LinearProgram::columns))
      .def_prop_ro("coefficients", array_of(&LinearProgram::coefficients))
      .def_prop_ro("row_low", array_of(&LinearProgram::row_low))
      .def_prop_ro("row_high", array_of(&LinearProgram::row_high));
  module.def("parser_program", &parser_program_of, "words"_a, "arcs"_a, "scores"_a, "single_commodity"_a, "projective"_a, "single_root"_a,
             "siblings"_a, "grandparents"_a, "next_siblings"_a, "first_children"_a, "last_children"_a, "valency"_a, "nonprojective"_a,
             "paths"_a, nb::call_guard<Unlocked>());
}
