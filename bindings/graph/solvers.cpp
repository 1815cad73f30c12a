// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/solvers to Python: the solvers of accord._core.graph.Problem. No logic here.
#include "bindings/graph/problem.hpp"
#include "bindings/graph/watch.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/unlocked.hpp"
#include "core/graph/programs/linear_program.hpp"
#include "core/graph/search.hpp"
#include "core/graph/solvers/branch_and_bound.hpp"
#include "core/graph/solvers/conflict.hpp"
#include "core/graph/solvers/enumerate.hpp"
#include "core/graph/solvers/value_ascent.hpp"
#include "core/graph/values/junction/junction_tree_solver.hpp"
#include "core/graph/values/value_solution.hpp"
#include "core/graph/values/value_view.hpp"

namespace solvers_binding {

using namespace accord::graph;

using Round = nb::object;  // a callable, or None

// Valid as long as the hook is. It counts no references, so that it may be copied without the interpreter lock.
Rounding rounding(const Round& round) {
  if (round.is_none()) return {};
  return [hook = nb::handle(round)](std::span<const double> posteriors, std::span<uint8_t> assignment) {
    Locked acquired;
    std::vector<double> copy(posteriors.begin(), posteriors.end());
    const nb::object answer = hook(numpy_vector(std::move(copy)));
    if (answer.is_none()) return false;
    const auto chosen = nb::cast<std::vector<int>>(answer);
    if (chosen.size() != assignment.size()) throw nb::value_error("the rounding hook returned an assignment of the wrong length");
    for (size_t i = 0; i < chosen.size(); ++i) assignment[i] = chosen[i] != 0;
    return true;
  };
}

// on_better(assignment, value); as rounding, it counts no references.
Better better(const nb::object& told) {
  if (told.is_none()) return {};
  return [hook = nb::handle(told)](std::span<const uint8_t> assignment, double value) {
    Locked acquired;
    hook(numpy_vector(std::vector<uint8_t>(assignment.begin(), assignment.end())), value);
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

// A solver on values: search, or passes alone.
Solution by_values(const Problem& problem, ValueSolverSettings settings, double seconds, const nb::object& on_progress) {
  Watch watch(on_progress, seconds);
  return interruptible([&](const Stop& signals) {
    settings.stop = watch.stop(signals);
    settings.progress = watch.progress();
    std::optional<Solution> solution = solve_by_values(problem.graph, settings);
    if (!solution) throw std::invalid_argument("a factor is custom, or too large to be a table of values");
    return std::move(*solution);
  });
}

auto numpy_result(Solution&& result) {
  std::vector<double> trace;
  for (const TracePoint& p : result.trace)
    for (double value : {static_cast<double>(p.iteration), p.seconds, p.primal, p.dual, p.primal_residual, p.dual_residual})
      trace.push_back(value);
  const size_t points = result.trace.size();
  return std::tuple(std::string(status_name(result.status)), numpy_vector(std::move(result.assignment)), result.value, result.bound,
                    numpy_vector(std::move(result.posteriors)), result.log_partition, result.entropy, result.iterations, result.seconds,
                    to_numpy(std::move(trace), {points, 6}));
}

}  // namespace solvers_binding

void bind_solvers(nb::class_<Problem>& problem) {
  using namespace solvers_binding;
  problem
      .def(
          "ad3",
          [](Problem& p, int iterations, double seconds, double penalty, double relaxation, double residual, double gap, int adapt_until,
             int inner_steps, int check_every, bool cache, bool trace, bool warm, const std::string& cover, const Round& round,
             const nb::object& on_progress) {
            const FactorGraph& graph = p.covered(p.ad3_cover, cover, warm);
            if (!warm || !p.ad3) p.ad3 = std::make_unique<Ad3>(graph);
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&, hook = rounding(round)](const Stop& signals) {
              const Stop stop = watch.stop(signals);
              Solution found = p.ad3->solve({iterations,
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
                                             stop,
                                             watch.progress(),
                                             {}});
              ascend_values(p.graph, gap, stop, found);
              return found;
            }));
          },
          nb::arg("iterations"), nb::arg("seconds"), nb::arg("penalty"), nb::arg("relaxation"), nb::arg("residual"), nb::arg("gap"),
          nb::arg("adapt_until"), nb::arg("inner_steps"), nb::arg("check_every"), nb::arg("cache"), nb::arg("trace"), nb::arg("warm"),
          nb::arg("cover"), nb::arg("round").none(), nb::arg("on_progress").none())
      .def(
          "branch_and_bound",
          [](Problem& p, int nodes, double seconds, double gap, int iterations, bool trace, const Bits& start, const Round& round,
             const nb::object& on_better, const nb::object& on_progress) {
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&, hook = rounding(round)](const Stop& signals) {
              const Stop stop = watch.stop(signals);
              Ad3 solver(p.graph);
              Ad3Settings relaxation;
              relaxation.iterations = iterations;
              relaxation.gap = gap;
              relaxation.round = hook;
              relaxation.stop = stop;
              BranchSettings settings;
              settings.nodes = nodes;
              settings.seconds = seconds;
              settings.gap = gap;
              settings.trace = trace;
              settings.stop = stop;
              settings.progress = watch.progress();
              settings.bound = [&](double left, double level) {
                relaxation.seconds = left;
                relaxation.level = level;
                return solver.solve(relaxation);
              };
              settings.thorough = true;
              settings.forced = [&](std::span<double> off, std::span<double> on) { solver.forced_bounds(off, on); };
              settings.better = better(on_better);
              settings.start = view(start);
              return branch_and_bound(p.graph, settings);
            }));
          },
          nb::arg("nodes"), nb::arg("seconds"), nb::arg("gap"), nb::arg("iterations"), nb::arg("trace"), nb::arg("start"),
          nb::arg("round").none(), nb::arg("on_better").none(), nb::arg("on_progress").none())
      .def(
          "search",
          [](const Problem& p, const std::string& by, int64_t nodes, double seconds, double gap, size_t rows, const Bits& start,
             const nb::object& on_better, const nb::object& on_progress) {
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&](const Stop& signals) {
              SearchSettings settings;
              settings.by = parse_search_by(by);
              settings.nodes = nodes;
              settings.gap = gap;
              settings.rows = rows;
              settings.start = view(start);
              settings.stop = watch.stop(signals);
              settings.progress = watch.progress();
              settings.better = better(on_better);
              return search(p.graph, settings);
            }));
          },
          nb::arg("by"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("gap"), nb::arg("rows"), nb::arg("start"),
          nb::arg("on_better").none(), nb::arg("on_progress").none())
      .def(
          "trws",
          [](const Problem& p, int passes, double seconds, double gap, const nb::object& on_progress) {
            ValueSolverSettings settings;
            settings.search = false;
            settings.passes = passes;
            settings.gap = gap;
            return numpy_result(by_values(p, settings, seconds, on_progress));
          },
          nb::arg("passes"), nb::arg("seconds"), nb::arg("gap"), nb::arg("on_progress").none())
      .def(
          "subgradient",
          [](Problem& p, int iterations, double seconds, const std::string& step_rule, double step, double tolerance, bool lazy, bool trace,
             bool warm, const std::string& cover, const Round& round, const nb::object& on_progress) {
            const FactorGraph& graph = p.covered(p.subgradient_cover, cover, warm);
            if (!warm || !p.subgradient) p.subgradient = std::make_unique<Subgradient>(graph);
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
              Solution found = p.subgradient->solve(settings);
              ascend_values(p.graph, tolerance, settings.stop, found);
              return found;
            }));
          },
          nb::arg("iterations"), nb::arg("seconds"), nb::arg("step_rule"), nb::arg("step"), nb::arg("tolerance"), nb::arg("lazy"),
          nb::arg("trace"), nb::arg("warm"), nb::arg("cover"), nb::arg("round").none(), nb::arg("on_progress").none())
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
          "value_entries",
          [](const Problem& p) {
            const std::optional<ValueView> values = ValueView::of(p.graph);
            if (!values) return int64_t{-1};
            int64_t entries = 0;
            for (const ValueTable& table : values->values().tables()) entries += static_cast<int64_t>(table.tuples());
            return entries;
          },
          "The entries of all tables of values; -1 where some factor is none.")
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
          nb::arg("limit"), nb::arg("seconds"), nb::arg("on_progress").none())
      .def(
          "junction_tree",
          [](const Problem& p, bool maximum, double width, double entries, double seconds, const nb::object& on_progress) {
            Watch watch(on_progress, seconds);
            return numpy_result(interruptible([&](const Stop& signals) {
              const Stop stop = watch.stop(signals);
              const Progress progress = watch.progress();
              return solve_by_junction_tree(p.graph, {maximum, {width, entries}, [&] {
                                                        tell(progress, 1, impossible, -impossible);
                                                        return stop();
                                                      }});
            }));
          },
          nb::arg("maximum"), nb::arg("width"), nb::arg("entries"), nb::arg("seconds"), nb::arg("on_progress").none());
}
