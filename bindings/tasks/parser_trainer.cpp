// SPDX-License-Identifier: Apache-2.0
// Forwards the training of the parser of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/arrays.hpp"
#include "bindings/tasks/trainer.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/parser/trainer.hpp"

namespace parser_trainer_binding {

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;

auto frozen(learn::FrozenWeights (ParserTrainer::*freeze)(bool) const) {
  return [freeze](const ParserTrainer& trainer, bool average) { return numpy_weights((trainer.*freeze)(average)); };
}

}  // namespace parser_trainer_binding

void bind_parser_trainer(nb::module_& module) {
  using namespace parser_trainer_binding;
  nb::class_<TrainerSettings>(module, "TrainerSettings")
      .def(
          "__init__",
          [](TrainerSettings* self, std::string rule, const std::string& kind, int arc_bits, int label_bits, double cost, double label_cost,
             double aggressiveness, bool adagrad, double rate, double l2, double dual_c, int batch, int part_bits, int pruner_bits,
             int second_pruner_bits, double pruner_rate, int tree_label_bits, int pair_bits, const DecoderSettings& decoder,
             double sharpness, const std::string& answers, bool unsupported, double prune, bool partial) {
            new (self) TrainerSettings{std::move(rule),
                                       text::parse_table_kind(kind),
                                       arc_bits,
                                       label_bits,
                                       cost,
                                       label_cost,
                                       aggressiveness,
                                       {adagrad ? learn::Step::adagrad : learn::Step::plain, rate, l2, 1e-2},
                                       dual_c,
                                       batch,
                                       part_bits,
                                       pruner_bits,
                                       second_pruner_bits,
                                       pruner_rate,
                                       tree_label_bits,
                                       pair_bits,
                                       decoder,
                                       sharpness,
                                       parse_answers(answers),
                                       unsupported,
                                       prune,
                                       partial};
          },
          nb::kw_only(), nb::arg("rule"), nb::arg("kind"), nb::arg("arc_bits"), nb::arg("label_bits"), nb::arg("cost"),
          nb::arg("label_cost"), nb::arg("aggressiveness"), nb::arg("adagrad"), nb::arg("rate"), nb::arg("l2"), nb::arg("dual_c"),
          nb::arg("batch"), nb::arg("part_bits"), nb::arg("pruner_bits"), nb::arg("second_pruner_bits"), nb::arg("pruner_rate"),
          nb::arg("tree_label_bits"), nb::arg("pair_bits"), nb::arg("decoder"), nb::arg("sharpness"), nb::arg("answers"),
          nb::arg("unsupported"), nb::arg("prune"), nb::arg("partial"));
  nb::class_<ParserTrainer> trainer(module, "ParserTrainer");
  trainer
      .def(nb::init<ParserSettings, TrainerSettings, std::vector<std::string>, text::ClusterLexicon>(), nb::arg("parser"),
           nb::arg("settings"), nb::arg("labels"), nb::arg("clusters"))
      .def("add", &ParserTrainer::add, nb::arg("document"), nb::call_guard<Unlocked>())
      .def("__len__", &ParserTrainer::size)
      .def("partial", &ParserTrainer::partial)
      .def("words", &ParserTrainer::words, nb::arg("instance"))
      .def(
          "learn_pruner",
          [](ParserTrainer& trainer, size_t pruner, int stage, const Order& order) {
            Unlocked released;
            return trainer.learn_pruner(pruner, stage, {order.data(), order.shape(0)});
          },
          nb::arg("pruner"), nb::arg("stage"), nb::arg("order"))
      .def(
          "start_pruner",
          [](ParserTrainer& trainer, size_t pruner, int stage, const Order& others) {
            trainer.start_pruner(pruner, stage, {others.data(), others.shape(0)});
          },
          nb::arg("pruner"), nb::arg("stage"), nb::arg("others"))
      .def(
          "gold_margins",
          [](ParserTrainer& trainer, size_t pruner, const Order& instances, int threads) {
            return numpy_vector(trainer.gold_margins(pruner, {instances.data(), instances.shape(0)}, threads));
          },
          nb::arg("pruner"), nb::arg("instances"), nb::arg("threads"))
      .def("set_pruner_threshold", &ParserTrainer::set_pruner_threshold, nb::arg("threshold"))
      .def(
          "prune",
          [](ParserTrainer& trainer, size_t pruner, const Order& instances, int threads) {
            Unlocked released;
            const PruningStatistics s = trainer.prune(pruner, {instances.data(), instances.shape(0)}, threads);
            return std::tuple(s.words, s.arcs, s.gold);
          },
          nb::arg("pruner"), nb::arg("instances"), nb::arg("threads"))
      .def(
          "freeze_pruner", [](const ParserTrainer& t, int stage) { return numpy_weights(t.freeze_pruner(stage)); }, nb::arg("stage"))
      .def("freeze_tree_labels", frozen(&ParserTrainer::freeze_tree_labels), nb::arg("average"))
      .def("freeze_label_pairs", frozen(&ParserTrainer::freeze_label_pairs), nb::arg("average"))
      .def("freeze_parts", frozen(&ParserTrainer::freeze_parts), nb::arg("average"))
      .def(
          "update",
          [](ParserTrainer& trainer, const Order& order, int threads) {
            Unlocked released;
            const learn::UpdateStatistics s = trainer.update({order.data(), order.shape(0)}, threads);
            return std::tuple(s.objective, s.mistakes, s.updates);
          },
          nb::arg("order"), nb::arg("threads"))
      .def("finish_pass",
           [](ParserTrainer& trainer) {
             Unlocked released;
             const learn::DualStatistics s = trainer.finish_pass();
             return std::tuple(s.primal, s.dual, s.rate);
           })
      .def("freeze_arcs", frozen(&ParserTrainer::freeze_arcs), nb::arg("average"))
      .def("freeze_labels", frozen(&ParserTrainer::freeze_labels), nb::arg("average"));
  trainer.def("information_gain", &ParserTrainer::information_gain, nb::call_guard<Unlocked>());
  bind_groups(trainer);
  bind_checkpoints(trainer);
}
