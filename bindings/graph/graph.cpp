// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/factor_graph to Python: accord._core.graph.Problem. No logic here.
#include "bindings/graph/problem.hpp"
#include "bindings/graph/python_factor.hpp"
#include "core/graph/scale.hpp"

namespace graph_binding {

// Factors written in Python may refer to the graph that holds them: the garbage collector has to see through the graph.
template <typename Visit>
int for_each_python_factor(PyObject* self, Visit&& visit) {
  if (!nb::inst_ready(self)) return 0;
  for (PythonFactor* factor : nb::inst_ptr<Problem>(self)->custom)
    if (const int stop = visit(*factor)) return stop;
  return 0;
}

int traverse_problem(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  return for_each_python_factor(self, [&](const PythonFactor& factor) { return visit(factor.object().ptr(), arg); });
}

int clear_problem(PyObject* self) {
  return for_each_python_factor(self, [](PythonFactor& factor) {
    factor.forget();
    return 0;
  });
}

PyType_Slot problem_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_problem)}, {Py_tp_clear, reinterpret_cast<void*>(clear_problem)}, {0, nullptr}};

}  // namespace graph_binding

void bind_graph(nb::module_& module) {
  using accord::graph::Negated;
  auto problem = nb::class_<Problem>(module, "Problem", nb::type_slots(graph_binding::problem_slots));
  problem.def(nb::init<>())
      .def(
          "add_variables", [](Problem& p, const Numbers& scores) { return p.graph.add_variables(view(scores)); }, nb::arg("scores"))
      .def(
          "add_constant", [](Problem& p, double score) { p.graph.add_constant(score); }, nb::arg("score"))
      .def_prop_ro("constant", [](const Problem& p) { return p.graph.constant(); })
      .def_prop_ro("variables", [](const Problem& p) { return p.graph.variables(); })
      .def_prop_ro("factors", [](const Problem& p) { return p.graph.factors(); })
      .def_prop_ro("edges", [](const Problem& p) { return p.graph.edges(); })
      .def_prop_ro("groups",
                   [](const Problem& p) {
                     std::vector<int64_t> ranges;
                     for (size_t g = 0; g < p.graph.groups(); ++g) {
                       const auto& group = p.graph.group(g);
                       ranges.insert(ranges.end(), {static_cast<int64_t>(group.first), static_cast<int64_t>(group.first + group.count)});
                     }
                     return to_numpy(std::move(ranges), {p.graph.groups(), 2});
                   })
      .def(
          "kind", [](const Problem& p, size_t f) { return std::string(p.graph.factor(f).kind()); }, nb::arg("factor"))
      .def(
          "variables_of",
          [](const Problem& p, size_t f) {
            const auto variables = p.graph.variables_of(f);
            return numpy_vector(std::vector<int32_t>(variables.begin(), variables.end()));
          },
          nb::arg("factor"))
      .def(
          "negated_of",
          [](const Problem& p, size_t f) {
            const auto* factor = dynamic_cast<const Negated*>(&p.graph.factor(f));
            std::vector<uint8_t> mask(p.graph.variables_of(f).size(), 0);
            if (factor) mask.assign(factor->mask().begin(), factor->mask().end());
            return numpy_vector(std::move(mask));
          },
          nb::arg("factor"))
      .def_prop_ro(
          "scores",
          [](const Problem& p) {
            const auto scores = p.graph.scores();
            return numpy_vector(std::vector<double>(scores.begin(), scores.end()));
          },
          nb::rv_policy::move)  // a copy with an owner of its own
      .def(
          "set_scores", [](Problem& p, const Numbers& scores) { p.graph.set_scores(view(scores)); }, nb::arg("scores"))
      .def(
          "set_evidence", [](Problem& p, const Chars& evidence) { p.graph.set_evidence(view(evidence)); }, nb::arg("evidence"))
      .def_prop_ro("spread", [](const Problem& p) { return accord::graph::scale_of(p.graph).spread; })
      .def("value", [](const Problem& p, const Bits& assignment) { return p.graph.value(view(assignment)); }, nb::arg("assignment"));
  bind_factors(problem);
  bind_solvers(problem);
  bind_ranking(problem);
}
