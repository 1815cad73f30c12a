// SPDX-License-Identifier: Apache-2.0
// Forwards the constituency parser of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/tasks/constituent_model.hpp"
#include "bindings/tasks/phrase_trainer.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/constituents/model.hpp"
#include "core/tasks/constituents/neural_model.hpp"
#include "core/tasks/constituents/trainer.hpp"

namespace constituent_parser_binding {

using namespace accord;
using namespace accord::tasks;

// scores of a model, linear or neural, over what it reads sentences from.
template <typename Input, typename Model>
void bind_scores(nb::class_<Model>& bound, const char* input) {
  bound.def(
      "scores",
      [](const Model& model, const Input& given, size_t sentence) {
        std::vector<double> scores = model.scores(given, sentence);
        const auto labels = static_cast<size_t>(model.labels());
        const size_t spans = scores.size() / labels;
        return to_numpy(std::move(scores), {spans, labels});
      },
      nb::arg(input), nb::arg("sentence"));
}

}  // namespace constituent_parser_binding

void bind_constituent_parser(nb::module_& module) {
  using namespace constituent_parser_binding;
  nb::class_<PhraseTrainerSettings>(module, "PhraseTrainerSettings")
      .def(
          "__init__",
          [](PhraseTrainerSettings* self, std::string rule, double cost, double aggressiveness, bool adagrad, double rate, double l2,
             int bits, int batch, int threads) {
            const learn::StepSettings step{adagrad ? learn::Step::adagrad : learn::Step::plain, rate, l2, 1e-2};
            new (self) PhraseTrainerSettings{std::move(rule), {cost, aggressiveness}, step, bits, batch, threads};
          },
          nb::kw_only(), nb::arg("rule"), nb::arg("cost"), nb::arg("aggressiveness"), nb::arg("adagrad"), nb::arg("rate"), nb::arg("l2"),
          nb::arg("bits"), nb::arg("batch"), nb::arg("threads"));
  nb::class_<ConstituentModel> linear(module, "ConstituentModel");
  linear.def(
      "__init__",
      [](ConstituentModel* self, const std::string& templates, int labels, double temperature, nb::object table,
         const text::ClusterLexicon& clusters) {
        new (self) ConstituentModel(templates, labels, temperature, hash_table(table), clusters);
      },
      nb::arg("templates"), nb::arg("labels"), nb::arg("temperature"), nb::arg("table"), nb::arg("clusters"), nb::keep_alive<1, 5>());
  bind_constituent_answers<text::Sequences>(linear, "sequences");
  bind_scores<text::Sequences>(linear, "sequences");
  nb::class_<NeuralConstituentModel> neural(module, "NeuralConstituentModel");
  neural.def(
      "__init__",
      [](NeuralConstituentModel* self, std::shared_ptr<accord::neural::Network> network, double temperature) {
        new (self) NeuralConstituentModel(std::move(network), temperature);
      },
      nb::arg("network"), nb::arg("temperature"));
  bind_constituent_answers<text::Document>(neural, "document");
  bind_scores<text::Document>(neural, "document");
  nb::class_<ConstituentTrainer> trainer(module, "ConstituentTrainer");
  trainer.def(
      "__init__",
      [](ConstituentTrainer* self, const std::string& templates, int labels, const PhraseTrainerSettings& settings,
         const text::Sequences& sequences, const Integers& gold, const Indices& starts, const text::ClusterLexicon& clusters) {
        new (self) ConstituentTrainer(templates, labels, settings, sequences, view(gold), view(starts), clusters);
      },
      nb::kw_only(), nb::arg("templates"), nb::arg("labels"), nb::arg("settings"), nb::arg("sequences"), nb::arg("gold"), nb::arg("starts"),
      nb::arg("clusters"), nb::keep_alive<1, 5>());
  bind_phrase_trainer(trainer);
}
