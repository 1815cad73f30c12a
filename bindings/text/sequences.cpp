// SPDX-License-Identifier: Apache-2.0
// Forwards core/text sequences and lexicons to Python: accord._core.text. No logic here.
#include "core/text/sequences.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/text/features/surroundings.hpp"
#include "core/text/lexicons/lexicon.hpp"

namespace sequences_binding {

using namespace accord;
using namespace accord::text;

}  // namespace sequences_binding

void bind_sequences(nb::module_& module) {
  using namespace sequences_binding;
  nb::class_<Sequences>(module, "Sequences")
      .def("__len__", &Sequences::size)
      .def("total", &Sequences::total)
      .def("length", &Sequences::length, nb::arg("sequence"))
      .def("first", &Sequences::first, nb::arg("sequence"))
      .def("lengths", [](const Sequences& sequences) {
        std::vector<int64_t> lengths(sequences.size());
        for (size_t s = 0; s < lengths.size(); ++s) lengths[s] = static_cast<int64_t>(sequences.length(s));
        return numpy_vector(std::move(lengths));
      });
  nb::class_<DocumentSequences, Sequences>(module, "DocumentSequences")
      .def(nb::init<const Document&>(), nb::arg("document"), nb::keep_alive<1, 2>());
  nb::class_<CharacterSequences, Sequences>(module, "CharacterSequences")
      .def(
          "__init__",
          [](CharacterSequences* self, const std::vector<nb::bytes>& texts) {
            std::vector<std::string> copies;
            for (const nb::bytes& text : texts) copies.emplace_back(text.c_str(), text.size());
            new (self) CharacterSequences(copies);
          },
          nb::arg("texts"))
      .def(
          "offsets",
          [](const CharacterSequences& sequences, size_t sequence) {
            const auto offsets = sequences.offsets(sequence);
            std::vector<uint32_t> copy(offsets.begin(), offsets.end());
            return numpy_vector(std::move(copy));
          },
          nb::arg("sequence"), "Byte offsets of the characters of a text, and its length.")
      .def("annotate_surroundings", &annotate_surroundings, nb::call_guard<Unlocked>(),
           "Say of each character which pieces between blanks it stands in and next to.");
  nb::class_<ColumnSequences, Sequences>(module, "ColumnSequences")
      .def(
          "__init__",
          [](ColumnSequences* self, const Lengths& lengths, const Grid<uint64_t>& columns, const Keys& marks, const Indices& mark_starts) {
            new (self) ColumnSequences(view(lengths), {columns.data(), columns.data() + columns.size()}, columns.shape(1),
                                       {marks.data(), marks.data() + marks.size()}, view(mark_starts));
          },
          nb::arg("lengths"), nb::arg("columns"), nb::arg("marks"), nb::arg("mark_starts"));
  nb::class_<Lexicon>(module, "Lexicon")
      .def(
          "__init__",
          [](Lexicon* self, const nb::bytes& words, const nb::bytes& names, bool matching) {
            new (self) Lexicon({words.c_str(), words.size()}, {names.c_str(), names.size()}, matching);
          },
          nb::arg("words"), nb::arg("names"), nb::arg("matching"))
      .def("__len__", &Lexicon::size)
      .def("__contains__", [](const Lexicon& lexicon, const std::string& word) { return lexicon.contains(word); })
      .def(
          "annotate", [](const Lexicon& lexicon, Sequences& sequences) { lexicon.annotate(sequences); }, nb::arg("sequences"),
          nb::call_guard<Unlocked>())
      .def(
          "annotate_some",
          [](const Lexicon& lexicon, Sequences& sequences, const std::vector<size_t>& which) { lexicon.annotate(sequences, which); },
          nb::arg("sequences"), nb::arg("which"));
}
