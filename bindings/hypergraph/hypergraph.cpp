// SPDX-License-Identifier: Apache-2.0
// Forwards core/hypergraph to Python: accord._core.hypergraph.
#include "core/hypergraph/hypergraph.hpp"

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"

namespace hypergraph_binding {

using namespace accord::hypergraph;
using Offsets = Row<int64_t>;

std::vector<std::pair<double, IntegersOut>> kbest(const Hypergraph& graph, int k) {
  std::vector<ScoredDerivation> ranked;
  {
    const Unlocked unlocked;
    ranked = graph.kbest(k);
  }
  std::vector<std::pair<double, IntegersOut>> out;
  for (ScoredDerivation& derivation : ranked) out.emplace_back(derivation.score, numpy_vector(std::move(derivation.edges)));
  return out;
}

std::pair<double, DoublesOut> marginals(const Hypergraph& graph) {
  std::vector<double> out(graph.edge_count());
  const double entropy = graph.marginals(out);
  return {entropy, numpy_vector(std::move(out))};
}

DoublesOut max_marginals(const Hypergraph& graph) {
  std::vector<double> out(graph.edge_count());
  graph.max_marginals(out);
  return numpy_vector(std::move(out));
}

DoublesOut tangents(const Hypergraph& graph, const Doubles& direction) {
  std::vector<double> out(graph.edge_count());
  graph.tangents({direction.data(), direction.size()}, out);
  return numpy_vector(std::move(out));
}

std::vector<IntegersOut> sample(const Hypergraph& graph, int count, uint64_t seed) {
  std::vector<IntegersOut> out;
  for (std::vector<int32_t>& edges : graph.sample(count, seed)) out.push_back(numpy_vector(std::move(edges)));
  return out;
}

}  // namespace hypergraph_binding

void bind_hypergraph(nb::module_& module) {
  using namespace hypergraph_binding;
  using namespace nb::literals;
  nb::class_<Hypergraph>(module, "Hypergraph")
      .def(
          "__init__",
          [](Hypergraph* graph, int32_t items, int32_t goal, const Integers& heads, const Offsets& starts, const Integers& tails,
             const Doubles& weights) {
            new (graph) Hypergraph(items, goal, {heads.data(), heads.size()}, {starts.data(), starts.size()}, {tails.data(), tails.size()},
                                   {weights.data(), weights.size()});
          },
          "items"_a, "goal"_a, "heads"_a, "starts"_a, "tails"_a, "weights"_a)
      .def("kbest", &kbest, "k"_a)
      .def("log_partition", &Hypergraph::log_partition)
      .def("count", &Hypergraph::count)
      .def("marginals", &marginals)
      .def("max_marginals", &max_marginals)
      .def(
          "expectation",
          [](const Hypergraph& graph, const Doubles& amounts) { return graph.expectation({amounts.data(), amounts.size()}); }, "amounts"_a)
      .def("tangents", &tangents, "direction"_a)
      .def("sample", &sample, "count"_a, "seed"_a);
}
