// SPDX-License-Identifier: Apache-2.0
// Forwards core/parses/nonlocal/nonlocal_parser to Python: accord._core.graph.NonlocalParser. The interpreter lock is released around
// all work; two threads that share a parser take turns.
#include <mutex>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/parses/nonlocal/nonlocal_parser.hpp"

namespace nonlocal_binding {

using accord::graph::Status;
using accord::parses::Arc;
using accord::parses::NonlocalFactor;
using accord::parses::NonlocalOptions;
using accord::parses::NonlocalParser;
using accord::parses::NonlocalResult;
using accord::parses::Search;
using accord::parses::StepRule;

struct SharedParser {
  NonlocalParser parser;
  std::mutex turn;
};

std::vector<NonlocalFactor> factors_from(const ArcPairs& arcs, const Indices& starts, const Doubles& values) {
  if (starts.shape(0) != values.shape(0) + 1) throw std::invalid_argument("one start more than factor scores is needed");
  std::vector<NonlocalFactor> factors(values.shape(0));
  for (size_t c = 0; c < factors.size(); ++c) {
    const int64_t first = starts.data()[c], last = starts.data()[c + 1];
    if (first < 0 || last < first || last > static_cast<int64_t>(arcs.shape(0)))
      throw std::invalid_argument("starts must rise within the arcs");
    factors[c].score = values.data()[c];
    for (const int32_t* arc = arcs.data() + 2 * first; arc != arcs.data() + 2 * last; arc += 2) factors[c].arcs.push_back({arc[0], arc[1]});
  }
  return factors;
}

void construct(SharedParser* self, const DoubleRows& scores, const ArcPairs& arcs, const Indices& starts, const Doubles& values,
               bool projective, bool single_root) {
  if (scores.shape(0) != scores.shape(1) || scores.shape(0) == 0)
    throw std::invalid_argument("arc scores must be a square (n+1, n+1) array");
  const std::vector<NonlocalFactor> factors = factors_from(arcs, starts, values);
  const Unlocked unlocked;
  const accord::trees::ArcScores view{scores.data(), static_cast<int>(scores.shape(0)) - 1};
  new (self) SharedParser{NonlocalParser(view, factors, projective, single_root), {}};
}

const char* name(Status status) {
  if (status == Status::optimal) return "optimal";
  return status == Status::budget ? "budget" : "infeasible";
}

auto solve(SharedParser& self, int k, const NonlocalOptions& options) {
  NonlocalResult result;
  {
    const Unlocked unlocked;
    const std::lock_guard<std::mutex> mine(self.turn);
    result = self.parser.solve(k, options);
  }
  const size_t width = self.parser.problem().width();
  std::vector<double> values;
  std::vector<int32_t> heads;
  for (const accord::trees::ScoredTree& tree : result.trees) {
    values.push_back(tree.score);
    heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
  }
  const size_t count = values.size();
  return std::make_tuple(std::string(name(result.status)), to_numpy(std::move(heads), {count, width}), numpy_vector(std::move(values)),
                         result.bound, result.calls, result.nodes, result.seconds);
}

double score(const SharedParser& self, const Heads& heads) {
  const auto words = self.parser.problem().words();
  if (heads.shape(0) != self.parser.problem().width())
    throw std::invalid_argument("one head for each word and the root is needed in heads");
  for (int word = 1; word <= words; ++word)
    if (heads.data()[word] < 0 || heads.data()[word] > words) throw std::invalid_argument("heads must lie in 0.." + std::to_string(words));
  return self.parser.score(view(heads));
}

}  // namespace nonlocal_binding

void bind_nonlocal(nb::module_& module) {
  using namespace nonlocal_binding;
  using namespace nb::literals;
  nb::class_<NonlocalOptions>(module, "NonlocalOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "breadth_first", [](const NonlocalOptions& o) { return o.search == Search::breadth_first; },
          [](NonlocalOptions& o, bool on) { o.search = on ? Search::breadth_first : Search::best_first; })
      .def_prop_rw(
          "halving_steps", [](const NonlocalOptions& o) { return o.root.step == StepRule::halving; },
          [](NonlocalOptions& o, bool on) { o.root.step = o.below.step = on ? StepRule::halving : StepRule::level; })
      .def_prop_rw(
          "root_iterations", [](const NonlocalOptions& o) { return o.root.iterations; },
          [](NonlocalOptions& o, int count) { o.root.iterations = count; })
      .def_prop_rw(
          "iterations", [](const NonlocalOptions& o) { return o.below.iterations; },
          [](NonlocalOptions& o, int count) { o.below.iterations = count; })
      .def_prop_rw(
          "tolerance", [](const NonlocalOptions& o) { return o.root.tolerance; },
          [](NonlocalOptions& o, double tolerance) { o.root.tolerance = o.below.tolerance = tolerance; })
      .def_rw("warm_start", &NonlocalOptions::warm_start)
      .def_rw("lower_start", &NonlocalOptions::lower_start)
      .def_rw("score_unit", &NonlocalOptions::score_unit)
      .def_rw("max_nodes", &NonlocalOptions::max_nodes)
      .def_rw("max_calls", &NonlocalOptions::max_calls)
      .def_rw("time_limit", &NonlocalOptions::time_limit);
  nb::class_<SharedParser>(module, "NonlocalParser")
      .def("__init__", &construct, "scores"_a, "arcs"_a, "starts"_a, "factor_scores"_a, "projective"_a, "single_root"_a)
      .def("score", &score, "heads"_a)
      .def("solve", &solve, "k"_a, "options"_a);
}
