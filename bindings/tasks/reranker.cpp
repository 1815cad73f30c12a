// SPDX-License-Identifier: Apache-2.0
// Forwards core/tasks/reranker to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/reranker/hidden.hpp"

void bind_reranker(nb::module_& module) {
  using namespace accord::tasks;
  nb::class_<HiddenReranker>(module, "HiddenReranker")
      .def(
          "__init__",
          [](HiddenReranker* self, const Indices& lists, const Indices& node_rows, const Indices& edge_rows, const Integers& node_counts,
             const Indices& node_starts, const Integers& node_entries, const Indices& edge_starts, const Integers& edge_entries,
             const Indices& words, const Integers& nodes, const Integers& parents, const Integers& edges, const Doubles& costs,
             const Doubles& offsets, const Doubles& weights) {
            HiddenLists data{copied(lists),        copied(node_rows),   copied(edge_rows),    copied(node_counts), copied(node_starts),
                             copied(node_entries), copied(edge_starts), copied(edge_entries), copied(words),       copied(nodes),
                             copied(parents),      copied(edges),       copied(costs),        copied(offsets)};
            new (self) HiddenReranker(std::move(data), copied(weights));
          },
          nb::kw_only(), nb::arg("lists"), nb::arg("node_rows"), nb::arg("edge_rows"), nb::arg("node_counts"), nb::arg("node_starts"),
          nb::arg("node_entries"), nb::arg("edge_starts"), nb::arg("edge_entries"), nb::arg("words"), nb::arg("nodes"), nb::arg("parents"),
          nb::arg("edges"), nb::arg("costs"), nb::arg("offsets"), nb::arg("weights"))
      .def("weights", [](const HiddenReranker& self) { return numpy_vector(std::vector(self.weights())); })
      .def(
          "set_weights", [](HiddenReranker& self, const Doubles& weights) { self.set_weights(view(weights)); }, nb::arg("weights"))
      .def(
          "scores",
          [](const HiddenReranker& self, int threads) {
            std::vector<double> scores;
            {
              const Unlocked released;
              scores = self.scores(threads);
            }
            return numpy_vector(std::move(scores));
          },
          nb::arg("threads") = 1)
      .def("objective",
           [](const HiddenReranker& self) {
             std::vector<double> gradient(self.weights().size());
             const double value = self.objective(gradient);
             return std::pair(value, numpy_vector(std::move(gradient)));
           })
      .def(
          "run", [](HiddenReranker& self, const Order& order, double rate, double l2) { return self.pass(view(order), rate, l2); },
          nb::arg("order"), nb::arg("rate"), nb::arg("l2"), nb::call_guard<Unlocked>())
      .def(
          "best_values", [](const HiddenReranker& self, size_t candidate) { return numpy_vector(self.best_values(candidate)); },
          nb::arg("candidate"))
      .def(
          "beliefs",
          [](const HiddenReranker& self, size_t candidate) {
            std::vector<double> nodes, edges;
            const double total = self.beliefs(candidate, nodes, edges);
            return std::tuple(total, numpy_vector(std::move(nodes)), numpy_vector(std::move(edges)));
          },
          nb::arg("candidate"));
}
