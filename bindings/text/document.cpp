// SPDX-License-Identifier: Apache-2.0
// Forwards core/text/documents/document to Python: accord._core.text. No logic here.
#include "core/text/documents/document.hpp"

#include <nanobind/stl/array.h>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/text/documents/annotation.hpp"
#include "core/text/documents/document_trees.hpp"
#include "core/text/documents/token_table.hpp"

namespace document_binding {

using namespace accord::text;

using Probabilities = Row<double>;
using Strings = std::vector<std::string>;
using Released = nb::call_guard<Unlocked>;

nb::bytes to_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

// The core does not check positions; what comes from Python is checked here, once.
size_t checked(const Document& document, size_t sentence) {
  if (sentence >= document.sentences()) throw nb::index_error("no such sentence");
  return sentence;
}

Column checked_column(size_t column) {
  if (column >= column_count) throw nb::index_error("no such column");
  return static_cast<Column>(column);
}

Document parse_bytes(const nb::bytes& bytes, const std::string& layout, size_t first_line, bool keep_going) {
  std::string owned(bytes.c_str(), bytes.size());
  Unlocked released;
  return Document::parse(std::move(owned), layout_named(layout), first_line, keep_going);
}

Document edited(const Document& document, const std::optional<Heads>& heads, const std::vector<std::pair<size_t, Strings>>& columns,
                const std::optional<Strings>& misc_entries) {
  Unlocked released;
  Edits edits;
  std::array<std::vector<std::string_view>, column_count> views;
  if (heads) edits.heads = view(*heads);
  for (const auto& [column, values] : columns) {
    const auto place = static_cast<size_t>(checked_column(column));
    views[place].assign(values.begin(), values.end());
    edits.columns[place] = views[place];
  }
  std::vector<std::string_view> entries;
  if (misc_entries) entries.assign(misc_entries->begin(), misc_entries->end());
  edits.misc_entries = entries;
  return document.edited(edits);
}

template <std::string (Document::*translate)() const>
nb::bytes translated(const Document& document) {
  std::string text;
  {
    Unlocked released;
    text = (document.*translate)();
  }
  return to_bytes(text);
}

// A document that nobody changed is copied once, into the bytes that Python gets.
nb::bytes whole(const Document& document) {
  if (const auto unchanged = document.as_read()) return to_bytes(*unchanged);
  return translated<static_cast<std::string (Document::*)() const>(&Document::write)>(document);
}

// A FormatProblem arrives in Python as an exception with the arguments (line, reason).
void bind_format_problem(nb::module_& module) {
  nb::object type = nb::steal(PyErr_NewException("accord._core.text.FormatProblem", PyExc_ValueError, nullptr));
  module.attr("FormatProblem") = type;
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* payload) {
        try {
          std::rethrow_exception(thrown);
        } catch (const FormatProblem& problem) {
          PyErr_SetObject(static_cast<PyObject*>(payload), nb::make_tuple(problem.line, problem.reason).ptr());
        }
      },
      type.ptr());
}

std::vector<std::pair<size_t, std::string>> pairs(const std::vector<FormatProblem>& problems) {
  std::vector<std::pair<size_t, std::string>> result;
  for (const FormatProblem& problem : problems) result.emplace_back(problem.line, problem.reason);
  return result;
}

}  // namespace document_binding

void bind_document(nb::module_& module) {
  using namespace document_binding;
  bind_format_problem(module);
  module.def("escape_blanks", &escape_blanks, nb::arg("text"));
  nb::class_<Document>(module, "Document")
      .def_static("parse", &parse_bytes, nb::arg("bytes"), nb::arg("layout"), nb::arg("first_line") = 1, nb::arg("keep_going") = false)
      .def_prop_ro("sentences", &Document::sentences)
      .def_prop_ro("total_words", &Document::total_words)
      .def_prop_ro("layout", [](const Document& d) { return std::string(d.layout().name); })
      .def_prop_ro("problems", [](const Document& d) { return pairs(d.problems()); })
      .def_prop_ro(
          "heads",
          [](const Document& d) { return nb::ndarray<nb::numpy, const int32_t, nb::ndim<1>>(d.heads().data(), {d.total_words()}); })
      .def("lengths", [](const Document& d) { return numpy_vector(d.lengths()); })
      .def(
          "words", [](const Document& d, size_t s) { return d.words(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "first_word", [](const Document& d, size_t s) { return d.first_word(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "line", [](const Document& d, size_t s) { return d.line(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "broken", [](const Document& d, size_t s) { return d.broken(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "column", [](const Document& d, size_t c) { return d.column(checked_column(c)); }, nb::arg("column"))
      .def(
          "rows", [](const Document& d, size_t s) { return d.rows(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "comments", [](const Document& d, size_t s) { return d.comments(checked(d, s)); }, nb::arg("sentence"))
      .def(
          "text", [](const Document& d, size_t s) { return to_bytes(d.write(checked(d, s))); }, nb::arg("sentence"))
      .def("whole", &whole)
      .def("edited", &edited, nb::arg("heads") = nb::none(), nb::arg("columns") = nb::list(), nb::arg("misc_entries") = nb::none())
      .def("with_comments", &Document::with_comments, nb::arg("key"), nb::arg("values"))
      .def(
          "with_trees",
          [](const Document& d, const Heads& heads, const Heads& labels, const Strings& names, const Probabilities& arcs,
             const Probabilities& labelled) {
            Unlocked released;
            return with_trees(d, {view(heads), view(labels), names, view(arcs), view(labelled)});
          },
          nb::arg("heads"), nb::arg("labels"), nb::arg("names"), nb::arg("arc_probability"), nb::arg("label_probability"))
      .def(
          "with_names",
          [](const Document& d, size_t column, const Heads& numbers, const Strings& names, bool keep_given) {
            Unlocked released;
            return with_names(d, checked_column(column), view(numbers), names, keep_given);
          },
          nb::arg("column"), nb::arg("numbers"), nb::arg("names"), nb::arg("keep_given"))
      .def(
          "with_lemmas",
          [](const Document& d, const Heads& numbers, const Strings& rules, bool keep_given) {
            Unlocked released;
            return with_lemmas(d, view(numbers), rules, keep_given);
          },
          nb::arg("numbers"), nb::arg("rules"), nb::arg("keep_given"))
      .def(
          "has_gaps", [](const Document& d, size_t column) { return has_gaps(d, checked_column(column)); }, nb::arg("column"))
      .def("to_conllu", &translated<&Document::to_conllu>)
      .def("to_conllx", &translated<&Document::to_conllx>)
      .def(
          "check_trees", [](const Document& d, bool single_root, bool complete) { return pairs(check_trees(d, {single_root, complete})); },
          nb::arg("single_root"), nb::arg("complete"), Released());
  module.def(
      "tree_problem",
      [](const Heads& heads, bool single_root, bool complete) -> std::optional<std::pair<size_t, std::string>> {
        const auto problem = tree_problem(view(heads), {single_root, complete});
        if (!problem) return std::nullopt;
        return std::pair(problem->word, problem->reason);
      },
      nb::arg("heads"), nb::arg("single_root"), nb::arg("complete"));
}
