// SPDX-License-Identifier: Apache-2.0
// Forwards core/text/lexicons/lemma_rules and core/tasks/lemmas/model to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/lemmas/model.hpp"
#include "core/tasks/lemmas/trainer.hpp"
#include "core/text/lexicons/lemma_rules.hpp"

#include <cstring>

namespace lemmas_binding {

using namespace accord;
using namespace accord::tasks;

// Bits of a table, from its number of rows.
int table_bits(size_t rows) {
  int bits = 0;
  while (size_t{1} << bits < rows) ++bits;
  return bits;
}

template <typename T>
text::WeightTable<T> dictionary(const Row<T>& values, const Row<uint32_t>& fingerprints) {
  return {text::TableKind::dictionary, table_bits(values.shape(0)), 1, 1.0f, view(values), view(fingerprints)};
}

}  // namespace lemmas_binding

void bind_lemmas(nb::module_& module) {
  using namespace lemmas_binding;
  module.def("derive_lemma_rule", &text::derive_lemma_rule, nb::arg("form"), nb::arg("lemma"),
             "The edit that turns a form into its lemma, as text.");
  module.def("apply_lemma_rule", &text::apply_lemma_rule, nb::arg("rule"), nb::arg("form"),
             "The lemma that a rule makes of a form, or None where it does not fit.");
  nb::class_<Lemmatizer>(module, "Lemmatizer")
      .def(
          "__init__",
          [](Lemmatizer* self, const std::vector<std::string>& rules, const Row<uint16_t>& lexicon,
             const Row<uint32_t>& lexicon_fingerprints, const Row<uint32_t>& endings, const Row<uint32_t>& endings_fingerprints,
             const Row<uint16_t>& candidates, const Row<uint64_t>& known, const Row<int16_t>& weights) {
            new (self) Lemmatizer(rules, {dictionary(lexicon, lexicon_fingerprints),
                                          dictionary(endings, endings_fingerprints),
                                          view(candidates),
                                          view(known),
                                          {text::TableKind::hash, table_bits(weights.shape(0)), 1, 1.0f, view(weights), {}}});
          },
          nb::arg("rules"), nb::arg("lexicon").noconvert(), nb::arg("lexicon_fingerprints").noconvert(), nb::arg("endings").noconvert(),
          nb::arg("endings_fingerprints").noconvert(), nb::arg("candidates").noconvert(), nb::arg("known").noconvert(),
          nb::arg("weights").noconvert(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
          nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(), nb::keep_alive<1, 9>())
      .def("lemmatize", &Lemmatizer::lemmatize, nb::arg("document"), nb::arg("threads"), nb::call_guard<Unlocked>(),
           "One lemma a word, sentences one after another.");
  module.def(
      "train_lemmatizer",
      [](const text::Document& document, int epochs, int bits, double rate, uint64_t seed) {
        TrainedLemmatizer trained;
        {
          Unlocked released;
          trained = train_lemmatizer(document, {epochs, bits, rate, seed});
        }
        std::vector<int16_t> weights(trained.weights.values.size() / 2);
        std::memcpy(weights.data(), trained.weights.values.data(), trained.weights.values.size());
        nb::dict arrays;
        arrays["lexicon"] = numpy_vector(std::move(trained.lexicon.values));
        arrays["lexicon_fingerprints"] = numpy_vector(std::move(trained.lexicon.fingerprints));
        arrays["endings"] = numpy_vector(std::move(trained.endings.values));
        arrays["endings_fingerprints"] = numpy_vector(std::move(trained.endings.fingerprints));
        arrays["candidates"] = numpy_vector(std::move(trained.candidates));
        arrays["known"] = numpy_vector(std::move(trained.known));
        arrays["weights"] = numpy_vector(std::move(weights));
        return std::tuple(trained.rules, arrays);
      },
      nb::arg("document"), nb::kw_only(), nb::arg("epochs"), nb::arg("bits"), nb::arg("rate"), nb::arg("seed"),
      nb::sig("def train_lemmatizer(document: accord._core.text.Document, *, epochs: int, bits: int, rate: float, seed: int) -> "
              "tuple[list[str], dict[str, numpy.typing.NDArray[typing.Any]]]"),
      "The rules and the arrays of a Lemmatizer.");
}
