// SPDX-License-Identifier: Apache-2.0
// Forwards word clustering to Python: accord._core.text. No logic here.
#include "bindings/arrays.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/text/lexicons/exchange.hpp"

namespace brown_binding {

using namespace accord;
using text::BigramCounter;
using text::BrownClustering;
using text::ExchangeClustering;

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

template <typename Clustering>
std::vector<std::tuple<std::string, nb::bytes, uint64_t>> result_of(Clustering& clustering) {
  std::vector<text::ClusteredWord> words;
  {
    Unlocked released;
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
            Unlocked released;
            counter.add(text);
          },
          nb::arg("lines"));
  nb::class_<BrownClustering>(module, "BrownClustering")
      .def(
          "__init__",
          [](BrownClustering* place, const BigramCounter& counter, int clusters, int least_count, int most_words, int64_t rebuild_every,
             int threads) {
            Unlocked released;
            new (place) BrownClustering(counter, {clusters, least_count, most_words, rebuild_every, threads});
          },
          nb::arg("counter"), nb::kw_only(), nb::arg("clusters"), nb::arg("least_count"), nb::arg("most_words"), nb::arg("rebuild_every"),
          nb::arg("threads"))
      .def_prop_ro("words", &BrownClustering::words)
      .def_prop_ro("done", &BrownClustering::done)
      .def("advance", &BrownClustering::advance, nb::arg("seconds"), nb::call_guard<Unlocked>())
      .def("mergers", &mergers_of)
      .def(
          "resume",
          [](BrownClustering& clustering, const Integers& kept, const Integers& freed) { clustering.resume(pairs_of(kept, freed)); },
          nb::arg("kept"), nb::arg("freed"))
      .def("result", &result_of<BrownClustering>);
  nb::class_<ExchangeClustering>(module, "ExchangeClustering")
      .def(
          "__init__",
          [](ExchangeClustering* place, const BigramCounter& counter, int clusters, int least_count, int most_words, int threads) {
            Unlocked released;
            new (place) ExchangeClustering(counter, {clusters, least_count, most_words, 0, threads});
          },
          nb::arg("counter"), nb::kw_only(), nb::arg("clusters"), nb::arg("least_count"), nb::arg("most_words"), nb::arg("threads"))
      .def_prop_ro("words", &ExchangeClustering::words)
      .def("sweep", &ExchangeClustering::pass, nb::call_guard<Unlocked>())
      .def_prop_ro("objective", &ExchangeClustering::objective)
      .def("result", &result_of<ExchangeClustering>);
}
