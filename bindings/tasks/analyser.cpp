// SPDX-License-Identifier: Apache-2.0
// Forwards the analyser of core/tasks to Python: accord._core.tasks. No logic here.
#include "core/tasks/labeller/analyser.hpp"
#include "bindings/tasks/trainer.hpp"
#include "bindings/unlocked.hpp"

namespace analyser_binding {

using namespace accord;
using namespace accord::tasks;

}  // namespace analyser_binding

void bind_analyser(nb::module_& module) {
  using namespace analyser_binding;
  nb::class_<AnalyserLexicon>(module, "AnalyserLexicon")
      .def(
          "__init__",
          [](AnalyserLexicon* self, std::vector<std::string> analyses, const Keys& keys, const Marks& starts, const Integers& candidates) {
            AnalyserLexicon made{
                std::move(analyses), copied(keys), copied(starts), {candidates.data(), candidates.data() + candidates.shape(0)}};
            made.check();
            new (self) AnalyserLexicon(std::move(made));
          },
          nb::arg("analyses"), nb::arg("keys"), nb::arg("starts"), nb::arg("candidates"))
      .def_static("build", &AnalyserLexicon::build, nb::arg("sequences"), nb::arg("frequent"), nb::arg("most"))
      .def_ro("analyses", &AnalyserLexicon::analyses)
      .def("arrays", [](const AnalyserLexicon& lexicon) {
        return std::tuple(numpy_vector(std::vector<uint64_t>(lexicon.keys)), numpy_vector(std::vector<uint32_t>(lexicon.starts)),
                          numpy_vector(std::vector<int32_t>(lexicon.candidates.begin(), lexicon.candidates.end())));
      });
  nb::class_<Analyser>(module, "Analyser")
      .def(nb::init<AnalyserLexicon, std::string_view>(), nb::arg("lexicon"), nb::arg("templates"))
      .def(
          "analyse",
          [](const Analyser& analyser, const text::Sequences& sequences, int bits, float scale, const Shorts& values, int threads) {
            std::vector<int32_t> result;
            {
              Unlocked released;
              result = analyser.analyse(sequences, {text::TableKind::hash, bits, 1, scale, view(values), {}}, threads);
            }
            return numpy_vector(std::move(result));
          },
          nb::arg("sequences"), nb::arg("bits"), nb::arg("scale"), nb::arg("values"), nb::arg("threads"));
  nb::class_<AnalyserTrainer>(module, "AnalyserTrainer")
      .def(nb::init<const text::Sequences&, AnalyserLexicon, std::string, int, double>(), nb::arg("sequences"), nb::arg("lexicon"),
           nb::arg("templates"), nb::arg("bits"), nb::arg("rate"), nb::keep_alive<1, 2>())
      .def(
          "update",
          [](AnalyserTrainer& trainer, const Order& order) {
            Unlocked released;
            return trainer.update(view(order));
          },
          nb::arg("order"))
      .def("freeze", [](const AnalyserTrainer& trainer) { return numpy_weights(trainer.freeze()); });
}
