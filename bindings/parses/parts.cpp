// SPDX-License-Identifier: Apache-2.0
// Forwards the layouts and charts of higher-order trees in core/trees to Python: accord._core.trees. Arrays are checked
// here, once; the interpreter lock is released around all work.
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/parses/families.hpp"
#include "bindings/unlocked.hpp"
#include "core/parses/charts/part_chart.hpp"
#include "core/parses/parts/part_words.hpp"

namespace parts_binding {

using accord::parses::CandidateArc;
using accord::parses::Part;
using accord::parses::PartChart;
using accord::parses::PartLayout;
using accord::parses::PartModel;
using accord::trees::ScoredTree;

void build(PartLayout* layout, int words, const ArcPairs& arcs, const std::vector<Part>& families) {
  std::vector<CandidateArc> candidates;
  for (size_t a = 0; a < arcs.shape(0); ++a) candidates.push_back({arcs(a, 0), arcs(a, 1)});
  new (layout) PartLayout;
  layout->build(words, candidates, families_of(families));
}

size_t width(const PartLayout& layout) { return static_cast<size_t>(layout.words()) + 1; }

// A chart a call, as with the tree spaces.
template <class Work>
auto in_chart(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root, Work&& work) {
  if (scores.shape(0) != layout.size()) throw std::invalid_argument("there must be a score for every slot of the layout");
  const Unlocked unlocked;
  PartChart chart;
  chart.prepare(layout, {model, single_root, false});
  return work(chart, view(scores));
}

std::pair<double, HeadsOut> argmax(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root) {
  std::vector<int32_t> heads(width(layout), -1);
  const double value =
      in_chart(layout, scores, model, single_root, [&](PartChart& chart, auto slots) { return chart.argmax(slots, heads); });
  return {value, numpy_vector(std::move(heads))};
}

double log_partition(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root) {
  return in_chart(layout, scores, model, single_root, [](PartChart& chart, auto slots) { return chart.log_partition(slots); });
}

double entropy(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root) {
  return in_chart(layout, scores, model, single_root, [](PartChart& chart, auto slots) { return chart.entropy(slots); });
}

std::pair<double, DoublesOut> marginals(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root) {
  std::vector<double> out(layout.size());
  const double value =
      in_chart(layout, scores, model, single_root, [&](PartChart& chart, auto slots) { return chart.marginals(slots, out); });
  return {value, numpy_vector(std::move(out))};
}

std::pair<DoublesOut, HeadsOut> kbest(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root, int k) {
  const std::vector<ScoredTree> ranked =
      in_chart(layout, scores, model, single_root, [k](PartChart& chart, auto slots) { return chart.kbest(slots, k); });
  std::vector<double> values;
  std::vector<int32_t> heads;
  for (const ScoredTree& tree : ranked) {
    values.push_back(tree.score);
    heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
  }
  return {numpy_vector(std::move(values)), to_numpy(std::move(heads), {ranked.size(), width(layout)})};
}

HeadsOut sample(const PartLayout& layout, const Doubles& scores, PartModel model, bool single_root, int count, uint64_t seed) {
  if (count < 0) throw std::invalid_argument("the number of samples must not be negative");
  std::vector<int32_t> heads(static_cast<size_t>(count) * width(layout), -1);
  in_chart(layout, scores, model, single_root, [&](PartChart& chart, auto slots) {
    chart.sample(slots, count, seed, heads);
    return true;
  });
  return to_numpy(std::move(heads), {static_cast<size_t>(count), width(layout)});
}

// The slots of a tree's parts; none when an arc is no candidate.
std::optional<IndicesOut> parts_of(const PartLayout& layout, PartModel model, const Heads& heads) {
  if (heads.shape(0) != width(layout)) throw std::invalid_argument("there must be a head for every word and for the root");
  std::vector<size_t> slots;
  if (!accord::parses::parts_of(layout, model, view(heads), slots)) return std::nullopt;
  return numpy_vector(std::vector<int64_t>(slots.begin(), slots.end()));
}

std::pair<IndicesOut, HeadsOut> list_parts(const PartLayout& layout, Part family) {
  accord::parses::WordParts parts = accord::parses::list_parts(layout, family);
  const size_t count = parts.slots.size();
  return {numpy_vector(std::move(parts.slots)), to_numpy(std::move(parts.words), {count, accord::parses::tuple_size(family)})};
}

}  // namespace parts_binding

void bind_parts(nb::module_& module) {
  using namespace parts_binding;
  using namespace nb::literals;
  nb::enum_<Part>(module, "Part")
      .value("arc", Part::arc)
      .value("sibling", Part::sibling)
      .value("grandparent", Part::grandparent)
      .value("grand_sibling", Part::grand_sibling)
      .value("tri_sibling", Part::tri_sibling);
  module.def(
      "part_families",
      [] {
        std::vector<std::pair<std::string, bool>> families;
        for (const auto& family : accord::parses::part_families) families.emplace_back(family.name, family.charted);
        return families;
      },
      "The families of parts larger than arcs, each with whether a chart finds the best projective tree with it.");
  nb::enum_<PartModel>(module, "PartModel")
      .value("full", PartModel::full)
      .value("model0", PartModel::model0)
      .value("model1", PartModel::model1)
      .value("model2", PartModel::model2)
      .value("carreras", PartModel::carreras);
  nb::class_<PartLayout>(module, "PartLayout")
      .def("__init__", &build, "words"_a, "arcs"_a, "families"_a)
      .def_prop_ro("size", &PartLayout::size)
      .def("list_parts", &list_parts, "family"_a)
      .def("parts_of", &parts_of, "model"_a, "heads"_a)
      .def("argmax", &argmax, "scores"_a, "model"_a, "single_root"_a)
      .def("log_partition", &log_partition, "scores"_a, "model"_a, "single_root"_a)
      .def("entropy", &entropy, "scores"_a, "model"_a, "single_root"_a)
      .def("marginals", &marginals, "scores"_a, "model"_a, "single_root"_a)
      .def("kbest", &kbest, "scores"_a, "model"_a, "single_root"_a, "k"_a)
      .def("sample", &sample, "scores"_a, "model"_a, "single_root"_a, "count"_a, "seed"_a);
}
