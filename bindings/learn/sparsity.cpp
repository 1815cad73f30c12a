// SPDX-License-Identifier: Apache-2.0
// Forwards proximity operators and groups of features of core/learn to Python: accord._core.learn. No logic here.
#include "core/learn/sparsity.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"

namespace sparsity_binding {

using namespace accord::learn;

Shrinking parse_shrinking(const std::string& name) {
  if (name == "cells") return Shrinking::cells;
  if (name == "rows") return Shrinking::rows;
  if (name == "entries") return Shrinking::entries;
  throw std::invalid_argument("shrinking: expected 'cells', 'rows' or 'entries'");
}

}  // namespace sparsity_binding

void bind_sparsity(nb::module_& module) {
  using namespace sparsity_binding;
  nb::class_<GroupStructure>(module, "GroupStructure")
      .def(nb::init<std::vector<std::vector<int32_t>>, size_t>(), nb::arg("members"), nb::arg("entries"))
      .def("__len__", &GroupStructure::size)
      .def_prop_ro("layers", &GroupStructure::layers)
      .def(
          "set_weights", [](GroupStructure& groups, const Doubles& weights) { groups.set_weights(copied(weights)); }, nb::arg("weights"))
      .def(
          "prox",
          [](const GroupStructure& groups, const Doubles& values, double threshold) {
            std::vector<double> result = copied(values);
            groups.prox(result, threshold);
            return numpy_vector(std::move(result));
          },
          nb::arg("values"), nb::arg("threshold"))
      .def(
          "ratios", [](const GroupStructure& groups, const Doubles& values) { return numpy_vector(groups.ratios(view(values))); },
          nb::arg("values"))
      .def(
          "threshold_for",
          [](const GroupStructure& groups, const Doubles& values, size_t budget) {
            return groups.threshold_for(view(values), budget, groups.size());
          },
          nb::arg("values"), nb::arg("budget"));
  module.def(
      "soft_threshold",
      [](const Doubles& values, double threshold) {
        std::vector<double> result = copied(values);
        for (double& value : result) value = soft_threshold(value, threshold);
        return numpy_vector(std::move(result));
      },
      nb::arg("values"), nb::arg("threshold"));
  module.def(
      "budget_threshold", [](const Doubles& ratios, size_t budget) { return budget_threshold(view(ratios), budget); }, nb::arg("ratios"),
      nb::arg("budget"));

  nb::class_<SparsitySettings>(module, "SparsitySettings")
      .def(
          "__init__",
          [](SparsitySettings* self, const std::string& shrinking, std::vector<std::vector<int32_t>> groups, size_t counted, size_t budget,
             double strength, double lasso, double rate, size_t interval, size_t instances, double size_power) {
            new (self) SparsitySettings{
                parse_shrinking(shrinking), std::move(groups), counted, budget, strength, lasso, rate, interval, instances, size_power};
          },
          nb::kw_only(), nb::arg("shrinking"), nb::arg("groups"), nb::arg("counted"), nb::arg("budget"), nb::arg("strength"),
          nb::arg("lasso"), nb::arg("rate"), nb::arg("interval"), nb::arg("instances"), nb::arg("size_power"));
  nb::class_<Sparsity>(module, "Sparsity")
      .def("finish", &Sparsity::finish, nb::call_guard<Unlocked>())
      .def(
          "chosen", [](const Sparsity& sparsity, bool strongest) { return numpy_vector(sparsity.chosen(strongest)); }, nb::arg("strongest"))
      .def(
          "features",
          [](const Sparsity& sparsity, size_t table) {
            std::vector<uint64_t> keys;
            std::vector<int32_t> columns;
            for (const FeatureKey& feature : sparsity.features(table)) keys.push_back(feature.key), columns.push_back(feature.column);
            return std::pair(numpy_vector(std::move(keys)), numpy_vector(std::move(columns)));
          },
          nb::arg("table"), "Keys and columns of the features of a table that are not zero.")
      .def_prop_ro(
          "history",
          [](const Sparsity& sparsity) {
            std::vector<std::tuple<size_t, size_t, size_t>> lines;
            for (const ShrinkReport& one : sparsity.history()) lines.emplace_back(one.before, one.after, one.groups);
            return lines;
          },
          "Of each proximal step: features before and after, and groups that are left.");
}
