// SPDX-License-Identifier: Apache-2.0
// Forwards the parser of core/tasks to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"
#include "bindings/parses/families.hpp"
#include "bindings/tasks/stored_table.hpp"
#include "bindings/unlocked.hpp"
#include "core/graph/solvers/subgradient.hpp"
#include "core/neural/network.hpp"
#include "core/parses/decoders/decoder_settings.hpp"
#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/tasks/parser/scorers/tables.hpp"
#include "core/text/features/atoms.hpp"

namespace parser_model_binding {

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;

using Released = nb::call_guard<Unlocked>;

LabelMode label_mode(const std::string& name) {
  if (name == "none") return LabelMode::none;
  if (name == "separate") return LabelMode::separate;
  if (name == "joint") return LabelMode::joint;
  throw std::invalid_argument("labels must be 'joint', 'separate' or 'none'");
}

template <typename Stored>
text::WeightTable<Stored> table(const std::string& kind, const nb::dict& tables, const char* name) {
  if (!tables.contains(name)) return {};
  return StoredTable(tables[name]).table<Stored>(text::parse_table_kind(kind));
}

ColumnTable column(const std::string& kind, const nb::dict& tables, const char* name) {
  if (!tables.contains(name)) return {};
  return StoredTable(tables[name]).either(text::parse_table_kind(kind));
}

// A pruner's tables are always hashed.
ParserTables parser_tables(const std::string& kind, const nb::dict& tables) {
  return {column(kind, tables, "arcs"),
          table<int8_t>(kind, tables, "labels"),
          column(kind, tables, "parts"),
          table<int16_t>("hash", tables, "pruner"),
          table<int8_t>("hash", tables, "second_pruner"),
          table<int8_t>(kind, tables, "tree_labels"),
          column(kind, tables, "label_pairs")};
}

auto numpy_rows(std::vector<std::vector<int32_t>>&& rows) {
  std::vector<nb::ndarray<nb::numpy, int32_t>> out;
  for (std::vector<int32_t>& row : rows) out.push_back(numpy_vector(std::move(row)));
  return out;
}

}  // namespace parser_model_binding

void bind_parser_model(nb::module_& module) {
  using namespace parser_model_binding;
  nb::class_<DecoderSettings>(module, "DecoderSettings")
      .def(
          "__init__",
          [](DecoderSettings* self, const std::string& solver, int iterations, double seconds, int nodes, int search_nodes,
             const std::string& step_rule, bool chart_grandparents) {
            new (self)
                DecoderSettings{parse_solver(solver), iterations, seconds, nodes, search_nodes, graph::parse_subgradient_rule(step_rule),
                                chart_grandparents};
          },
          nb::kw_only(), nb::arg("solver"), nb::arg("iterations"), nb::arg("seconds"), nb::arg("nodes"), nb::arg("search_nodes"),
          nb::arg("step_rule"), nb::arg("chart_grandparents"));
  nb::class_<ParserSettings>(module, "ParserSettings")
      .def(
          "__init__",
          [](ParserSettings* self, std::string templates, int labels, const std::string& mode, bool projective, bool single_root,
             double temperature, const std::vector<std::string>& parts, int pruner_heads, double pruner_threshold, bool tree_labels,
             double label_temperature, double nonlocal_scale, std::string patterns, std::vector<double> tag_temperatures) {
            new (self) ParserSettings{std::move(templates),
                                      labels,
                                      label_mode(mode),
                                      projective,
                                      single_root,
                                      temperature,
                                      families_of(parts),
                                      {pruner_heads, pruner_threshold},
                                      tree_labels,
                                      label_temperature,
                                      nonlocal_scale,
                                      std::move(patterns),
                                      std::move(tag_temperatures)};
          },
          nb::kw_only(), nb::arg("templates"), nb::arg("labels"), nb::arg("mode"), nb::arg("projective"), nb::arg("single_root"),
          nb::arg("temperature"), nb::arg("parts"), nb::arg("pruner_heads"), nb::arg("pruner_threshold"), nb::arg("tree_labels"),
          nb::arg("label_temperature"), nb::arg("nonlocal_scale"), nb::arg("patterns"), nb::arg("tag_temperatures"));
  nb::class_<ScorerShares>(module, "ScorerShares")
      .def(
          "__init__",
          [](ScorerShares* self, double linear, double network_arcs, double network_labels, double pruner) {
            new (self) ScorerShares{linear, network_arcs, network_labels, pruner};
          },
          nb::kw_only(), nb::arg("linear"), nb::arg("network_arcs"), nb::arg("network_labels"), nb::arg("pruner"));
  nb::class_<Given>(module, "Given")
      .def_prop_ro("dropped",
                   [](const Given& given) {
                     std::vector<std::pair<size_t, size_t>> pairs;
                     for (const Dropped& one : given.dropped()) pairs.emplace_back(one.sentence, one.word);
                     return pairs;
                   })
      .def(
          "sentence",
          [](const Given& given, size_t sentence) {
            const GivenWords words = given.sentence(sentence);
            return std::tuple(numpy_vector(std::vector<int32_t>(words.heads.begin(), words.heads.end())),
                              numpy_vector(std::vector<int32_t>(words.labels.begin(), words.labels.end())));
          },
          nb::arg("sentence"), "Heads and labels of positions 0..n; negative where nothing is given.");
  nb::class_<ParserModel>(module, "ParserModel")
      .def(
          "__init__",
          [](ParserModel* self, const ParserSettings& settings, const std::string& kind, const nb::dict& tables,
             const text::ClusterLexicon& clusters) { new (self) ParserModel(settings, parser_tables(kind, tables), clusters); },
          nb::arg("settings"), nb::arg("kind"), nb::arg("tables"), nb::arg("clusters"), nb::keep_alive<1, 4>(),
          nb::sig("def __init__(self, settings: ParserSettings, kind: str, tables: dict[str, object], "
                  "clusters: accord._core.text.ClusterLexicon) -> None"))
      .def(
          "__init__",
          [](ParserModel* self, const ParserSettings& settings, std::shared_ptr<neural::Network> network) {
            new (self) ParserModel(settings, std::move(network));
          },
          nb::arg("settings"), nb::arg("network"))
      .def(
          "__init__",
          [](ParserModel* self, const ParserSettings& settings, const std::string& kind, const nb::dict& tables,
             const text::ClusterLexicon& clusters, std::shared_ptr<neural::Network> network, const ScorerShares& shares) {
            new (self) ParserModel(settings, parser_tables(kind, tables), clusters, std::move(network), shares);
          },
          nb::arg("settings"), nb::arg("kind"), nb::arg("tables"), nb::arg("clusters"), nb::arg("network"), nb::arg("shares"),
          nb::keep_alive<1, 4>(),
          nb::sig("def __init__(self, settings: ParserSettings, kind: str, tables: dict[str, object], "
                  "clusters: accord._core.text.ClusterLexicon, network: accord._core.neural.Network, shares: ScorerShares) -> None"))
      .def(
          "tag",
          [](const ParserModel& model, const text::Document& document, int threads) {
            std::vector<std::vector<int32_t>> tags;
            {
              Unlocked released;
              tags = model.tag(document, threads);
            }
            return numpy_rows(std::move(tags));
          },
          nb::arg("document"), nb::arg("threads"), "By task of the network: the class of each word.")
      .def(
          "tag_probabilities",
          [](const ParserModel& model, const text::Document& document, size_t task, int threads) {
            std::vector<double> out;
            {
              Unlocked released;
              out = model.tag_probabilities(document, task, threads);
            }
            return numpy_vector(std::move(out));
          },
          nb::arg("document"), nb::arg("task"), nb::arg("threads"), "Of each word's chosen class.")
      .def(
          "tag_logs",
          [](const ParserModel& model, const text::Document& document, size_t sentence, size_t task, bool alone) {
            std::vector<float> out = model.tag_logs(document, sentence, task, alone);
            const size_t words = document.words(sentence), classes = words == 0 ? 0 : out.size() / words;
            return to_numpy(std::move(out), {words, classes});
          },
          nb::arg("document"), nb::arg("sentence"), nb::arg("task"), nb::arg("alone") = false, "Log-probabilities, words x classes.")
      .def(
          "parse",
          [](const ParserModel& model, const text::Document& document, const DecoderSettings& decoder, bool probabilities, int threads,
             const Given* given, bool tags) {
            ParseResult result;
            {
              Unlocked released;
              result = model.parse(document, decoder, probabilities, threads, given, tags);
            }
            return std::tuple(numpy_vector(std::move(result.heads)), numpy_vector(std::move(result.labels)),
                              numpy_vector(std::move(result.scores)), numpy_vector(std::move(result.arc_probability)),
                              numpy_vector(std::move(result.label_probability)), numpy_vector(std::move(result.tree_log_probability)),
                              numpy_vector(std::move(result.bounds)), numpy_vector(std::move(result.statuses)),
                              numpy_vector(std::move(result.iterations)), numpy_rows(std::move(result.tags)));
          },
          nb::arg("document"), nb::arg("decoder"), nb::arg("probabilities"), nb::arg("threads"), nb::arg("given") = nb::none(),
          nb::arg("tags") = false)
      .def(
          "given",
          [](const ParserModel& model, const text::Document& document, const std::vector<std::string>& names, int threads) {
            return Given(document, names, model.settings().projective, model.settings().single_root, threads);
          },
          nb::arg("document"), nb::arg("names"), nb::arg("threads"), Released())
      .def(
          "prune",
          [](const ParserModel& model, const text::Document& document, int threads) {
            Unlocked released;
            const PruningStatistics s = model.prune(document, threads);
            return std::tuple(s.words, s.arcs, s.gold);
          },
          nb::arg("document"), nb::arg("threads"))
      .def(
          "kbest",
          [](const ParserModel& model, const text::Document& document, size_t sentence, const DecoderSettings& decoder, int k,
             const Given* given) {
            std::vector<LabelledTree> trees;
            {
              Unlocked released;
              trees = model.kbest(document, sentence, decoder, k, given);
            }
            std::vector<std::tuple<double, nb::ndarray<nb::numpy, int32_t>, nb::ndarray<nb::numpy, int32_t>, bool>> result;
            for (LabelledTree& tree : trees)
              result.emplace_back(tree.score, numpy_vector(std::move(tree.heads)), numpy_vector(std::move(tree.labels)), tree.certified);
            return result;
          },
          nb::arg("document"), nb::arg("sentence"), nb::arg("decoder"), nb::arg("k"), nb::arg("given") = nb::none())
      .def("gold_log_likelihood", &ParserModel::gold_log_likelihood, nb::arg("document"), nb::arg("names"), nb::arg("threads"), Released())
      .def("gold_label_log_likelihood", &ParserModel::gold_label_log_likelihood, nb::arg("document"), nb::arg("names"), nb::arg("threads"),
           Released())
      .def(
          "arc_scores",
          [](const ParserModel& model, const text::Document& document, size_t sentence) {
            const size_t size = document.words(sentence) + 1;
            return to_numpy(model.arc_scores(document, sentence), {size, size});
          },
          nb::arg("document"), nb::arg("sentence"));
}
