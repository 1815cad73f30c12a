// SPDX-License-Identifier: Apache-2.0
// Forwards the parser of spines of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/tasks/constituent_model.hpp"
#include "bindings/tasks/phrase_trainer.hpp"
#include "core/tasks/constituents/tag/model.hpp"
#include "core/tasks/constituents/tag/pruner_trainer.hpp"
#include "core/tasks/constituents/tag/trainer.hpp"

namespace tag_binding {

using namespace accord;
using namespace accord::tasks;

SpineData data(const text::Sequences& sequences, const Integers& spines, const Integers& heads, const Integers& nodes,
               const Integers& regular, const text::ClusterLexicon& clusters) {
  return {sequences, copied(spines), copied(heads), copied(nodes), copied(regular), clusters};
}

auto told(const SpinePruningStatistics& one) { return std::tuple(one.words, one.kept, one.relations, one.possible, one.spines); }

}  // namespace tag_binding

void bind_tag_parser(nb::module_& module) {
  using namespace tag_binding;
  nb::class_<SpinePruning>(module, "SpinePruning")
      .def(
          "__init__",
          [](SpinePruning* self, double alpha, double spine_alpha, int most) { new (self) SpinePruning{alpha, spine_alpha, most}; },
          nb::kw_only(), nb::arg("alpha"), nb::arg("spine_alpha"), nb::arg("most"));
  nb::class_<constituents::SpineShape>(module, "SpineShape")
      .def(
          "__init__",
          [](constituents::SpineShape* self, int order, bool nearest, bool boundaries) {
            new (self) constituents::SpineShape{order, nearest, boundaries};
          },
          nb::kw_only(), nb::arg("order"), nb::arg("nearest"), nb::arg("boundaries"));
  nb::class_<FrozenPruner>(module, "FrozenPruner")
      .def(
          "__init__",
          [](FrozenPruner* self, const std::string& templates, const constituents::SpineGrammar& grammar,
             const std::vector<std::string>& tags, nb::object labels, nb::object spines, const text::ClusterLexicon& clusters) {
            new (self) FrozenPruner(templates, grammar, tags, hash_table(labels), hash_table(spines), clusters);
          },
          nb::kw_only(), nb::arg("templates"), nb::arg("grammar"), nb::arg("tags"), nb::arg("labels"), nb::arg("spines"),
          nb::arg("clusters"), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>());
  nb::class_<TagModel> model(module, "TagModel");
  model.def(
      "__init__",
      [](TagModel* self, const std::string& templates, const constituents::SpineGrammar& grammar, const std::vector<std::string>& tags,
         const constituents::SpineShape& shape, const SpinePruning& pruning, double temperature, nb::object labels, nb::object spines,
         nb::object parts, const text::ClusterLexicon& clusters) {
        new (self) TagModel(templates, grammar, tags, {shape, pruning, temperature},
                            {hash_table(labels), hash_table(spines), hash_table(parts)}, clusters);
      },
      nb::kw_only(), nb::arg("templates"), nb::arg("grammar"), nb::arg("tags"), nb::arg("shape"), nb::arg("pruning"),
      nb::arg("temperature"), nb::arg("labels"), nb::arg("spines"), nb::arg("parts"), nb::arg("clusters"), nb::keep_alive<1, 8>(),
      nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>());
  bind_constituent_answers<text::Sequences>(model, "sequences");
  model
      .def(
          "heads",
          [](const TagModel& self, const text::Sequences& sequences, int threads) {
            Unlocked released;
            return self.heads(sequences, threads);
          },
          nb::arg("sequences"), nb::arg("threads"))
      .def("marginals", &TagModel::marginals, nb::arg("sequences"), nb::arg("sentence"))
      .def(
          "pruning",
          [](const TagModel& self, const text::Sequences& sequences, const Integers& spines, const Integers& heads, const Integers& nodes,
             const Integers& regular,
             const text::ClusterLexicon& clusters) { return told(self.pruning(data(sequences, spines, heads, nodes, regular, clusters))); },
          nb::kw_only(), nb::arg("sequences"), nb::arg("spines"), nb::arg("heads"), nb::arg("nodes"), nb::arg("regular"),
          nb::arg("clusters"));
  nb::class_<SpinePrunerTrainer> pruners(module, "SpinePrunerTrainer");
  pruners.def(
      "__init__",
      [](SpinePrunerTrainer* self, const std::string& templates, const constituents::SpineGrammar& grammar,
         const std::vector<std::string>& tags, const PhraseTrainerSettings& settings, const std::vector<int>& bits,
         const text::Sequences& sequences, const Integers& spines, const Integers& heads, const Integers& nodes, const Integers& regular,
         const text::ClusterLexicon& clusters) {
        if (bits.size() != 2) throw std::invalid_argument("a pruner has two tables");
        new (self) SpinePrunerTrainer(templates, grammar, tags, settings, bits, data(sequences, spines, heads, nodes, regular, clusters));
      },
      nb::kw_only(), nb::arg("templates"), nb::arg("grammar"), nb::arg("tags"), nb::arg("settings"), nb::arg("bits"), nb::arg("sequences"),
      nb::arg("spines"), nb::arg("heads"), nb::arg("nodes"), nb::arg("regular"), nb::arg("clusters"), nb::keep_alive<1, 7>());
  bind_phrase_trainer(pruners);
  nb::class_<TagTrainer> trainer(module, "TagTrainer");
  trainer.def(
      "__init__",
      [](TagTrainer* self, const std::string& templates, const constituents::SpineGrammar& grammar, const std::vector<std::string>& tags,
         const PhraseTrainerSettings& settings, const constituents::SpineShape& shape, const SpinePruning& pruning,
         const std::vector<const FrozenPruner*>& pruners, const Integers& chosen, const text::Sequences& sequences, const Integers& spines,
         const Integers& heads, const Integers& nodes, const Integers& regular, const text::ClusterLexicon& clusters) {
        SpineData given = data(sequences, spines, heads, nodes, regular, clusters);
        Unlocked released;
        new (self) TagTrainer(templates, grammar, tags, settings, shape, pruning, pruners, view(chosen), std::move(given));
      },
      nb::kw_only(), nb::arg("templates"), nb::arg("grammar"), nb::arg("tags"), nb::arg("settings"), nb::arg("shape"), nb::arg("pruning"),
      nb::arg("pruners"), nb::arg("chosen"), nb::arg("sequences"), nb::arg("spines"), nb::arg("heads"), nb::arg("nodes"),
      nb::arg("regular"), nb::arg("clusters"), nb::keep_alive<1, 10>());
  trainer.def("pruning", [](const TagTrainer& self) { return told(self.pruning()); });
  bind_phrase_trainer(trainer);
}
