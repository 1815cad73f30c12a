// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/ranking.hpp"

#include <algorithm>

#include "core/graph/values/costs/compaction.hpp"
#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/costs/reparametrisation.hpp"
#include "core/graph/values/costs/value_search.hpp"
#include "core/graph/values/junction/junction_tree.hpp"
#include "core/graph/values/part_solver.hpp"

namespace accord::graph {

namespace {

using Setting = std::vector<int32_t>;

constexpr int passes = 100;
constexpr EliminationLimits narrow{16.0, 22.0};  // graphs whose settings are ranked along a junction tree

// A graph without values that no table supports, ready to be searched any number of times.
class Ranker {
 public:
  explicit Ranker(const ValueGraph& graph) : graph_(graph), quantised_(quantised(graph, 0)) {
    // Tables that become one may support less than each of them did.
    for (bool changed = true; changed && feasible_;) {
      Alive alive(network().values.size(), 1);
      feasible_ = arc_consistent(network(), alive);
      if (!feasible_) break;
      const size_t tables = network().tables.size();
      changed = std::find(alive.begin(), alive.end(), 0) != alive.end();
      compactions_.push_back(std::make_unique<Compaction>(network(), alive));
      changed = changed || network().tables.size() != tables;
    }
  }

  bool feasible() const { return feasible_; }

  ValueSearchResult search(ValueSearchSettings settings) const {
    const CostNetwork& network = this->network();
    Reparametrisation messages(network);
    double bound = 0, before = -1;
    for (int pass = 0; pass < passes && !asked_to(settings.stop) && bound > before; ++pass) {
      before = bound;
      bound = messages.pass(pass % 2 == 0);
    }
    messages.round();
    SoftConsistency state(network, &messages);
    settings.upper = std::min(settings.upper, network.sum_of_largest() + 1);  // a finite limit, which tells what is too small to be moved
    state.set_limit(settings.upper);
    state.choose_precision();
    state.wake_all();
    if (!state.propagate()) {
      ValueSearchResult nothing;
      nothing.complete = true;
      nothing.lower = forbidden;
      return nothing;
    }
    return search_values(state, settings);
  }

  RankedSetting whole(const Setting& reduced, bool certified) const {
    Setting setting = reduced;
    for (size_t k = compactions_.size(); k-- > 0;) setting = compactions_[k]->extended(setting);
    const double value = graph_.value(setting);
    return {std::move(setting), value, certified};
  }

 private:
  const ValueGraph& graph_;
  const Quantised quantised_;
  const CostNetwork& network() const { return compactions_.empty() ? quantised_.network : compactions_.back()->reduced(); }

  bool feasible_ = true;
  std::vector<std::unique_ptr<Compaction>> compactions_;
};

// In how many variables the settings that are left can differ from one.
size_t largest_distance(const SoftConsistency& state, const Setting& from) {
  size_t distance = 0;
  for (size_t i = 0; i < from.size(); ++i) distance += state.left(i) > 1 || state.values(i)[0] != from[i];
  return distance;
}

}  // namespace

std::vector<RankedSetting> best_settings(const ValueGraph& graph, size_t count, const Stop& stop) {
  if (const auto order = elimination_order(graph, narrow, stop)) {
    std::vector<RankedSetting> ranked;
    for (BestSetting& one : JunctionTree(graph, *order).ranked(count, stop)) ranked.push_back({std::move(one.setting), one.value, true});
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    if (!asked_to(stop)) return ranked;
  }
  const Ranker ranker(graph);
  if (!ranker.feasible() || count == 0) return {};
  ValueSearchSettings settings;
  settings.count = count;
  settings.stop = stop;
  const ValueSearchResult result = ranker.search(settings);
  std::vector<RankedSetting> ranked;
  for (const auto& [cost, setting] : result.best) ranked.push_back(ranker.whole(setting, result.complete || cost <= result.lower));
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  return ranked;
}

std::vector<RankedSetting> diverse_settings(const ValueGraph& graph, size_t count, size_t distance, const Stop& stop) {
  const Ranker ranker(graph);
  if (!ranker.feasible()) return {};
  std::vector<RankedSetting> chosen;
  std::vector<Setting> reduced;
  bool certified = true;
  while (chosen.size() < count) {
    ValueSearchSettings settings;
    settings.stop = stop;
    settings.refuse = [&](const SoftConsistency& state) {
      return std::any_of(reduced.begin(), reduced.end(), [&](const Setting& from) { return largest_distance(state, from) < distance; });
    };
    ValueSearchResult result = ranker.search(settings);
    if (result.best.empty()) break;
    certified = certified && result.complete;
    chosen.push_back(ranker.whole(result.best[0].setting, certified));
    reduced.push_back(std::move(result.best[0].setting));
  }
  return chosen;
}

}  // namespace accord::graph
