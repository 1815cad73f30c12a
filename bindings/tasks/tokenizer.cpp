// SPDX-License-Identifier: Apache-2.0
// Forwards the tokeniser of core/tasks to Python: accord._core.tasks. No logic here. Texts are bytes of UTF-8.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/tokenizer/model.hpp"

namespace tokenizer_binding {

using namespace accord;
using namespace accord::tasks;

std::string_view text_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// The case of all Unicode, by the methods of Python's strings.
CaseMapping case_of_python() {
  const auto call = [](const char* method, const std::string& text) { return nb::str(text.data(), text.size()).attr(method)(); };
  return {[call](const std::string& text) {
            Locked acquired;
            return nb::cast<std::string>(call("lower", text));
          },
          [call](const std::string& text) {
            Locked acquired;
            return nb::cast<std::string>(call("upper", text));
          },
          [call](const std::string& text) {
            Locked acquired;
            return nb::cast<bool>(call("isupper", text));
          }};
}

Numpy<bool> flags(const std::vector<uint8_t>& values) {
  auto owned = std::make_unique<bool[]>(values.size());
  std::copy(values.begin(), values.end(), owned.get());
  bool* data = owned.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return Numpy<bool>(data, {values.size()}, owner);
}

auto arrays_of(TokenSpans&& spans) {
  return std::tuple(numpy_vector(std::move(spans.begin)), numpy_vector(std::move(spans.end)), flags(spans.last), flags(spans.paragraph));
}

void bind_squeezed(nb::module_& module) {
  nb::class_<SqueezedText>(module, "SqueezedText", "A text whose runs of blanks are single blanks, without those around paragraphs.")
      .def(
          "__init__", [](SqueezedText* self, const nb::bytes& text, bool lines) { new (self) SqueezedText(text_of(text), lines); },
          nb::arg("text"), nb::arg("lines"))
      .def("__len__", &SqueezedText::size)
      .def_prop_ro("text", &SqueezedText::text)
      .def_prop_ro(
          "places", [](const SqueezedText& text) { return numpy_vector(std::vector<int64_t>(text.places())); }, nb::rv_policy::move)
      .def_prop_ro(
          "blank", [](const SqueezedText& text) { return flags(text.blank()); }, nb::rv_policy::move)
      .def_prop_ro(
          "last", [](const SqueezedText& text) { return flags(text.ends_paragraph()); }, nb::rv_policy::move)
      .def_prop_ro(
          "starts", [](const SqueezedText& text) { return numpy_vector(std::vector<int64_t>(text.starts())); }, nb::rv_policy::move)
      .def(
          "spans", [](const SqueezedText& text, const Integers& labels) { return arrays_of(text.spans(view(labels))); }, nb::arg("labels"),
          "Begin, end, whether it is the last one of its sentence and the first one of its paragraph, of each token.");
}

void bind_multiword(nb::module_& module) {
  nb::class_<MultiwordRules>(module, "MultiwordRules", "Which surface forms are several words.")
      .def(
          "__init__", [](MultiwordRules* self, std::string text) { new (self) MultiwordRules(std::move(text), case_of_python()); },
          nb::arg("text") = "")
      .def_prop_ro("text", &MultiwordRules::text)
      .def("split", &MultiwordRules::split, nb::arg("surface"))
      .def("by_ending", &MultiwordRules::by_ending, nb::arg("lower"));
}

}  // namespace tokenizer_binding

void bind_tokenizer(nb::module_& module) {
  using namespace tokenizer_binding;
  bind_squeezed(module);
  bind_multiword(module);
  nb::class_<UserWords>(module, "UserWords", "Words that a user wants to be tokens; a bonus of infinity forces them.")
      .def(nb::init<const std::vector<std::string>&, double>(), nb::arg("words"), nb::arg("bonus"));
  nb::class_<SentenceEnds>(module, "SentenceEnds", "Which tokens end a sentence, by a network over words.")
      .def(nb::init<const LabellerModel&, std::shared_ptr<const neural::Network>, double>(), nb::arg("model"), nb::arg("network"),
           nb::arg("characters"), nb::keep_alive<1, 2>());
  nb::class_<Tokenizer>(module, "Tokenizer")
      .def(
          "__init__",
          [](Tokenizer* self, const LabellerModel& model, const text::Lexicon* lexicon, const MultiwordRules& rules, bool blanks_inside,
             bool surroundings, const UserWords* words,
             const SentenceEnds* ends) { new (self) Tokenizer({model, lexicon, blanks_inside, surroundings, words}, rules, ends); },
          nb::arg("model"), nb::arg("lexicon").none(), nb::arg("rules"), nb::kw_only(), nb::arg("blanks_inside"), nb::arg("surroundings"),
          nb::arg("words").none() = nb::none(), nb::arg("ends").none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
          nb::keep_alive<1, 4>(), nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>())
      .def_prop_ro_static("longest_sentence", [](nb::handle) { return Tokenizer::longest_sentence; })
      .def(
          "labels",
          [](const Tokenizer& tokenizer, const SqueezedText& text, int threads) {
            std::vector<int32_t> labels;
            {
              Unlocked released;
              labels = tokenizer.characters().labels(text, threads);
            }
            return numpy_vector(std::move(labels));
          },
          nb::arg("text"), nb::arg("threads"))
      .def(
          "spans",
          [](const Tokenizer& tokenizer, const nb::bytes& text, const std::string& mode, int threads) {
            TokenSpans spans;
            const std::string_view source = text_of(text);
            {
              Unlocked released;
              spans = tokenizer.spans(source, parse_text_mode(mode), threads);
            }
            return arrays_of(std::move(spans));
          },
          nb::arg("text"), nb::arg("mode"), nb::arg("threads"))
      .def(
          "document",
          [](const Tokenizer& tokenizer, const nb::bytes& text, const std::string& mode, std::optional<std::string> newdoc,
             size_t sentences, size_t characters, bool inside_paragraph, bool offsets, int threads) {
            std::string source(text_of(text));
            Unlocked released;
            return tokenizer.document(std::move(source), parse_text_mode(mode),
                                      {std::move(newdoc), sentences, characters, inside_paragraph}, offsets, threads);
          },
          nb::arg("text"), nb::arg("mode"), nb::kw_only(), nb::arg("newdoc").none(), nb::arg("sentences"), nb::arg("characters"),
          nb::arg("inside_paragraph"), nb::arg("offsets"), nb::arg("threads"))
      .def(
          "cut",
          [](const Tokenizer& tokenizer, const nb::bytes& text, const std::string& mode, int threads) {
            const std::string_view source = text_of(text);
            Unlocked released;
            return tokenizer.cut(source, parse_text_mode(mode), threads);
          },
          nb::arg("text"), nb::arg("mode"), nb::arg("threads"));
}
