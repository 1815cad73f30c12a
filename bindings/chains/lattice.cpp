// SPDX-License-Identifier: Apache-2.0
// Forwards core/chains/segments/lattice* and unigram_segmenter to Python: accord._core.chains.
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/chains/chain.hpp"
#include "core/chains/segments/lattice_best.hpp"
#include "core/chains/segments/lattice_sums.hpp"
#include "core/chains/segments/unigram_segmenter.hpp"

namespace lattice_binding {

using namespace accord::chains;

bool is_score(double value) { return value < std::numeric_limits<double>::infinity(); }

Lattice make_lattice(int length, const Integers& from, const Integers& to, const Integers& labels, const Doubles& scores,
                     const std::optional<DoubleRows>& transitions) {
  const size_t count = scores.size();
  if (from.size() != count || to.size() != count || labels.size() != count)
    throw std::invalid_argument("the columns of the edges differ in length");
  std::vector<Edge> edges;
  for (size_t e = 0; e < count; ++e) {
    edges.push_back({from.data()[e], to.data()[e], labels.data()[e], scores.data()[e]});
    if (!is_score(edges.back().score)) throw std::invalid_argument("the score of edge " + std::to_string(e) + " is NaN or +infinity");
  }
  if (!transitions) return Lattice(length, std::move(edges));
  if (transitions->shape(0) != transitions->shape(1) || transitions->size() == 0)
    throw std::invalid_argument("transitions must be a square array");
  for (size_t k = 0; k < transitions->size(); ++k)
    if (!is_score(transitions->data()[k])) throw std::invalid_argument("the score of a transition is NaN or +infinity");
  return Lattice(length, std::move(edges), static_cast<int>(transitions->shape(0)), view(*transitions));
}

std::vector<std::pair<double, IntegersOut>> kbest(const Lattice& lattice, int k) {
  std::vector<LatticePath> ranked;
  {
    const Unlocked unlocked;
    ranked = k_best(lattice, k);
  }
  std::vector<std::pair<double, IntegersOut>> out;
  for (LatticePath& path : ranked) out.emplace_back(path.score, numpy_vector(std::move(path.edges)));
  return out;
}

std::tuple<double, double, DoublesOut> marginals(const Lattice& lattice) {
  std::vector<double> out(lattice.edges().size());
  double log_partition = 0, entropy = 0;
  {
    const Unlocked unlocked;
    const LatticeSums sums(lattice);
    log_partition = sums.log_partition();
    if (log_partition != forbidden) entropy = sums.marginals(out);
  }
  return {log_partition, entropy, numpy_vector(std::move(out))};
}

std::vector<IntegersOut> sample(const Lattice& lattice, int count, uint64_t seed) {
  std::vector<std::vector<int>> paths;
  {
    const Unlocked unlocked;
    const LatticeSums sums(lattice);
    if (sums.log_partition() == forbidden) throw std::invalid_argument("no path leads through the lattice");
    for (int number = 0; number < count; ++number) paths.push_back(sums.sample(seed, static_cast<uint64_t>(number)));
  }
  return numpy_vectors(std::move(paths));
}

DoublesOut best_through(const Lattice& lattice) {
  std::vector<double> out(lattice.edges().size());
  max_marginals(lattice, out);
  return numpy_vector(std::move(out));
}

}  // namespace lattice_binding

void bind_lattice(nb::module_& module) {
  using namespace lattice_binding;
  using namespace nb::literals;
  nb::class_<Lattice>(module, "Lattice")
      .def("kbest", &kbest, "k"_a)
      .def("marginals", &lattice_binding::marginals)
      .def("max_marginals", &best_through)
      .def("sample", &sample, "count"_a, "seed"_a)
      .def("score", [](const Lattice& lattice, const std::vector<int>& path) { return lattice.score(path); }, "path"_a);
  module.def("lattice", &make_lattice, "length"_a, "from_"_a, "to"_a, "labels"_a, "scores"_a, "transitions"_a.none());
  nb::class_<UnigramSegmenter>(module, "UnigramSegmenter")
      .def(nb::init<const std::vector<std::string>&, const std::vector<double>&, double>(), "words"_a, "counts"_a, "delta"_a)
      .def("segment", &UnigramSegmenter::segment, "text"_a, nb::call_guard<Unlocked>())
      .def("log_probability", &UnigramSegmenter::log_probability, "word"_a)
      .def(
          "edges",
          [](const UnigramSegmenter& segmenter, std::string_view text) {
            const Lattice lattice = segmenter.lattice(text);
            std::vector<int32_t> from, to;
            std::vector<double> scores;
            for (const Edge& edge : lattice.edges()) from.push_back(edge.from), to.push_back(edge.to), scores.push_back(edge.score);
            return std::tuple{lattice.length(), numpy_vector(std::move(from)), numpy_vector(std::move(to)),
                              numpy_vector(std::move(scores))};
          },
          "text"_a);
}
