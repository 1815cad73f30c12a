// SPDX-License-Identifier: Apache-2.0
// Forwards core/tasks/parser/sentence_parts to Python: accord._core.tasks. No logic here.
#include "core/tasks/parser/sentence_parts.hpp"
#include "bindings/graph/problem.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/parses/graphs/path_indicators.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/text/documents/document.hpp"

namespace sentence_parts_binding {

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;

template <typename Value>
auto by_arc(const SentenceParts& parts, const Value& value) {
  std::vector<int32_t> values;
  for (int arc = 0; arc < parts.layout.arcs(); ++arc) values.push_back(value(arc));
  const size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

std::span<const int32_t> checked(const SentenceParts& parts, const Heads& heads) {
  if (heads.shape(0) != static_cast<size_t>(parts.layout.words()) + 1) throw std::invalid_argument("heads must have n+1 entries");
  return view(heads);
}

auto decode(const SentenceParts& parts, const Numbers& arc_scores, const DecoderSettings& settings, bool projective, bool single_root) {
  const auto arcs = static_cast<size_t>(parts.layout.arcs());
  if (arc_scores.shape(0) != arcs) throw std::invalid_argument("one score an arc is needed");
  std::vector<int32_t> heads(static_cast<size_t>(parts.layout.words()) + 1, -1);
  Decoded decoded;
  {
    Unlocked released;
    decoded = parts.decode(view(arc_scores), settings, projective, single_root, heads);
  }
  const size_t size = heads.size();
  return std::tuple(to_numpy(std::move(heads), {size}), decoded.score, decoded.bound, static_cast<int>(decoded.status));
}

auto sums(const SentenceParts& parts, const Numbers& arc_scores, double inverse_temperature, bool projective, bool single_root) {
  const auto arcs = static_cast<size_t>(parts.layout.arcs());
  if (arc_scores.shape(0) != arcs) throw std::invalid_argument("one score an arc is needed");
  std::vector<double> probabilities(arcs);
  double log_partition = 0;
  {
    Unlocked released;
    log_partition = parts.sums(view(arc_scores), inverse_temperature, projective, single_root, probabilities);
  }
  return std::tuple(to_numpy(std::move(probabilities), {arcs}), log_partition);
}

}  // namespace sentence_parts_binding

void bind_sentence_parts(nb::module_& module) {
  using namespace sentence_parts_binding;
  nb::class_<SentenceParts>(module, "SentenceParts")
      .def_prop_ro("slots", [](const SentenceParts& p) { return p.layout.size(); })
      .def_ro("complete", &SentenceParts::complete)
      .def_prop_ro(
          "heads", [](const SentenceParts& p) { return by_arc(p, [&](int arc) { return p.layout.head(arc); }); }, nb::rv_policy::move)
      .def_prop_ro(
          "dependents", [](const SentenceParts& p) { return by_arc(p, [&](int arc) { return p.layout.dependent(arc); }); },
          nb::rv_policy::move)
      .def_prop_ro(
          "arc_scores",
          [](const SentenceParts& p) {
            const auto arcs = static_cast<size_t>(p.layout.arcs());
            return to_numpy(std::vector<double>(p.scores.begin(), p.scores.begin() + p.layout.arcs()), {arcs});
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "label_scores",
          [](const SentenceParts& p) {
            const auto arcs = static_cast<size_t>(p.layout.arcs());
            return to_numpy(std::vector<float>(p.label_scores), {arcs, p.labels});
          },
          nb::rv_policy::move)
      .def(
          "larger_score", [](const SentenceParts& p, const Heads& heads) { return p.larger_score(checked(p, heads)); }, nb::arg("heads"))
      .def("sums", &sums, nb::arg("arc_scores"), nb::arg("inverse_temperature"), nb::arg("projective"), nb::arg("single_root"))
      .def("decode", &decode, nb::arg("arc_scores"), nb::arg("settings"), nb::arg("projective"), nb::arg("single_root"))
      .def(
          "add_factors",
          [](const SentenceParts& p, Problem& problem, const Indices& variables, bool projective, bool single_root, double scale) {
            std::vector<double> scores(p.scores);
            for (double& score : scores) score *= scale;
            parses::add_part_factors(problem.graph, p.layout, scores, view(variables), projective, single_root);
          },
          nb::arg("problem"), nb::arg("variables"), nb::arg("projective"), nb::arg("single_root"), nb::arg("scale") = 1.0)
      .def(
          "indicators",
          [](const SentenceParts& p, const Heads& heads, bool projective) {
            std::vector<uint8_t> values = parses::PathIndicators(p.layout, projective).values(checked(p, heads));
            const size_t count = values.size();
            return to_numpy(std::move(values), {count});
          },
          nb::arg("heads"), nb::arg("projective"), nb::rv_policy::move);
  module.def(
      "sentence_parts",
      [](const ParserModel& model, const text::Document& document, size_t sentence, const Bits& allowed, const Bits& wanted, bool prune,
         bool projective) {
        Unlocked released;
        return model.sentence_parts(document, sentence, {view(allowed), view(wanted), prune, projective});
      },
      nb::arg("model"), nb::arg("document"), nb::arg("sentence"), nb::arg("allowed"), nb::arg("wanted"), nb::arg("prune"),
      nb::arg("projective"));
  module.def(
      "labels_of_tree",
      [](const ParserModel& model, const text::Document& document, size_t sentence, const Heads& heads) {
        std::vector<int32_t> labels = model.labels_of_tree(document, sentence, view(heads));
        const size_t size = labels.size();
        return to_numpy(std::move(labels), {size});
      },
      nb::arg("model"), nb::arg("document"), nb::arg("sentence"), nb::arg("heads"));
  module.def(
      "label_logs",
      [](const ParserModel& model, const text::Document& document, size_t sentence, const Heads& heads, const Heads& labels,
         const Numbers& penalties) {
        std::vector<double> logs = model.label_logs(document, sentence, view(heads), view(labels), view(penalties));
        const size_t size = logs.size();
        return to_numpy(std::move(logs), {size});
      },
      nb::arg("model"), nb::arg("document"), nb::arg("sentence"), nb::arg("heads"), nb::arg("labels"), nb::arg("penalties"));
}
