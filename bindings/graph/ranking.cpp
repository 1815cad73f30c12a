// SPDX-License-Identifier: Apache-2.0
// Forwards the rankings and samples of core/graph/values to Python: further methods of accord._core.graph.Problem. No logic here.
#include "core/graph/values/ranking.hpp"
#include "bindings/graph/problem.hpp"
#include "bindings/interruptible.hpp"
#include "core/graph/stop.hpp"
#include "core/graph/values/importance.hpp"
#include "core/graph/values/junction/joint_marginals.hpp"
#include "core/graph/values/junction/junction_tree.hpp"
#include "core/graph/values/value_view.hpp"

namespace ranking_binding {

using namespace accord::graph;

ValueView view_of(const Problem& problem) {
  ValueLimits limits;
  limits.alone = true;
  std::optional<ValueView> view = ValueView::of(problem.graph, limits);
  if (!view) throw std::invalid_argument("a factor is custom, or too large to be a table of values");
  return std::move(*view);
}

Stop limited(const Stop& signals, double seconds) {
  return [&signals, seconds, begin = std::chrono::steady_clock::now()] { return asked_to(signals) || since(begin) > seconds; };
}

template <typename Settings, typename Get>
auto numpy_assignments(const ValueView& view, size_t variables, const Settings& settings, Get&& get) {
  std::vector<uint8_t> bits;
  for (const auto& one : settings) {
    const std::vector<uint8_t> row = view.assignment(get(one));
    bits.insert(bits.end(), row.begin(), row.end());
  }
  return to_numpy(std::move(bits), {settings.size(), variables});
}

auto numpy_ranking(const Problem& problem, const ValueView& view, const std::vector<RankedSetting>& ranked) {
  std::vector<uint8_t> certified;
  for (const RankedSetting& one : ranked) certified.push_back(one.certified);
  return std::pair(numpy_assignments(view, problem.graph.variables(), ranked, [](const RankedSetting& one) { return one.setting; }),
                   numpy_vector(std::move(certified)));
}

const std::vector<int32_t>& itself(const std::vector<int32_t>& setting) { return setting; }

}  // namespace ranking_binding

void bind_ranking(nb::class_<Problem>& problem) {
  using namespace ranking_binding;
  problem
      .def(
          "kbest",
          [](const Problem& p, size_t count, double seconds) {
            const ValueView view = view_of(p);
            return numpy_ranking(p, view, interruptible([&](const Stop& signals) {
                                   return best_settings(view.values(), count, limited(signals, seconds));
                                 }));
          },
          nb::arg("count"), nb::arg("seconds"))
      .def(
          "diverse",
          [](const Problem& p, size_t count, size_t distance, double seconds) {
            const ValueView view = view_of(p);
            return numpy_ranking(p, view, interruptible([&](const Stop& signals) {
                                   return diverse_settings(view.values(), count, distance, limited(signals, seconds));
                                 }));
          },
          nb::arg("count"), nb::arg("distance"), nb::arg("seconds"))
      .def(
          "samples",
          [](const Problem& p, size_t count, uint64_t seed, double width, double entries) {
            const ValueView view = view_of(p);
            const auto drawn = interruptible([&](const Stop& stop) {
              const auto order = elimination_order(view.values(), {width, entries}, stop);
              if (!order) throw std::invalid_argument("the graph is too wide for exact samples");
              return JunctionTree(view.values(), *order).samples(count, seed, stop);
            });
            return numpy_assignments(view, p.graph.variables(), drawn, itself);
          },
          nb::arg("count"), nb::arg("seed"), nb::arg("width"), nb::arg("entries"))
      .def(
          "joint_marginals",
          [](const Problem& p, const std::vector<std::vector<ScopeAxis>>& scopes, double width, double entries, double seconds) {
            std::vector<std::vector<double>> found = interruptible([&](const Stop& signals) {
              return joint_marginals(p.graph, scopes, {false, {width, entries}, limited(signals, seconds)});
            });
            std::vector<decltype(numpy_vector(std::vector<double>()))> out;
            for (std::vector<double>& one : found) out.push_back(numpy_vector(std::move(one)));
            return out;
          },
          nb::arg("scopes"), nb::arg("width"), nb::arg("entries"), nb::arg("seconds"))
      .def(
          "importance_samples",
          [](const Problem& p, const Numbers& posteriors, size_t count, uint64_t seed) {
            const ValueView view = view_of(p);
            auto drawn = interruptible(
                [&](const Stop& stop) { return importance_samples(view.values(), view.of_values(::view(posteriors)), count, seed, stop); });
            return std::pair(numpy_assignments(view, p.graph.variables(), drawn.settings, itself),
                             numpy_vector(std::move(drawn.log_weights)));
          },
          nb::arg("posteriors"), nb::arg("count"), nb::arg("seed"));
}
