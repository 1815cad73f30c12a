// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/cost_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/graph/common_measure.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

constexpr int finest = 50, coarsest = CommonMeasure::coarsest;  // powers of two between the unit and what is at stake

// The largest score that is not forbidden, or 0.
double highest_of(std::span<const double> scores) {
  double highest = impossible;
  for (const double score : scores) highest = std::max(highest, score);
  return highest == impossible ? 0.0 : highest;
}

double lowest_of(std::span<const double> scores) {
  double lowest = -impossible;
  for (const double score : scores)
    if (score > impossible) lowest = std::min(lowest, score);
  return lowest == -impossible ? 0.0 : lowest;
}

// Calls visit(difference to the highest) for scores that are not forbidden.
template <typename Visit>
void for_each_difference(std::span<const double> scores, Visit&& visit) {
  const double highest = highest_of(scores);
  for (const double score : scores)
    if (score > impossible) visit(highest - score);
}

class Quantiser {
 public:
  Quantiser(const ValueGraph& graph, double tolerance) : graph_(graph) {
    for (size_t i = 0; i < graph.variables(); ++i) stake(graph.scores(i));
    for (const ValueTable& table : graph.tables()) stake(*table.scores);
    choose_unit(tolerance, common_measure());
  }

  Quantised run() {
    CarefulSum top;
    top.add(graph_.constant());
    CostNetwork network;
    for (size_t i = 0; i < graph_.variables(); ++i) {
      top.add(highest_of(graph_.scores(i)));
      const std::vector<double> costs = costs_of(graph_.scores(i));
      network.values.insert(network.values.end(), costs.begin(), costs.end());
      network.first.push_back(network.values.size());
    }
    std::map<const std::vector<double>*, SharedCosts> known;
    for (const ValueTable& table : graph_.tables()) {
      top.add(highest_of(*table.scores));
      SharedCosts& costs = known[table.scores.get()];
      if (!costs) costs = std::make_shared<const std::vector<double>>(costs_of(*table.scores));
      network.tables.push_back(sorted(network, table, costs));
    }
    scale_.top = top.value();
    return {std::move(network), scale_};
  }

 private:
  void stake(std::span<const double> scores) {
    stake_ += highest_of(scores) - lowest_of(scores);
    ++terms_;
  }

  template <typename Visit>
  void for_each_term(Visit&& visit) {
    for (size_t i = 0; i < graph_.variables(); ++i) visit(graph_.scores(i));
    const std::vector<double>* last = nullptr;
    for (const ValueTable& table : graph_.tables())
      if (std::exchange(last, table.scores.get()) != table.scores.get()) visit(*table.scores);
  }

  double common_measure() {
    if (!(stake_ > 0)) return 0;
    CommonMeasure common(stake_);
    for_each_term([&](std::span<const double> scores) { for_each_difference(scores, [&](double d) { common.see(d); }); });
    bool fits = common.measure() > 0;
    if (fits)
      for_each_term([&](std::span<const double> scores) { for_each_difference(scores, [&](double d) { fits = fits && common.fits(d); }); });
    return fits ? common.measure() : 0.0;
  }

  void choose_unit(double tolerance, double common) {
    if (!(stake_ > 0)) return;
    const int size = std::ilogb(stake_) + 1;
    if (common > 0) {  // a multiple of the unit
      int halvings = 0;
      while (stake_ / std::ldexp(common, -halvings) < 0x1p46) ++halvings;
      if (std::ldexp(1.0, halvings) > 64 * terms_) {
        scale_.unit = std::ldexp(common, -halvings);
        scale_.quantum = std::ldexp(1.0, halvings);
        scale_.error = 6 * terms_;
        return;
      }
    }
    const double wanted = tolerance / (8.0 * terms_);
    int exponent = size - finest;
    if (wanted > 0) exponent = std::clamp(std::ilogb(wanted), size - finest, size - coarsest);
    scale_.unit = std::ldexp(1.0, exponent);
    scale_.error = 0.75 * terms_;
  }

  std::vector<double> costs_of(std::span<const double> scores) const {
    const double highest = highest_of(scores), grain = scale_.quantum > 0 ? scale_.quantum : 1.0;
    std::vector<double> costs(scores.size());
    for (size_t a = 0; a < scores.size(); ++a)
      costs[a] = scores[a] == impossible ? forbidden : grain * std::nearbyint((highest - scores[a]) / (scale_.unit * grain));
    return costs;
  }

  // A table with its variables in rising order.
  static CostTable sorted(const CostNetwork& network, const ValueTable& table, const SharedCosts& costs) {
    CostTable out{table.scope, {}, costs};
    std::sort(out.scope.begin(), out.scope.end());
    out.strides = strides_of(network, out.scope);
    if (out.scope == table.scope) return out;
    auto moved = std::make_shared<std::vector<double>>(costs->size());
    std::vector<int32_t> setting(network.variables(), 0);
    for (size_t entry = 0; entry < costs->size(); ++entry) {
      size_t to = 0, rest = entry;
      for (size_t k = 0; k < table.scope.size(); ++k) {
        const auto place = static_cast<size_t>(std::lower_bound(out.scope.begin(), out.scope.end(), table.scope[k]) - out.scope.begin());
        to += out.strides[place] * (rest / table.strides[k]);
        rest %= table.strides[k];
      }
      (*moved)[to] = (*costs)[entry];
    }
    out.costs = std::move(moved);
    return out;
  }

  const ValueGraph& graph_;
  double stake_ = 0;
  double terms_ = 0;
  CostScale scale_;
};

}  // namespace

std::vector<size_t> strides_of(const CostNetwork& network, std::span<const int32_t> scope) {
  std::vector<size_t> strides(scope.size());
  size_t tuples = 1;
  for (size_t k = scope.size(); k-- > 0; tuples *= network.domain(static_cast<size_t>(scope[k]))) strides[k] = tuples;
  return strides;
}

double CostNetwork::cost(std::span<const int32_t> setting) const {
  double total = base;
  for (size_t i = 0; i < variables(); ++i) total += values[first[i] + static_cast<size_t>(setting[i])];
  for (const CostTable& table : tables) total += table.cost(setting);
  return total;
}

double CostNetwork::sum_of_largest() const {
  const auto largest = [](std::span<const double> costs) {
    double most = 0;
    for (const double cost : costs)
      if (cost < forbidden) most = std::max(most, cost);
    return most;
  };
  double sum = base;
  for (size_t i = 0; i < variables(); ++i) sum += largest(std::span(values).subspan(first[i], domain(i)));
  for (const CostTable& table : tables) sum += largest(*table.costs);
  return sum;
}

std::vector<std::vector<int32_t>> CostNetwork::tables_of_variables() const {
  std::vector<std::vector<int32_t>> out(variables());
  for (size_t t = 0; t < tables.size(); ++t)
    for (const int32_t i : tables[t].scope) out[static_cast<size_t>(i)].push_back(static_cast<int32_t>(t));
  return out;
}

double CostScale::bound(double cost) const {
  if (cost == forbidden) return impossible;
  const double score = top - unit * (cost - error);
  return score + 2 * std::numeric_limits<double>::epsilon() * (std::fabs(top) + unit * std::fabs(cost));
}

Quantised quantised(const ValueGraph& graph, double tolerance) { return Quantiser(graph, tolerance).run(); }

}  // namespace accord::graph
