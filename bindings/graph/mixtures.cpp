// SPDX-License-Identifier: Apache-2.0
// Forwards SparseMAP over factor graphs to Python: accord._core.graph. A mixture keeps what its derivatives need.
#include "bindings/graph/problem.hpp"
#include "bindings/graph/watch.hpp"
#include "bindings/interruptible.hpp"
#include "core/graph/solvers/graph_factor.hpp"

namespace mixtures_binding {

using namespace accord::graph;

// The mixture of assignments of one graph.
struct GraphMixture {
  ActiveSet set{0};
  std::vector<double> posteriors;
  bool feasible = false, finished = false, proved = false, in_time = true;
};

GraphMixture mix(Problem& problem, const Numbers& scores, int iterations, int nodes, int steps, double gap, double seconds,
                 const nb::object& on_progress) {
  if (scores.shape(0) != problem.graph.variables()) throw std::invalid_argument("one score per variable is needed");
  Watch watch(on_progress, seconds);
  return interruptible([&](const Stop& signals) {
    GraphMixture mixture{ActiveSet(problem.graph.variables(), true), std::vector<double>(problem.graph.variables())};
    GraphFactorSettings settings;
    settings.iterations = iterations;
    settings.nodes = nodes;
    settings.gap = gap;
    settings.stop = watch.stop(signals);
    settings.progress = watch.progress();
    GraphFactor factor(problem.graph, settings);
    mixture.feasible = mixture.set.project(factor, view(scores), 1.0, mixture.posteriors, steps);
    mixture.finished = mixture.set.finished();
    mixture.proved = factor.proved();
    mixture.in_time = !watch.stopped();
    return mixture;
  });
}

// One row an assignment.
auto assignments(const GraphMixture& mixture) {
  const size_t variables = mixture.posteriors.size();
  std::vector<uint8_t> rows(mixture.set.working_set() * variables, 0);
  for (size_t member = 0; member < mixture.set.working_set(); ++member)
    for (const int32_t variable : mixture.set.member(member)) rows[member * variables + static_cast<size_t>(variable)] = 1;
  return to_numpy(std::move(rows), {mixture.set.working_set(), variables});
}

auto shares(const GraphMixture& mixture) {
  std::vector<double> values;
  for (size_t member = 0; member < mixture.set.working_set(); ++member) values.push_back(mixture.set.share(member));
  return numpy_vector(std::move(values));
}

auto differentiate(const GraphMixture& mixture, const Numbers& direction) {
  if (direction.shape(0) != mixture.posteriors.size()) throw std::invalid_argument("one number per variable is needed");
  std::vector<double> out(mixture.posteriors.size());
  mixture.set.differentiate(view(direction), out);
  return numpy_vector(std::move(out));
}

}  // namespace mixtures_binding

void bind_graph_mixtures(nb::module_& module) {
  using namespace mixtures_binding;
  using namespace nb::literals;
  nb::class_<GraphMixture>(module, "GraphMixture")
      .def_ro("feasible", &GraphMixture::feasible)
      .def_ro("finished", &GraphMixture::finished)
      .def_ro("proved", &GraphMixture::proved)
      .def_ro("in_time", &GraphMixture::in_time)
      .def("posteriors", [](const GraphMixture& m) { return numpy_vector(std::vector<double>(m.posteriors)); })
      .def("assignments", &assignments)
      .def("shares", &shares)
      .def("differentiate", &differentiate, "direction"_a);
  module.def("mix", &mix, "problem"_a, "scores"_a, "iterations"_a, "nodes"_a, "steps"_a, "gap"_a, "seconds"_a, "on_progress"_a.none());
}
