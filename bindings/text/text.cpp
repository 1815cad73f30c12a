// SPDX-License-Identifier: Apache-2.0
// Forwards core/text to Python: accord._core.text. No logic here.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/text/checksum.hpp"
#include "core/text/features/atoms.hpp"
#include "core/text/features/features.hpp"
#include "core/text/features/packed_array.hpp"
#include "core/text/features/templates.hpp"
#include "core/text/patterns/patterns.hpp"

namespace text_binding {

using namespace accord::text;

std::vector<std::string> template_texts(const std::string& text, const std::string& section, const std::vector<std::string>& anchors) {
  std::vector<Attribute> attributes;
  std::vector<std::string> texts;
  for (const Template& t : TemplateSet::compile(text, section, anchors, attributes).templates) texts.push_back(t.text);
  return texts;
}

std::vector<std::string> pattern_names(const std::string& text) {
  std::vector<Attribute> attributes;
  std::vector<std::string> names;
  for (const Pattern& pattern : compile_patterns(text, attributes)) names.push_back(pattern.name);
  return names;
}

}  // namespace text_binding

void bind_text(nb::module_& module) {
  using namespace text_binding;
  nb::class_<ClusterLexicon>(module, "ClusterLexicon")
      .def(nb::init<>())
      .def_static(
          "read", [](const nb::bytes& text) { return ClusterLexicon::read({text.c_str(), text.size()}); }, nb::arg("text"))
      .def("add", &ClusterLexicon::add, nb::arg("form"), nb::arg("path"))
      .def("path", &ClusterLexicon::path, nb::arg("form"));
  module.def("template_texts", &template_texts, nb::arg("text"), nb::arg("section"), nb::arg("anchors"),
             "The templates of a section after conjunctions have been multiplied out.");
  module.def(
      "expand",
      [](const Bytes& present, const Bytes& packed, size_t items, size_t size) {
        return numpy_vector(expand(view(present), view(packed), items, size));
      },
      nb::arg("present"), nb::arg("packed"), nb::arg("items"), nb::arg("size"), "The bytes of an array of mostly zeros.");
  module.def("pattern_names", &pattern_names, nb::arg("text"), "The names of the patterns in a text; ValueError for a line that is none.");
  module.def(
      "checksum",
      [](const Bytes& bytes) {
        Unlocked released;
        return checksum(view(bytes));
      },
      nb::arg("bytes"), "64-bit checksum of a block of a model file.");
}
