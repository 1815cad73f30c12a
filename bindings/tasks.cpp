// Forwards core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"
#include "core/tasks/parser_model.hpp"
#include "core/tasks/parser_trainer.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

using Shorts = nb::ndarray<const int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chars = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Marks = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Order = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Released = nb::call_guard<nb::gil_scoped_release>;

LabelMode label_mode(const std::string& name) {
  if (name == "none") return LabelMode::none;
  if (name == "separate") return LabelMode::separate;
  if (name == "joint") return LabelMode::joint;
  throw std::invalid_argument("labels must be 'joint', 'separate' or 'none'");
}

template <typename Stored, typename Array>
text::WeightTable<Stored> table(const std::string& kind, int bits, int width, float scale, const Array& values, const Marks& marks) {
  return {text::parse_table_kind(kind), bits, width, scale, {values.data(), values.shape(0)}, {marks.data(), marks.shape(0)}};
}

template <typename T>
auto numpy_vector(std::vector<T>&& values) {
  const size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

auto numpy_weights(learn::FrozenWeights&& frozen) {
  return std::tuple(frozen.bits, frozen.width, frozen.scale, numpy_vector(std::move(frozen.values)),
                    numpy_vector(std::move(frozen.fingerprints)));
}

void bind_parser_model(nb::module_& module) {
  nb::class_<ParserSettings>(module, "ParserSettings")
      .def("__init__",
           [](ParserSettings* self, std::string templates, int labels, const std::string& mode, bool projective,
              bool single_root, double temperature) {
             new (self) ParserSettings{std::move(templates), labels, label_mode(mode), projective, single_root, temperature};
           },
           nb::arg("templates"), nb::arg("labels"), nb::arg("mode"), nb::arg("projective"), nb::arg("single_root"),
           nb::arg("temperature") = 1.0);
  nb::class_<ParserModel>(module, "ParserModel")
      .def("__init__",
           [](ParserModel* self, const ParserSettings& settings, const std::string& kind, int arc_bits, float arc_scale,
              const Shorts& arcs, const Marks& arc_marks, int label_bits, int label_width, float label_scale,
              const Chars& labels, const Marks& label_marks, const text::ClusterLexicon& clusters) {
             new (self) ParserModel(settings, table<int16_t>(kind, arc_bits, 1, arc_scale, arcs, arc_marks),
                                    table<int8_t>(kind, label_bits, label_width, label_scale, labels, label_marks), clusters);
           },
           nb::arg("settings"), nb::arg("kind"), nb::arg("arc_bits"), nb::arg("arc_scale"), nb::arg("arcs"),
           nb::arg("arc_marks"), nb::arg("label_bits"), nb::arg("label_width"), nb::arg("label_scale"), nb::arg("labels"),
           nb::arg("label_marks"), nb::arg("clusters"), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
           nb::keep_alive<1, 11>(), nb::keep_alive<1, 12>())
      .def(
          "parse",
          [](const ParserModel& model, const text::Document& document, bool probabilities, int threads) {
            ParseResult result;
            {
              nb::gil_scoped_release released;
              result = model.parse(document, probabilities, threads);
            }
            return std::tuple(numpy_vector(std::move(result.heads)), numpy_vector(std::move(result.labels)),
                              numpy_vector(std::move(result.scores)), numpy_vector(std::move(result.arc_probability)),
                              numpy_vector(std::move(result.label_probability)),
                              numpy_vector(std::move(result.tree_log_probability)));
          },
          nb::arg("document"), nb::arg("probabilities"), nb::arg("threads"))
      .def(
          "kbest",
          [](const ParserModel& model, const text::Document& document, size_t sentence, int k) {
            std::vector<LabelledTree> trees;
            {
              nb::gil_scoped_release released;
              trees = model.kbest(document, sentence, k);
            }
            std::vector<std::tuple<double, nb::ndarray<nb::numpy, int32_t>, nb::ndarray<nb::numpy, int32_t>>> result;
            for (LabelledTree& tree : trees)
              result.emplace_back(tree.score, numpy_vector(std::move(tree.heads)), numpy_vector(std::move(tree.labels)));
            return result;
          },
          nb::arg("document"), nb::arg("sentence"), nb::arg("k"))
      .def("gold_log_likelihood", &ParserModel::gold_log_likelihood, nb::arg("document"), nb::arg("names"), nb::arg("threads"),
           Released())
      .def(
          "arc_scores",
          [](const ParserModel& model, const text::Document& document, size_t sentence) {
            const size_t size = document.words(sentence) + 1;
            return to_numpy(model.arc_scores(document, sentence), {size, size});
          },
          nb::arg("document"), nb::arg("sentence"));
  module.def(
      "write_trees",
      [](const text::Document& document, const Integers& heads, const Integers& labels, const std::vector<std::string>& names,
         const std::vector<std::string>& misc_entries) {
        std::string written;
        {
          nb::gil_scoped_release released;
          written = write_trees(document, {heads.data(), heads.shape(0)}, {labels.data(), labels.shape(0)}, names, misc_entries);
        }
        return nb::bytes(written.data(), written.size());
      },
      nb::arg("document"), nb::arg("heads"), nb::arg("labels"), nb::arg("names"), nb::arg("misc_entries"));
}

void bind_parser_trainer(nb::module_& module) {
  nb::class_<TrainerSettings>(module, "TrainerSettings")
      .def("__init__",
           [](TrainerSettings* self, std::string rule, const std::string& kind, int arc_bits, int label_bits, double cost,
              double label_cost, double aggressiveness, bool adagrad, double rate, double l2, double dual_c, int batch) {
             new (self) TrainerSettings{std::move(rule), text::parse_table_kind(kind), arc_bits, label_bits, cost, label_cost,
                                        aggressiveness,
                                        {adagrad ? learn::Step::adagrad : learn::Step::plain, rate, l2, 1e-2}, dual_c, batch};
           },
           nb::arg("rule"), nb::arg("kind"), nb::arg("arc_bits"), nb::arg("label_bits"), nb::arg("cost"), nb::arg("label_cost"),
           nb::arg("aggressiveness"), nb::arg("adagrad"), nb::arg("rate"), nb::arg("l2"), nb::arg("dual_c"), nb::arg("batch"));
  nb::class_<ParserTrainer>(module, "ParserTrainer")
      .def(nb::init<ParserSettings, TrainerSettings, std::vector<std::string>, text::ClusterLexicon>(), nb::arg("parser"),
           nb::arg("settings"), nb::arg("labels"), nb::arg("clusters"))
      .def("add", &ParserTrainer::add, nb::arg("document"), Released())
      .def("__len__", &ParserTrainer::size)
      .def("words", &ParserTrainer::words, nb::arg("instance"))
      .def(
          "update",
          [](ParserTrainer& trainer, const Order& order, int threads) {
            nb::gil_scoped_release released;
            const learn::UpdateStatistics s = trainer.update({order.data(), order.shape(0)}, threads);
            return std::tuple(s.objective, s.mistakes, s.updates);
          },
          nb::arg("order"), nb::arg("threads"))
      .def(
          "finish_pass",
          [](ParserTrainer& trainer) {
            nb::gil_scoped_release released;
            const learn::DualStatistics s = trainer.finish_pass();
            return std::tuple(s.primal, s.dual, s.rate);
          })
      .def("set_rate", &ParserTrainer::set_rate, nb::arg("rate"))
      .def("freeze_arcs", [](const ParserTrainer& t, bool average) { return numpy_weights(t.freeze_arcs(average)); }, nb::arg("average"))
      .def("freeze_labels", [](const ParserTrainer& t, bool average) { return numpy_weights(t.freeze_labels(average)); }, nb::arg("average"))
      .def("save",
           [](const ParserTrainer& trainer) {
             std::vector<nb::ndarray<nb::numpy, uint8_t>> blocks;
             for (std::vector<uint8_t>& block : trainer.save()) blocks.push_back(numpy_vector(std::move(block)));
             return blocks;
           })
      .def(
          "load",
          [](ParserTrainer& trainer, const std::vector<nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>>& arrays) {
            std::vector<std::vector<uint8_t>> blocks;
            for (const auto& array : arrays) blocks.emplace_back(array.data(), array.data() + array.shape(0));
            trainer.load(blocks);
          },
          nb::arg("blocks"));
}

}  // namespace

void bind_tasks(nb::module_& module) {
  bind_parser_model(module);
  bind_parser_trainer(module);
}
