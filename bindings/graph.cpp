// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph to Python: accord._core.graph. No logic here.
#include <nanobind/stl/function.h>

#include <cmath>

#include "bindings/interruptible.hpp"
#include "bindings/module.hpp"
#include "bindings/problem.hpp"
#include "bindings/python_factor.hpp"
#include "bindings/watch.hpp"
#include "core/graph/factors/budget.hpp"
#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/factors/table.hpp"
#include "core/graph/factors/tree_factor.hpp"
#include "core/graph/solvers/branch_and_bound.hpp"
#include "core/graph/solvers/conflict.hpp"
#include "core/graph/solvers/enumerate.hpp"
#include "core/graph/solvers/linear_program.hpp"
#include "core/parses/graphs/head_automata.hpp"

using namespace accord::parses;
using namespace accord::graph;

namespace {

using Evidence = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Round = nb::object;  // a callable, or None

std::vector<double> copied(const Numbers& array) { return {array.data(), array.data() + array.shape(0)}; }

int count(const Indices& variables) { return static_cast<int>(variables.shape(0)); }

// Valid as long as the hook is. It counts no references, so that it may be copied without the interpreter lock.
Rounding rounding(const Round& round) {
  if (round.is_none()) return {};
  return [hook = nb::handle(round)](std::span<const double> posteriors, std::span<uint8_t> assignment) {
    nb::gil_scoped_acquire acquired;
    std::vector<double> copy(posteriors.begin(), posteriors.end());
    const size_t count = copy.size();
    const nb::object answer = hook(to_numpy(std::move(copy), {count}));
    if (answer.is_none()) return false;
    const auto chosen = nb::cast<std::vector<int>>(answer);
    if (chosen.size() != assignment.size()) throw nb::value_error("the rounding hook returned an assignment of the wrong length");
    for (size_t i = 0; i < chosen.size(); ++i) assignment[i] = chosen[i] != 0;
    return true;
  };
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::fractional:
      return "fractional";
    case Status::budget:
      return "budget";
    case Status::infeasible:
      return "infeasible";
    case Status::estimate:
      return "estimate";
  }
  return "budget";
}

auto numpy_result(Solution&& result) {
  std::vector<double> trace;
  for (const TracePoint& p : result.trace)
    for (double value : {static_cast<double>(p.iteration), p.seconds, p.primal, p.dual, p.primal_residual, p.dual_residual})
      trace.push_back(value);
  const size_t points = result.trace.size(), chosen = result.assignment.size(), variables = result.posteriors.size();
  return std::tuple(std::string(status_name(result.status)), to_numpy(std::move(result.assignment), {chosen}), result.value, result.bound,
                    to_numpy(std::move(result.posteriors), {variables}), result.log_partition, result.entropy, result.iterations,
                    result.seconds, to_numpy(std::move(trace), {points, 6}));
}

// Many logic factors at once: factor f is over variables[starts[f]] .. variables[starts[f + 1]] - 1.
void add_logic(Problem& problem, const std::string& kind, const Indices& starts, const Indices& variables, const Bits& negated) {
  const auto all = view(variables);
  const auto mask = view(negated);
  for (size_t f = 0; f + 1 < starts.shape(0); ++f) {
    const auto begin = static_cast<size_t>(starts.data()[f]), count = static_cast<size_t>(starts.data()[f + 1]) - begin;
    auto factor = negate(make_logic(kind, count), mask.empty() ? mask : mask.subspan(begin, count));
    problem.graph.add_factor(std::move(factor), all.subspan(begin, count));
  }
}

void add_pairs(Problem& problem, const Indices& variables, const Numbers& scores, const Bits& negated) {
  const auto all = view(variables);
  const auto mask = view(negated);
  for (size_t f = 0; f < scores.shape(0); ++f) {
    auto factor = negate(std::make_unique<Pair>(scores.data()[f]), mask.empty() ? mask : mask.subspan(2 * f, 2));
    problem.graph.add_factor(std::move(factor), all.subspan(2 * f, 2));
  }
}

std::vector<std::pair<int, int>> arc_list(const Indices& heads, const Indices& dependents) {
  std::vector<std::pair<int, int>> arcs;
  for (size_t i = 0; i < heads.shape(0); ++i) arcs.emplace_back(static_cast<int>(heads.data()[i]), static_cast<int>(dependents.data()[i]));
  return arcs;
}

void bind_factors(nb::class_<Problem>& problem) {
  problem.def("add_logic", &add_logic, nb::arg("kind"), nb::arg("starts"), nb::arg("variables"), nb::arg("negated"))
      .def("add_pairs", &add_pairs, nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_table",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<Table>(static_cast<int>(variables.shape(0)), copied(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_categorical_table",
          [](Problem& p, const Indices& variables, const Indices& values, const Numbers& scores) {
            std::vector<int> counts(values.data(), values.data() + values.shape(0));
            return p.graph.add_factor(std::make_unique<CategoricalTable>(std::move(counts), copied(scores)), view(variables));
          },
          nb::arg("variables"), nb::arg("values"), nb::arg("scores"))
      .def(
          "add_cardinality",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<Cardinality>(copied(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_budget",
          [](Problem& p, const Indices& variables, const Numbers& costs, double limit, const Bits& negated) {
            return p.add(std::make_unique<Budget>(copied(costs), limit), variables, negated);
          },
          nb::arg("variables"), nb::arg("costs"), nb::arg("limit"), nb::arg("negated"))
      .def(
          "add_tree",
          [](Problem& p, const Indices& variables, int words, const Indices& heads, const Indices& dependents, bool projective,
             bool single_root) {
            auto tree = std::make_unique<TreeFactor>(words, arc_list(heads, dependents), projective, single_root);
            return p.graph.add_factor(std::move(tree), view(variables));
          },
          nb::arg("variables"), nb::arg("words"), nb::arg("heads"), nb::arg("dependents"), nb::arg("projective"), nb::arg("single_root"))
      .def(
          "add_sibling_automaton",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<SiblingAutomaton>(count(variables), view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_tri_sibling_automaton",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<TriSiblingAutomaton>(count(variables), view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_grand_sibling_automaton",
          [](Problem& p, const Indices& variables, int heads, const Numbers& siblings, const Numbers& grandparents,
             const Numbers& grand_siblings, const Bits& negated) {
            return p.add(std::make_unique<GrandSiblingAutomaton>(heads, count(variables) - heads, view(siblings), view(grandparents),
                                                                 view(grand_siblings)),
                         variables, negated);
          },
          nb::arg("variables"), nb::arg("heads"), nb::arg("siblings"), nb::arg("grandparents"), nb::arg("grand_siblings"),
          nb::arg("negated"))
      .def(
          "add_grandparent_automaton",
          [](Problem& p, const Indices& variables, int heads, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<GrandparentAutomaton>(heads, count(variables) - heads, view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("heads"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_chain",
          [](Problem& p, const Indices& variables, const Indices& states, const Numbers& transitions, const Bits& negated) {
            std::vector<int> sizes(states.data(), states.data() + states.shape(0));
            return p.add(std::make_unique<ChainFactor>(std::move(sizes), view(transitions)), variables, negated);
          },
          nb::arg("variables"), nb::arg("states"), nb::arg("transitions"), nb::arg("negated"))
      .def(
          "add_custom",
          [](Problem& p, const nb::object& factor, const Indices& variables, const Bits& negated) {
            auto custom = std::make_unique<PythonFactor>(factor, variables.shape(0));
            PythonFactor* const known = custom.get();
            const size_t number = p.add(std::move(custom), variables, negated);
            p.custom.push_back(known);
            return number;
          },
          nb::arg("factor"), nb::arg("variables"), nb::arg("negated"));
}

void bind_solvers(nb::class_<Problem>& problem) {
  problem
      .def(
          "ad3",
          [](Problem& p, int iterations, double seconds, double penalty, double relaxation, double residual, double gap, int adapt_until,
             int inner_steps, int check_every, bool cache, bool trace, bool warm, const Round& round, const nb::object& on_progress) {
            if (!warm || !p.ad3) p.ad3 = std::make_unique<Ad3>(p.graph);
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&, hook = rounding(round)](const Stop& signals) {
              return p.ad3->solve({iterations,
                                   seconds,
                                   penalty,
                                   relaxation,
                                   residual,
                                   gap,
                                   adapt_until,
                                   inner_steps,
                                   check_every,
                                   cache,
                                   trace,
                                   hook,
                                   watch.stop(signals),
                                   watch.progress(),
                                   {}});
            }));
          },
          nb::arg("iterations"), nb::arg("seconds"), nb::arg("penalty"), nb::arg("relaxation"), nb::arg("residual"), nb::arg("gap"),
          nb::arg("adapt_until"), nb::arg("inner_steps"), nb::arg("check_every"), nb::arg("cache"), nb::arg("trace"), nb::arg("warm"),
          nb::arg("round").none(), nb::arg("on_progress").none())
      .def(
          "branch_and_bound",
          [](Problem& p, int nodes, double seconds, double gap, int iterations, bool trace, const Round& round,
             const nb::object& on_progress) {
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&, hook = rounding(round)](const Stop& signals) {
              const Stop stop = watch.stop(signals);
              Ad3 solver(p.graph);
              Ad3Settings relaxation;
              relaxation.iterations = iterations;
              relaxation.gap = gap;
              relaxation.round = hook;
              relaxation.stop = stop;
              BranchSettings settings{nodes, seconds, gap, trace, stop, watch.progress(), [&](double left, double level) {
                                        relaxation.seconds = left;
                                        relaxation.level = level;
                                        return solver.solve(relaxation);
                                      }};
              return branch_and_bound(p.graph, settings);
            }));
          },
          nb::arg("nodes"), nb::arg("seconds"), nb::arg("gap"), nb::arg("iterations"), nb::arg("trace"), nb::arg("round").none(),
          nb::arg("on_progress").none())
      .def(
          "subgradient",
          [](Problem& p, int iterations, double seconds, const std::string& step_rule, double step, double tolerance, bool lazy, bool trace,
             bool warm, const Round& round, const nb::object& on_progress) {
            if (!warm || !p.subgradient) p.subgradient = std::make_unique<Subgradient>(p.graph);
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&, hook = rounding(round)](const Stop& signals) {
              SubgradientSettings settings;
              settings.iterations = iterations;
              settings.seconds = seconds;
              settings.step_rule = parse_subgradient_rule(step_rule);
              settings.step = step;
              settings.tolerance = tolerance;
              settings.lazy = lazy;
              settings.trace = trace;
              settings.stop = watch.stop(signals);
              settings.progress = watch.progress();
              settings.round = hook;
              return p.subgradient->solve(settings);
            }));
          },
          nb::arg("iterations"), nb::arg("seconds"), nb::arg("step_rule"), nb::arg("step"), nb::arg("tolerance"), nb::arg("lazy"),
          nb::arg("trace"), nb::arg("warm"), nb::arg("round").none(), nb::arg("on_progress").none())
      .def(
          "belief_propagation",
          [](Problem& p, bool maximum, int iterations, double seconds, double damping, double tolerance, double temperature, bool trace,
             bool warm, const nb::object& on_progress) {
            if (!warm || !p.beliefs) p.beliefs = std::make_unique<BeliefPropagation>(p.graph);
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&](const Stop& signals) {
              BeliefSettings settings;
              settings.maximum = maximum;
              settings.iterations = iterations;
              settings.damping = damping;
              settings.tolerance = tolerance;
              settings.temperature = temperature;
              settings.seconds = seconds;
              settings.trace = trace;
              settings.stop = watch.stop(signals);
              settings.progress = watch.progress();
              return p.beliefs->solve(settings);
            }));
          },
          nb::arg("maximum"), nb::arg("iterations"), nb::arg("seconds"), nb::arg("damping"), nb::arg("tolerance"), nb::arg("temperature"),
          nb::arg("trace"), nb::arg("warm"), nb::arg("on_progress").none())
      .def(
          "conflict", [](const Problem& p) { return interruptible([&](const Stop&) { return conflicting_factors(p.graph); }); },
          "Factors that contradict each other, where a small set is easily found.")
      .def(
          "program", [](const Problem& p) { return collect(p.graph); }, "The graph's relaxation as rows.")
      .def(
          "enumerate",
          [](Problem& p, int limit, double seconds, const nb::object& on_progress) {
            Watch watch(on_progress, seconds);
            return numpy_result(
                interruptible([&](const Stop& signals) { return enumerate(p.graph, limit, watch.stop(signals), watch.progress()); }));
          },
          nb::arg("limit"), nb::arg("seconds"), nb::arg("on_progress").none());
}

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

}  // namespace

void bind_graph(nb::module_& module) {
  auto problem = nb::class_<Problem>(module, "Problem", nb::type_slots(problem_slots));
  problem.def(nb::init<>())
      .def(
          "add_variables", [](Problem& p, const Numbers& scores) { return p.graph.add_variables(view(scores)); }, nb::arg("scores"))
      .def_prop_ro("variables", [](const Problem& p) { return p.graph.variables(); })
      .def_prop_ro("factors", [](const Problem& p) { return p.graph.factors(); })
      .def_prop_ro("edges", [](const Problem& p) { return p.graph.edges(); })
      .def(
          "kind", [](const Problem& p, size_t f) { return std::string(p.graph.factor(f).kind()); }, nb::arg("factor"))
      .def(
          "variables_of",
          [](const Problem& p, size_t f) {
            const auto variables = p.graph.variables_of(f);
            return to_numpy(std::vector<int32_t>(variables.begin(), variables.end()), {variables.size()});
          },
          nb::arg("factor"))
      .def(
          "negated_of",
          [](const Problem& p, size_t f) {
            const auto* factor = dynamic_cast<const Negated*>(&p.graph.factor(f));
            std::vector<uint8_t> mask(p.graph.variables_of(f).size(), 0);
            if (factor) mask.assign(factor->mask().begin(), factor->mask().end());
            return to_numpy(std::move(mask), {p.graph.variables_of(f).size()});
          },
          nb::arg("factor"))
      .def_prop_ro(
          "scores",
          [](const Problem& p) {
            const auto scores = p.graph.scores();
            return to_numpy(std::vector<double>(scores.begin(), scores.end()), {scores.size()});
          },
          nb::rv_policy::move)  // a copy with an owner of its own
      .def(
          "set_scores", [](Problem& p, const Numbers& scores) { p.graph.set_scores(view(scores)); }, nb::arg("scores"))
      .def(
          "set_evidence", [](Problem& p, const Evidence& evidence) { p.graph.set_evidence(view(evidence)); }, nb::arg("evidence"))
      .def_prop_ro("spread", [](const Problem& p) { return scale_of(p.graph).spread; })
      .def("value", [](const Problem& p, const Bits& assignment) { return p.graph.value(view(assignment)); }, nb::arg("assignment"));
  bind_factors(problem);
  bind_solvers(problem);
}
