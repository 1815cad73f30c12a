// SPDX-License-Identifier: Apache-2.0
// Forwards SparseMAP to Python: accord._core.graph. Mixtures keep what their derivatives need.
#include "bindings/interruptible.hpp"
#include "bindings/padded.hpp"
#include "bindings/problem.hpp"
#include "bindings/watch.hpp"
#include "core/graph/solvers/graph_factor.hpp"
#include "core/parses/graphs/tree_mixtures.hpp"

using namespace accord::parses;
using namespace accord::graph;

namespace {

// The mixture of a batch of sentences.
class NumpyTreeMixtures {
 public:
  NumpyTreeMixtures(const Tables& scores, const Lengths& words, bool projective, bool single_root, int steps, int threads)
      : sentences_(scores.shape(0)),
        width_(scores.shape(1)),
        threads_(threads),
        marginals_(scores.size(), 0.0) {
    const accord::trees::PaddedScores batch = padded(scores, words);
    const nb::gil_scoped_release unlocked;
    mixtures_ = std::make_unique<TreeMixtures>(batch, accord::trees::BatchOptions{projective, single_root, threads}, steps, marginals_);
  }

  auto marginals() const { return to_numpy(std::vector<double>(marginals_), {sentences_, width_, width_}); }

  auto outcomes() const {
    std::vector<int32_t> values;
    for (const TreeMixtures::Outcome outcome : mixtures_->outcomes()) values.push_back(static_cast<int32_t>(outcome));
    return numpy_vector(std::move(values));
  }

  auto trees() const {
    std::vector<int64_t> counts;
    for (size_t sentence = 0; sentence < sentences_; ++sentence) counts.push_back(static_cast<int64_t>(mixtures_->trees(sentence)));
    return numpy_vector(std::move(counts));
  }

  auto differentiate(const Tables& direction) const {
    alike(direction, {nullptr, width_, std::span<const int64_t>(static_cast<const int64_t*>(nullptr), sentences_)});
    std::vector<double> out(marginals_.size(), 0.0);
    {
      const nb::gil_scoped_release unlocked;
      mixtures_->differentiate(flat(direction), threads_, out);
    }
    return to_numpy(std::move(out), {sentences_, width_, width_});
  }

 private:
  size_t sentences_, width_;
  int threads_;
  std::vector<double> marginals_;
  std::unique_ptr<TreeMixtures> mixtures_;
};

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

}  // namespace

void bind_mixtures(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<NumpyTreeMixtures>(module, "TreeMixtures")
      .def(nb::init<const Tables&, const Lengths&, bool, bool, int, int>(), "scores"_a, "words"_a, "projective"_a, "single_root"_a,
           "steps"_a, "threads"_a)
      .def("marginals", &NumpyTreeMixtures::marginals)
      .def("outcomes", &NumpyTreeMixtures::outcomes, "By sentence: 0 solved, 1 no tree, 2 steps ran out.")
      .def("trees", &NumpyTreeMixtures::trees, "Trees in each mixture.")
      .def("differentiate", &NumpyTreeMixtures::differentiate, "direction"_a);
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
