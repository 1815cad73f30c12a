// SPDX-License-Identifier: Apache-2.0
// Forwards the sequence labeller of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/tasks/stored_table.hpp"
#include "bindings/tasks/trainer.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/labeller/batch_trainer.hpp"
#include "core/tasks/labeller/model.hpp"
#include "core/tasks/labeller/network_scores.hpp"
#include "core/tasks/labeller/trainer.hpp"

namespace labeller_binding {

using namespace accord;
using namespace accord::tasks;

auto numpy_tables(std::vector<learn::FrozenWeights>&& tables) {
  std::vector<NumpyWeights> result;
  for (learn::FrozenWeights& table : tables) result.push_back(numpy_weights(std::move(table)));
  return result;
}

// Values are int8 or int16.
LabelTable label_table(nb::handle item) {
  const StoredTable stored(item);
  const text::TableKind kind = stored.marks.size() > 0 ? text::TableKind::dictionary : text::TableKind::hash;
  if (Chars narrow; nb::try_cast(stored.values, narrow, false)) return stored.table<int8_t>(kind);
  return stored.table<int16_t>(kind);
}

// Labels of the first tokens, middle, last, single, and the longest segment of a type.
using SegmentLabels = std::tuple<std::vector<int>, int, int, int, int>;

// The masks of all layers one after another as one for each layer.
std::vector<std::vector<double>> split_follow(std::span<const double> follow, const std::vector<int>& sizes) {
  if (follow.empty()) return {};
  size_t states = 1, at = 0;
  for (int size : sizes) states *= static_cast<size_t>(std::max(size, 0));
  std::vector<std::vector<double>> masks;
  for (int size : sizes) {
    const size_t width = states * static_cast<size_t>(std::max(size, 0));
    if (width > follow.size() - at) throw std::invalid_argument("a mask has one entry for each clique");
    masks.emplace_back(follow.begin() + static_cast<std::ptrdiff_t>(at), follow.begin() + static_cast<std::ptrdiff_t>(at + width));
    at += width;
  }
  return masks;
}

void bind_model(nb::module_& module) {
  nb::class_<LabellerSettings>(module, "LabellerSettings")
      .def(
          "__init__",
          [](LabellerSettings* self, std::string templates, int labels, int tags, int order, double temperature, const Doubles& start,
             const Doubles& end, const Doubles& follow, const std::vector<SegmentLabels>& types, const std::vector<int>& sizes) {
            std::vector<SegmentType> segments;
            for (const auto& [first, middle, last, single, longest] : types) segments.push_back({first, middle, last, single, longest});
            ChainMasks masks;
            LayerMasks layer_masks;
            (sizes.empty() ? masks.start : layer_masks.start) = copied(start);
            (sizes.empty() ? masks.end : layer_masks.end) = copied(end);
            if (sizes.empty()) masks.follow = copied(follow);
            else layer_masks.follow = split_follow(view(follow), sizes);
            new (self)
                LabellerSettings{std::move(templates),  labels, tags, order, temperature, std::move(masks), std::move(segments), sizes,
                                 std::move(layer_masks)};
          },
          nb::kw_only(), nb::arg("templates"), nb::arg("labels"), nb::arg("tags"), nb::arg("order"), nb::arg("temperature"),
          nb::arg("start"), nb::arg("end"), nb::arg("follow"), nb::arg("types"), nb::arg("sizes"))
      .def_prop_ro("blocks", [](const LabellerSettings& settings) {
        std::vector<std::pair<std::string, int>> blocks;
        const std::unique_ptr<ChainLayout> layout = settings.layout();
        for (const Block& block : layout->blocks()) blocks.emplace_back(block.section, block.width);
        return blocks;
      });
  nb::class_<LabellerModel>(module, "LabellerModel")
      .def(
          "__init__",
          [](LabellerModel* self, const LabellerSettings& settings, const nb::list& tables, const text::ClusterLexicon& clusters) {
            std::vector<LabelTable> views;
            for (nb::handle item : tables) views.push_back(label_table(item));
            new (self) LabellerModel(settings, std::move(views), clusters);
          },
          nb::arg("settings"), nb::arg("tables"), nb::arg("clusters"), nb::keep_alive<1, 3>(),
          nb::sig(
              "def __init__(self, settings: LabellerSettings, tables: list[object], clusters: accord._core.text.ClusterLexicon) -> None"))
      .def(
          "label",
          [](const LabellerModel& model, const text::Sequences& sequences, bool posterior, bool probabilities, bool posteriors,
             const Integers& known, const Doubles& bonus, int threads) {
            LabelAnswer answer;
            {
              Unlocked released;
              answer = model.label(sequences, {posterior ? Decoding::posterior : Decoding::best, probabilities, posteriors, view(known),
                                               view(bonus), threads});
            }
            return std::tuple(numpy_vector(std::move(answer.labels)), numpy_vector(std::move(answer.probability)),
                              numpy_vector(std::move(answer.log_probability)), numpy_vector(std::move(answer.score)),
                              numpy_vector(std::move(answer.posteriors)), numpy_vector(std::move(answer.impossible)));
          },
          nb::arg("sequences"), nb::kw_only(), nb::arg("posterior"), nb::arg("probabilities"), nb::arg("posteriors"), nb::arg("known"),
          nb::arg("bonus"), nb::arg("threads"))
      .def(
          "kbest",
          [](const LabellerModel& model, const text::Sequences& sequences, size_t sequence, int k, const Integers& known,
             const Doubles& bonus) {
            std::vector<std::tuple<double, double, IntegersOut>> result;
            for (RankedLabels& one : model.kbest(sequences, sequence, k, view(known), view(bonus)))
              result.emplace_back(one.score, one.log_probability, numpy_vector(std::move(one.labels)));
            return result;
          },
          nb::arg("sequences"), nb::arg("sequence"), nb::arg("k"), nb::arg("known"), nb::arg("bonus"))
      .def(
          "segments",
          [](const LabellerModel& model, const text::Sequences& sequences, const Doubles& bonus, double margin, int threads) {
            std::vector<std::vector<ScoredSegment>> found;
            {
              Unlocked released;
              found = model.segments(sequences, view(bonus), margin, threads);
            }
            std::vector<int64_t> starts = {0};
            std::vector<int32_t> begins, ends;
            std::vector<double> scores;
            for (const std::vector<ScoredSegment>& one : found) {
              for (const ScoredSegment& segment : one) {
                begins.push_back(segment.first);
                ends.push_back(segment.first + segment.size);
                scores.push_back(segment.score);
              }
              starts.push_back(static_cast<int64_t>(scores.size()));
            }
            return std::tuple(numpy_vector(std::move(starts)), numpy_vector(std::move(begins)), numpy_vector(std::move(ends)),
                              numpy_vector(std::move(scores)));
          },
          nb::arg("sequences"), nb::kw_only(), nb::arg("bonus"), nb::arg("margin"), nb::arg("threads"))
      .def(
          "run_log_probabilities",
          [](const LabellerModel& model, const text::Sequences& sequences, const Order& sequence, const Order& first, const Order& length,
             const Integers& labels, const Integers& not_after, const Doubles& bonus) {
            const size_t count = sequence.shape(0);
            if (first.shape(0) != count || length.shape(0) != count || not_after.shape(0) != count)
              throw std::invalid_argument("one sequence, first token, length and label behind for each run");
            std::vector<LabelRun> runs(count);
            size_t at = 0;
            for (size_t r = 0; r < count; ++r) {
              const auto size = static_cast<size_t>(length.data()[r]);
              if (length.data()[r] < 0 || size > labels.shape(0) - at)
                throw std::invalid_argument("fewer labels than the runs have tokens");
              runs[r] = {static_cast<size_t>(sequence.data()[r]),
                         static_cast<size_t>(first.data()[r]),
                         {labels.data() + at, size},
                         not_after.data()[r]};
              at += size;
            }
            Unlocked released;
            return model.run_log_probabilities(sequences, runs, view(bonus));
          },
          nb::arg("sequences"), nb::arg("sequence"), nb::arg("first"), nb::arg("length"), nb::arg("labels"), nb::arg("not_after"),
          nb::arg("bonus"));
}

void bind_online(nb::module_& module) {
  nb::class_<LabellerTrainerSettings>(module, "LabellerTrainerSettings")
      .def(
          "__init__",
          [](LabellerTrainerSettings* self, std::string rule, double cost, double aggressiveness, bool adagrad, double rate, double l2,
             const std::string& table, std::vector<int> bits, int batch, int threads, double dual_c, int least_count) {
            new (self) LabellerTrainerSettings{std::move(rule),
                                               {cost, aggressiveness},
                                               {adagrad ? learn::Step::adagrad : learn::Step::plain, rate, l2, 1e-2},
                                               text::parse_table_kind(table),
                                               std::move(bits),
                                               batch,
                                               threads,
                                               dual_c,
                                               least_count};
          },
          nb::kw_only(), nb::arg("rule"), nb::arg("cost"), nb::arg("aggressiveness"), nb::arg("adagrad"), nb::arg("rate"), nb::arg("l2"),
          nb::arg("table"), nb::arg("bits"), nb::arg("batch"), nb::arg("threads"), nb::arg("dual_c"), nb::arg("least_count"));
  nb::class_<LabellerTrainer> trainer(module, "LabellerTrainer");
  trainer
      .def(
          "__init__",
          [](LabellerTrainer* self, const LabellerSettings& model, const LabellerTrainerSettings& settings,
             const text::Sequences& sequences, const Integers& labels, const std::vector<std::vector<double>>& costs,
             const text::ClusterLexicon& clusters) {
            new (self) LabellerTrainer(model, settings, sequences, view(labels), costs, clusters);
          },
          nb::arg("model"), nb::arg("settings"), nb::arg("sequences"), nb::arg("labels"), nb::arg("costs"), nb::arg("clusters"),
          nb::keep_alive<1, 4>())
      .def(
          "update",
          [](LabellerTrainer& trainer, const Order& order) {
            Unlocked released;
            const learn::UpdateStatistics s = trainer.update(view(order));
            return std::tuple(s.objective, s.mistakes, s.updates);
          },
          nb::arg("order"))
      .def("finish",
           [](LabellerTrainer& trainer) {
             Unlocked released;
             const learn::FrankWolfeStatistics s = trainer.finish();
             return std::tuple(s.primal, s.dual);
           })
      .def(
          "freeze",
          [](const LabellerTrainer& t, bool average, int bytes, int pad, double prune) {
            return numpy_tables(t.freeze(average, bytes, pad, prune));
          },
          nb::arg("average"), nb::arg("bytes"), nb::arg("pad"), nb::arg("prune"));
  bind_groups(trainer);
  bind_checkpoints(trainer);
}

void bind_batch(nb::module_& module) {
  nb::class_<BatchTrainer>(module, "BatchTrainer")
      .def(
          "__init__",
          [](BatchTrainer* self, const LabellerSettings& model, const text::Sequences& sequences, const Integers& labels,
             const text::ClusterLexicon& clusters, double l2, int least_count, bool unseen, bool unseen_constant, int threads) {
            Unlocked released;
            new (self) BatchTrainer(model, sequences, view(labels), clusters, {l2, least_count, unseen, unseen_constant, threads});
          },
          nb::arg("model"), nb::arg("sequences"), nb::arg("labels"), nb::arg("clusters"), nb::kw_only(), nb::arg("l2"),
          nb::arg("least_count"), nb::arg("unseen"), nb::arg("unseen_constant"), nb::arg("threads"))
      .def_prop_ro("features", &BatchTrainer::features)
      .def(
          "weights", [](BatchTrainer& trainer) { return numpy_vector(std::vector<double>(trainer.weights())); },
          "A copy of the weights as they are now.")
      .def(
          "minimize",
          [](BatchTrainer& trainer, int iterations, double l1, int history, double gradient_tolerance, double decrease_tolerance,
             int period, double goal, const nb::callable& report) {
            Unlocked released;
            const learn::LbfgsResult result = trainer.minimize(
                {iterations, history, l1, gradient_tolerance, decrease_tolerance, period, goal}, [&](const learn::LbfgsReport& now) {
                  Locked acquired;
                  return nb::cast<bool>(report(now.iteration, now.objective, now.gradient_norm, now.evaluations));
                });
            return std::tuple(result.objective, result.iterations, result.evaluations, result.converged);
          },
          nb::kw_only(), nb::arg("iterations"), nb::arg("l1"), nb::arg("history"), nb::arg("gradient_tolerance"),
          nb::arg("decrease_tolerance"), nb::arg("period"), nb::arg("goal"), nb::arg("report"),
          nb::sig("def minimize(self, *, iterations: int, l1: float, history: int, gradient_tolerance: float, decrease_tolerance: float, "
                  "period: int, goal: float, report: collections.abc.Callable[[int, float, float, int], bool]) -> tuple[float, int, int, "
                  "bool]"))
      .def(
          "evaluate",
          [](BatchTrainer& trainer, const Doubles& weights) {
            if (weights.shape(0) != trainer.features()) throw std::invalid_argument("one weight for each feature, please");
            std::copy_n(weights.data(), weights.shape(0), trainer.weights().begin());
            std::vector<double> gradient(trainer.features());
            const double value = trainer.evaluate(gradient);
            return std::tuple(value, numpy_vector(std::move(gradient)));
          },
          nb::arg("weights"), "Value and gradient of the objective at these weights, which it keeps.")
      .def(
          "freeze", [](const BatchTrainer& t, int bytes, int pad, double prune) { return numpy_tables(t.freeze(bytes, pad, prune)); },
          nb::arg("bytes"), nb::arg("pad"), nb::arg("prune"));
}

}  // namespace labeller_binding

void bind_labeller(nb::module_& module) {
  using namespace labeller_binding;
  module.def(
      "score_labels",
      [](std::shared_ptr<neural::Network> network, size_t task, const text::Document& document, text::Sequences& sequences, int threads) {
        Unlocked released;
        score_labels(std::move(network), task, document, sequences, threads);
      },
      nb::arg("network"), nb::arg("task"), nb::arg("document"), nb::arg("sequences"), nb::arg("threads"),
      "Add what the classifier of a network says of each word of a document to its sequences.");
  bind_model(module);
  bind_online(module);
  bind_batch(module);
}
