// SPDX-License-Identifier: Apache-2.0
// Forwards the constituency parser of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/tasks/phrase_trainer.hpp"
#include "bindings/tasks/stored_table.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/constituents/model.hpp"
#include "core/tasks/constituents/neural_model.hpp"
#include "core/tasks/constituents/trainer.hpp"

namespace constituent_parser_binding {

using namespace accord;
using namespace accord::tasks;

// Values are int8 or int16.
SpanTable span_table(nb::handle item) {
  const StoredTable stored(item);
  if (Chars narrow; nb::try_cast(stored.values, narrow, false)) return stored.table<int8_t>(text::TableKind::hash);
  return stored.table<int16_t>(text::TableKind::hash);
}

IntegersOut rows(const std::vector<constituents::LabelledSpan>& spans) {
  std::vector<int32_t> flat;
  for (const constituents::LabelledSpan& span : spans) flat.insert(flat.end(), {span.begin, span.end, span.label});
  return to_numpy(std::move(flat), {spans.size(), 3});
}

// parse, kbest and scores of a model, linear or neural, over what it reads sentences from.
template <typename Input, typename Model>
void bind_questions(nb::class_<Model>& bound, const char* input) {
  bound
      .def(
          "parse",
          [](const Model& model, const Input& given, bool least_risk, double threshold, bool probabilities, int threads) {
            ConstituentAnswer answer({});
            {
              Unlocked released;
              answer = model.parse(given, {least_risk, threshold, probabilities, threads});
            }
            return std::tuple(numpy_vector(std::move(answer.starts)), rows(answer.spans), numpy_vector(std::move(answer.probability)),
                              numpy_vector(std::move(answer.score)), numpy_vector(std::move(answer.log_probability)));
          },
          nb::arg(input), nb::kw_only(), nb::arg("least_risk"), nb::arg("threshold"), nb::arg("probabilities"), nb::arg("threads"))
      .def(
          "kbest",
          [](const Model& model, const Input& given, size_t sentence, int k) {
            std::vector<std::tuple<double, double, IntegersOut>> result;
            for (const auto& [tree, log_probability] : model.kbest(given, sentence, k))
              result.emplace_back(tree.score, log_probability, rows(tree.spans));
            return result;
          },
          nb::arg(input), nb::arg("sentence"), nb::arg("k"))
      .def(
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
        new (self) ConstituentModel(templates, labels, temperature, span_table(table), clusters);
      },
      nb::arg("templates"), nb::arg("labels"), nb::arg("temperature"), nb::arg("table"), nb::arg("clusters"), nb::keep_alive<1, 5>());
  bind_questions<text::Sequences>(linear, "sequences");
  nb::class_<NeuralConstituentModel> neural(module, "NeuralConstituentModel");
  neural.def(
      "__init__",
      [](NeuralConstituentModel* self, std::shared_ptr<accord::neural::Network> network, double temperature) {
        new (self) NeuralConstituentModel(std::move(network), temperature);
      },
      nb::arg("network"), nb::arg("temperature"));
  bind_questions<text::Document>(neural, "document");
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
