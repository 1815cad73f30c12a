// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/value_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/values/costs/cost_network.hpp"
#include "core/graph/values/part_solver.hpp"

namespace accord::graph {

namespace {

using Setting = std::vector<int32_t>;

// The variables of each part of a network that is connected by tables.
std::vector<std::vector<int32_t>> parts_of(const CostNetwork& network) {
  std::vector<int32_t> leader(network.variables());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int32_t i) {
    while (leader[static_cast<size_t>(i)] != i)
      i = leader[static_cast<size_t>(i)] = leader[static_cast<size_t>(leader[static_cast<size_t>(i)])];
    return i;
  };
  for (const CostTable& table : network.tables)
    for (const int32_t i : table.scope) leader[static_cast<size_t>(find(i))] = find(table.scope[0]);
  std::vector<std::vector<int32_t>> by_leader(network.variables()), parts;
  for (size_t i = 0; i < leader.size(); ++i)
    by_leader[static_cast<size_t>(find(static_cast<int32_t>(i)))].push_back(static_cast<int32_t>(i));
  for (std::vector<int32_t>& part : by_leader)
    if (!part.empty()) parts.push_back(std::move(part));
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return parts;
}

CostNetwork part_of(const CostNetwork& network, const std::vector<int32_t>& variables) {
  CostNetwork part;
  std::vector<int32_t> number(network.variables(), -1);
  for (const int32_t i : variables) {
    number[static_cast<size_t>(i)] = static_cast<int32_t>(part.variables());
    const auto begin = network.values.begin() + static_cast<ptrdiff_t>(network.first[static_cast<size_t>(i)]);
    part.values.insert(part.values.end(), begin, begin + static_cast<ptrdiff_t>(network.domain(static_cast<size_t>(i))));
    part.first.push_back(part.values.size());
  }
  for (const CostTable& table : network.tables) {
    if (number[static_cast<size_t>(table.scope[0])] < 0) continue;
    part.tables.push_back(table);
    for (int32_t& i : part.tables.back().scope) i = number[static_cast<size_t>(i)];
  }
  return part;
}

// All parts one after the other, the smallest first.
class WholeSolver {
 public:
  WholeSolver(const ValueGraph& graph, const ValueSettings& settings)
      : graph_(graph),
        settings_(settings),
        quantised_(quantised(graph, settings.tolerance)) {}

  ValueAnswer run() {
    const CostNetwork& network = quantised_.network;
    const CostScale& scale = quantised_.scale;
    const std::vector<std::vector<int32_t>> parts = parts_of(network);
    const double spare = std::floor(settings_.tolerance / scale.unit - 2 * scale.error);
    const double slack =
        std::max({0.0, scale.quantum - 1 - 2 * scale.error, std::floor(spare / static_cast<double>(std::max<size_t>(1, parts.size())))});
    Setting setting = settings_.start.empty() ? Setting(network.variables(), -1) : settings_.start;
    double lower = network.base;
    bool complete = true, feasible = true;
    for (const std::vector<int32_t>& variables : parts) {
      Setting start;
      for (const int32_t i : variables)
        if (!settings_.start.empty()) start.push_back(settings_.start[static_cast<size_t>(i)]);
      PartSolver part(part_of(network, variables), slack, settings_, report(setting, variables, lower));
      part.run(start);
      for (size_t k = 0; k < variables.size() && !part.setting().empty(); ++k)
        setting[static_cast<size_t>(variables[k])] = part.setting()[k];
      feasible = feasible && !part.setting().empty();
      complete = complete && part.complete();
      answer_.nodes += part.nodes();
      answer_.passes += part.passes();
      if (part.complete() && part.setting().empty()) return infeasible();
      lower += part.complete() && scale.quantum > 0 ? part.cost() : part.lower();
    }
    answer_.status = complete ? Status::optimal : Status::budget;
    if (feasible) {
      answer_.feasible = true;
      answer_.setting = setting;
      answer_.value = graph_.value(setting);
    }
    answer_.bound = scale.bound(lower);
    answer_.rounding = scale.unit * scale.error + 4 * std::numeric_limits<double>::epsilon() * (std::fabs(scale.top) + scale.unit * lower);
    return std::move(answer_);
  }

 private:
  ValueAnswer infeasible() {
    answer_.status = Status::infeasible;
    answer_.bound = impossible;
    return std::move(answer_);
  }

  // What a part finds, as news of the whole. Parts that come later are bounded by nothing yet: only the last part has a bound to tell.
  PartSolver::Report report(const Setting& setting, const std::vector<int32_t>& variables, double lower) {
    PartSolver::Report report;
    report.found = [this, &setting, &variables](const Setting& part, double) {
      if (!settings_.found) return;
      Setting whole = setting;
      for (size_t k = 0; k < variables.size(); ++k) whole[static_cast<size_t>(variables[k])] = part[k];
      if (std::find(whole.begin(), whole.end(), -1) == whole.end()) settings_.found(whole, graph_.value(whole));
    };
    report.told = [this, lower](int64_t count, double part_lower) {
      tell(settings_.progress, static_cast<int>(count), impossible, quantised_.scale.bound(lower + part_lower));
    };
    return report;
  }

  const ValueGraph& graph_;
  const ValueSettings& settings_;
  const Quantised quantised_;
  ValueAnswer answer_;
};

}  // namespace

ValueAnswer solve_values(const ValueGraph& graph, const ValueSettings& settings) { return WholeSolver(graph, settings).run(); }

}  // namespace accord::graph
