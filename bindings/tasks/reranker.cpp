// SPDX-License-Identifier: Apache-2.0
// Forwards core/tasks/reranker to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/reranker/hidden.hpp"
#include "core/tasks/reranker/tree_features.hpp"

namespace bind_reranker_helpers {

std::vector<std::string> strings(const std::vector<nb::bytes>& given) {
  std::vector<std::string> found;
  for (const nb::bytes& one : given) found.emplace_back(one.c_str(), one.size());
  return found;
}

}  // namespace bind_reranker_helpers

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
  nb::class_<HeadedTrees>(module, "HeadedTrees")
      .def(
          "__init__",
          [](HeadedTrees* self, const std::vector<nb::bytes>& names, const std::vector<nb::bytes>& forms,
             const std::vector<nb::bytes>& tags, const Bits& closed, const Indices& starts, const Integers& labels, const Integers& parents,
             const Integers& heads, const Integers& words, const Integers& begins, const Integers& ends) {
            using bind_reranker_helpers::strings;
            new (self) HeadedTrees{strings(names),  strings(forms), strings(tags), copied(closed), copied(starts), copied(labels),
                                   copied(parents), copied(heads),  copied(words), copied(begins), copied(ends)};
          },
          nb::kw_only(), nb::arg("names"), nb::arg("forms"), nb::arg("tags"), nb::arg("closed"), nb::arg("starts"), nb::arg("labels"),
          nb::arg("parents"), nb::arg("heads"), nb::arg("words"), nb::arg("begins"), nb::arg("ends"));
  nb::class_<TreeFeatures>(module, "TreeFeatures")
      .def(
          "__init__",
          [](TreeFeatures* self, const std::vector<std::tuple<int32_t, bool, std::string, std::vector<int32_t>>>& templates) {
            std::vector<PlaceTemplate> found;
            for (const auto& [place, lexical, name, attributes] : templates)
              found.push_back({static_cast<TreePlace>(place), lexical, name, attributes});
            new (self) TreeFeatures(std::move(found));
          },
          nb::arg("templates"))
      .def(
          "keys",
          [](const TreeFeatures& self, const HeadedTrees& trees) {
            ListKeys found;
            {
              const Unlocked released;
              found = self.keys(trees);
            }
            return std::tuple(numpy_vector(std::move(found.trees)), numpy_vector(std::move(found.keys)),
                              numpy_vector(std::move(found.present)));
          },
          nb::arg("trees"))
      .def(
          "texts",
          [](const TreeFeatures& self, const HeadedTrees& trees, size_t tree) {
            std::vector<nb::bytes> found;
            for (const std::string& one : self.texts(trees, tree)) found.emplace_back(one.data(), one.size());
            return found;
          },
          nb::arg("trees"), nb::arg("tree"));
}
