// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/cuts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace accord::graph {

namespace {
constexpr size_t most_sets = 2;  // that give shares in one round
}

std::vector<double> shared_worths(const Coverage& problem, std::span<const double> fractions) {
  std::vector<double> held(problem.occurrences()), total(problem.concepts()), everything(problem.concepts());
  for (size_t k = 0; k < held.size(); ++k) {
    double least = 1;
    for (int32_t unit : problem.needs(k)) least = std::min(least, fractions[static_cast<size_t>(unit)]);
    held[k] = problem.count(k) * least;
    total[static_cast<size_t>(problem.concept_of(k))] += held[k];
    everything[static_cast<size_t>(problem.concept_of(k))] += problem.count(k);
  }
  std::vector<double> worths(held.size());
  for (size_t k = 0; k < worths.size(); ++k) {
    const auto c = static_cast<size_t>(problem.concept_of(k));
    const double ratio = total[c] > 0 ? held[k] / total[c] : everything[c] > 0 ? problem.count(k) / everything[c] : 0.0;
    worths[k] = problem.weight(c) * std::min(problem.count(k), problem.cap(c) * ratio);
  }
  return worths;
}

std::vector<std::vector<uint8_t>> closed_choices(const Coverage& problem, std::span<const int32_t> groups, std::span<const double> worths) {
  std::vector<double> weights(problem.units()), prices(problem.units()), limits(problem.units());
  for (size_t u = 0; u < weights.size(); ++u) weights[u] = problem.score(u), prices[u] = problem.price(u);
  for (size_t k = 0; k < worths.size(); ++k)
    if (problem.needs(k).size() == 1) weights[static_cast<size_t>(problem.needs(k).front())] += worths[k];
  GroupLimits limits_of(problem);
  std::vector<int32_t> open, order;
  for (int32_t g : groups) {
    open.clear();
    for (int32_t unit : problem.units_of(static_cast<size_t>(g)))
      if (!problem.is_barred(static_cast<size_t>(unit))) open.push_back(unit);
    limits_of.find_joined(open, weights, prices, worths, limits);
    for (int32_t unit : open)
      if (limits[static_cast<size_t>(unit)] > 0) order.push_back(unit);
  }
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const double first = limits[static_cast<size_t>(a)], second = limits[static_cast<size_t>(b)];
    return first != second ? first > second : a < b;
  });
  std::vector<double> spent(problem.budgets());
  size_t kept = 0, end = 0;  // of `order`: what can be paid, and what is looked at
  for (bool paid = true; paid && end < order.size();) {
    kept = end;
    for (const double limit = limits[static_cast<size_t>(order[kept])];
         end < order.size() && limits[static_cast<size_t>(order[end])] == limit; ++end)
      for (size_t b = 0; b < spent.size(); ++b) spent[b] += problem.cost(b, static_cast<size_t>(order[end]));
    for (size_t b = 0; b < spent.size(); ++b) paid = paid && spent[b] <= problem.slack_limit(b);
    if (paid) kept = end;
  }
  std::vector<std::vector<uint8_t>> found;
  for (size_t size : {kept, end}) {
    if (!found.empty() && size == kept) continue;
    found.emplace_back(problem.units());
    for (size_t k = 0; k < size; ++k) found.back()[static_cast<size_t>(order[k])] = 1;
  }
  return found;
}

CutFound cut(const Coverage& problem, std::span<const int32_t> groups, std::span<const double> start, const CutSettings& settings) {
  Improver improver(problem, {groups.begin(), groups.end()});
  if (settings.repair) groups = improver.promising();
  CutFound best{std::vector<uint8_t>(problem.units()), 0};
  double best_value = UnitSelection(problem).value();
  std::vector<std::vector<double>> sets{{start.begin(), start.end()}};
  std::vector<int32_t> added;
  for (bool better = true; better && best.rounds < settings.rounds && !(settings.stop && settings.stop()); ++best.rounds) {
    better = false;
    std::vector<std::vector<double>> next;
    for (const auto& set : sets)
      for (const auto& chosen : closed_choices(problem, groups, shared_worths(problem, set))) {
        if (next.size() < most_sets) next.emplace_back(chosen.begin(), chosen.end());
        UnitSelection choice(problem, chosen);
        if (settings.repair) {
          improver.repair(choice);
          improver.fill(choice, added);
        }
        const double value = choice.value();
        if (choice.is_feasible() && value > best_value) best.chosen = choice.chosen(), best_value = value, better = true;
      }
    next.emplace_back(best.chosen.begin(), best.chosen.end());
    sets = std::move(next);
  }
  return best;
}

}  // namespace accord::graph
