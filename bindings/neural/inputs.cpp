// SPDX-License-Identifier: Apache-2.0
// Forwards core/neural/inputs to Python: accord._core.neural. No logic here.
#include "core/neural/inputs.hpp"

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"

namespace inputs_binding {

using namespace accord;
using namespace accord::neural;

text::Attribute attribute(const std::string& name) {
  const std::optional<text::Attribute> found = text::parse_attribute(name);
  if (!found) throw std::invalid_argument("there is no attribute '" + name + "'");
  return *found;
}

auto numpy_bags(Bags&& bags) { return std::tuple(numpy_vector(std::move(bags.offsets)), numpy_vector(std::move(bags.numbers))); }

auto numpy_counts(ValueCounts&& counts) {
  return std::tuple(numpy_vector(std::move(counts.values)), numpy_vector(std::move(counts.counts)));
}

}  // namespace inputs_binding

void bind_inputs(nb::module_& module) {
  using namespace inputs_binding;
  nb::class_<InputReader>(module, "InputReader")
      .def(
          "__init__",
          [](InputReader* self, const std::vector<std::tuple<std::string, int, Keys>>& fields, const CodePoints& characters,
             const text::ClusterLexicon& clusters) {
            std::vector<InputField> made;
            for (const auto& [name, rows, keys] : fields) made.push_back({attribute(name), copied(keys), rows});
            new (self) InputReader(std::move(made), copied(characters), clusters);
          },
          nb::arg("fields"), nb::arg("characters"), nb::arg("clusters"))
      .def_prop_ro("rows",
                   [](const InputReader& reader) {
                     std::vector<int> rows;
                     for (size_t f = 0; f < reader.fields(); ++f) rows.push_back(reader.rows(f));
                     return rows;
                   })
      .def_prop_ro("character_rows", &InputReader::character_rows)
      .def(
          "read",
          [](const InputReader& reader, const text::Document& document) {
            WordInputs inputs;
            {
              Unlocked released;
              std::vector<size_t> all(document.sentences());
              for (size_t i = 0; i < all.size(); ++i) all[i] = i;
              reader.read(document, all, inputs);
            }
            std::vector<decltype(numpy_bags(Bags()))> fields;
            for (Bags& bags : inputs.fields) fields.push_back(numpy_bags(std::move(bags)));
            return std::tuple(std::move(fields), numpy_bags(std::move(inputs.characters)));
          },
          nb::arg("document"), "Offsets and numbers of each field, and of the characters, for all positions: root, then words.");
  module.def(
      "count_values",
      [](const text::Document& document, const std::vector<std::string>& names, const text::ClusterLexicon& clusters) {
        std::vector<text::Attribute> attributes;
        for (const std::string& name : names) attributes.push_back(attribute(name));
        std::vector<decltype(numpy_counts({}))> out;
        for (ValueCounts& counts : count_values(document, attributes, clusters)) out.push_back(numpy_counts(std::move(counts)));
        return out;
      },
      nb::arg("document"), nb::arg("attributes"), nb::arg("clusters"));
  module.def(
      "count_characters", [](const text::Document& document) { return numpy_counts(count_characters(document)); }, nb::arg("document"));
  module.def(
      "values_of_forms",
      [](const std::vector<std::string_view>& forms, const std::string& name) {
        return numpy_vector(values_of_forms(forms, attribute(name)));
      },
      nb::arg("forms"), nb::arg("attribute"), "The value of an attribute for each of some words, as keys of a field.");
}
