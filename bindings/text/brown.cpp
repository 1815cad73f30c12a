// SPDX-License-Identifier: Apache-2.0
// Forwards word clustering to Python: accord._core.text. No logic here.
#include "core/text/lexicons/brown.hpp"
#include "bindings/arrays.hpp"
#include "bindings/module.hpp"

namespace brown_binding {

using namespace accord;
using text::BigramCounter;
using text::BrownClustering;

std::vector<text::Merger> pairs_of(const Integers& kept, const Integers& freed) {
  if (kept.size() != freed.size()) throw std::invalid_argument("as many slots are kept as are freed");
  std::vector<text::Merger> pairs;
  for (size_t i = 0; i < kept.size(); ++i) pairs.emplace_back(kept.data()[i], freed.data()[i]);
  return pairs;
}

std::pair<IntegersOut, IntegersOut> mergers_of(const BrownClustering& clustering) {
  std::vector<int32_t> kept, freed;
  for (const auto& [stays, goes] : clustering.mergers()) {
    kept.push_back(stays);
    freed.push_back(goes);
  }
  return {numpy_vector(std::move(kept)), numpy_vector(std::move(freed))};
}

std::vector<std::tuple<std::string, nb::bytes, uint64_t>> result_of(BrownClustering& clustering) {
  std::vector<text::ClusteredWord> words;
  {
    nb::gil_scoped_release released;
    words = clustering.result();
  }
  std::vector<std::tuple<std::string, nb::bytes, uint64_t>> result;
  for (const text::ClusteredWord& one : words) result.emplace_back(one.path, nb::bytes(one.word.data(), one.word.size()), one.count);
  return result;
}

}  // namespace brown_binding

void bind_brown(nb::module_& module) {
  using namespace brown_binding;
  nb::class_<BigramCounter>(module, "BigramCounter")
      .def(nb::init<>())
      .def(
          "add",
          [](BigramCounter& counter, const nb::bytes& lines) {
            const std::string_view text(lines.c_str(), lines.size());
            nb::gil_scoped_release released;
            counter.add(text);
          },
          nb::arg("lines"));
  nb::class_<BrownClustering>(module, "BrownClustering")
      .def(
          "__init__",
          [](BrownClustering* place, const BigramCounter& counter, int clusters, int least_count, int most_words, int64_t rebuild_every) {
            nb::gil_scoped_release released;
            new (place) BrownClustering(counter, {clusters, least_count, most_words, rebuild_every});
          },
          nb::arg("counter"), nb::kw_only(), nb::arg("clusters"), nb::arg("least_count"), nb::arg("most_words"), nb::arg("rebuild_every"))
      .def_prop_ro("words", &BrownClustering::words)
      .def_prop_ro("done", &BrownClustering::done)
      .def("advance", &BrownClustering::advance, nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>())
      .def("mergers", &mergers_of)
      .def(
          "resume",
          [](BrownClustering& clustering, const Integers& kept, const Integers& freed) { clustering.resume(pairs_of(kept, freed)); },
          nb::arg("kept"), nb::arg("freed"))
      .def("result", &result_of);
}
