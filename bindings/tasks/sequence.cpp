// SPDX-License-Identifier: Apache-2.0
// Forwards chains over users' own features to Python: accord._core.tasks. No logic here.
#include <algorithm>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/sequence/model.hpp"

namespace sequence_binding {

using namespace accord;
using namespace accord::tasks;

// Keeps the arrays of sparse rows alive.
struct Rows {
  Indices sequences, tokens;
  Integers features;
  Doubles values;

  SparseRows rows() const { return {view(sequences), view(tokens), view(features), view(values)}; }
};

SequenceMasks masks_of(const Doubles& start, const Doubles& end, const Doubles& follow, size_t labels) {
  for (const Doubles* mask : {&start, &end})
    if (mask->size() > 0 && mask->size() != labels) throw std::invalid_argument("masks: one entry for each label, please");
  if (follow.size() > 0 && follow.size() != labels * labels)
    throw std::invalid_argument("masks: one entry for each pair of labels, please");
  return {copied(start), copied(end), copied(follow)};
}

// An objective and the arrays that it reads.
struct Problem {
  Rows rows;
  std::vector<int32_t> gold;
  std::vector<double> weights;
  SequenceObjective objective;

  Problem(const Rows& rows, const Integers& gold, const Doubles& weights, size_t features, size_t labels, SequenceMasks masks,
          SequenceObjectiveSettings settings)
      : rows(rows),
        gold(copied(gold)),
        weights(copied(weights)),
        objective(rows.rows(), this->gold, this->weights, features, labels, std::move(masks), settings) {}
};

void bind_problem(nb::module_& module) {
  nb::class_<Problem>(module, "SequenceProblem", "The penalised log-likelihood of labelled sequences.")
      .def(
          "__init__",
          [](Problem* self, const Rows& rows, const Integers& gold, const Doubles& weights, size_t features, size_t labels,
             const Doubles& start, const Doubles& end, const Doubles& follow, double l2, bool all_states, bool all_transitions,
             int threads) {
            new (self) Problem(rows, gold, weights, features, labels, masks_of(start, end, follow, labels),
                               {l2, all_states, all_transitions, threads});
          },
          nb::arg("rows"), nb::arg("gold"), nb::arg("weights"), nb::kw_only(), nb::arg("features"), nb::arg("labels"), nb::arg("start"),
          nb::arg("end"), nb::arg("follow"), nb::arg("l2"), nb::arg("all_states"), nb::arg("all_transitions"), nb::arg("threads"))
      .def("__len__", [](const Problem& problem) { return problem.objective.size(); })
      .def_prop_ro(
          "starts", [](const Problem& p) { return numpy_vector(std::vector<int64_t>(p.objective.features().starts())); },
          nb::rv_policy::move)
      .def_prop_ro(
          "columns", [](const Problem& p) { return numpy_vector(std::vector<int32_t>(p.objective.features().columns())); },
          nb::rv_policy::move)
      .def(
          "table", [](const Problem& p, const Doubles& weights) { return numpy_vector(p.objective.table(view(weights))); },
          nb::arg("weights"), "The transitions that weights stand for.")
      .def(
          "evaluate",
          [](Problem& p, const Doubles& weights) {
            if (weights.size() != p.objective.size()) throw std::invalid_argument("one weight for each feature, please");
            std::vector<double> gradient(weights.size());
            double value = 0;
            {
              Unlocked released;
              value = p.objective.evaluate(view(weights), gradient);
            }
            return std::pair(value, numpy_vector(std::move(gradient)));
          },
          nb::arg("weights"), "Value and gradient.")
      .def(
          "minimize",
          [](Problem& p, int iterations, double l1, int history, double gradient_tolerance, double decrease_tolerance, int period,
             const nb::callable& report) {
            std::vector<double> weights(p.objective.size());
            learn::LbfgsResult result;
            {
              Unlocked released;
              const learn::LbfgsSettings settings{iterations, history, l1, gradient_tolerance, decrease_tolerance, period};
              result = p.objective.minimize(weights, settings, [&](const learn::LbfgsReport& now) {
                Locked acquired;
                return nb::cast<bool>(report(now.iteration, now.objective, now.gradient_norm, now.evaluations));
              });
            }
            return std::tuple(numpy_vector(std::move(weights)), result.objective, result.iterations, result.converged);
          },
          nb::kw_only(), nb::arg("iterations"), nb::arg("l1"), nb::arg("history"), nb::arg("gradient_tolerance"),
          nb::arg("decrease_tolerance"), nb::arg("period"), nb::arg("report"),
          nb::sig("def minimize(self, *, iterations: int, l1: float, history: int, gradient_tolerance: float, decrease_tolerance: float, "
                  "period: int, report: collections.abc.Callable[[int, float, float, int], bool]) -> "
                  "tuple[typing.Annotated[numpy.typing.NDArray[numpy.float64], dict()], float, int, bool]"));
}

// Numbers of labels as lists of their names, one list a sequence.
nb::list named(const Integers& numbers, const Indices& sequences, const nb::list& names) {
  const auto found = view(numbers);
  const auto starts = view(sequences);
  const size_t count = names.size();
  if (starts.empty() || starts.front() != 0 || starts.back() != static_cast<int64_t>(found.size()) || !std::ranges::is_sorted(starts) ||
      !std::ranges::all_of(found, [&](int32_t number) { return number >= 0 && static_cast<size_t>(number) < count; }))
    throw std::invalid_argument("the labels do not fit the sequences");
  nb::list lists;
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const auto begin = static_cast<size_t>(starts[s]), end = static_cast<size_t>(starts[s + 1]);
    nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(end - begin)));
    if (!list.is_valid()) throw nb::python_error();
    for (size_t t = begin; t < end; ++t)
      PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(t - begin), nb::object(names[static_cast<size_t>(found[t])]).release().ptr());
    lists.append(list);
  }
  return lists;
}

void bind_model(nb::module_& module) {
  nb::class_<SequenceModel>(module, "SequenceModel", "A chain over users' own features, at work.")
      .def(
          "__init__",
          [](SequenceModel* self, size_t labels, const Indices& starts, const Integers& columns, const Doubles& weights,
             const Doubles& table, const Doubles& start, const Doubles& end, const Doubles& follow) {
            new (self) SequenceModel(FeatureWeights(labels, copied(starts), copied(columns), {}), copied(weights), copied(table),
                                     masks_of(start, end, follow, labels));
          },
          nb::arg("labels"), nb::arg("starts"), nb::arg("columns"), nb::arg("weights"), nb::arg("table"), nb::kw_only(), nb::arg("start"),
          nb::arg("end"), nb::arg("follow"))
      .def(
          "best",
          [](const SequenceModel& model, const Rows& rows, int threads) {
            std::vector<int32_t> labels;
            {
              Unlocked released;
              labels = model.best(rows.rows(), threads);
            }
            return numpy_vector(std::move(labels));
          },
          nb::arg("rows"), nb::arg("threads"))
      .def(
          "probabilities",
          [](const SequenceModel& model, const Rows& rows, int threads) {
            std::vector<double> found;
            {
              Unlocked released;
              found = model.probabilities(rows.rows(), threads);
            }
            return numpy_vector(std::move(found));
          },
          nb::arg("rows"), nb::arg("threads"), "P(label) of all tokens, labels of a token side by side.")
      .def(
          "kbest",
          [](const SequenceModel& model, const Rows& rows, size_t sequence, int k) {
            double log_partition = 0;
            std::vector<chains::Labelling> found;
            {
              Unlocked released;
              found = model.kbest(rows.rows(), sequence, k, log_partition);
            }
            std::vector<std::tuple<double, double, IntegersOut>> ranked;
            for (chains::Labelling& one : found)
              ranked.emplace_back(one.score, one.score - log_partition,
                                  numpy_vector(std::vector<int32_t>(one.labels.begin(), one.labels.end())));
            return ranked;
          },
          nb::arg("rows"), nb::arg("sequence"), nb::arg("k"), "Score, log-probability and labels, best first.")
      .def(
          "log_likelihoods",
          [](const SequenceModel& model, const Rows& rows, const Integers& labels, int threads) {
            std::vector<double> found;
            {
              Unlocked released;
              found = model.log_likelihoods(rows.rows(), view(labels), threads);
            }
            return numpy_vector(std::move(found));
          },
          nb::arg("rows"), nb::arg("labels"), nb::arg("threads"));
}

}  // namespace sequence_binding

void bind_sequence(nb::module_& module) {
  using namespace sequence_binding;
  nb::class_<Rows>(module, "SparseRows", "Sequences of tokens, each a sparse row of numbered features.")
      .def(nb::init<Indices, Indices, Integers, Doubles>(), nb::arg("sequences").noconvert(), nb::arg("tokens").noconvert(),
           nb::arg("features").noconvert(), nb::arg("values").noconvert());
  module.def("named", &named, nb::arg("numbers"), nb::arg("sequences"), nb::arg("names"),
             nb::sig("def named(numbers: numpy.typing.NDArray[numpy.int32], sequences: numpy.typing.NDArray[numpy.int64], "
                     "names: list[typing.Any]) -> list[list[typing.Any]]"),
             "Numbers of labels as lists of their names, one list for each sequence.");
  bind_problem(module);
  bind_model(module);
}
