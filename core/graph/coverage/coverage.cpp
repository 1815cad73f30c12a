// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace accord::graph {

namespace {

bool all_within(const std::vector<double>& values, double low) {
  return std::all_of(values.begin(), values.end(), [low](double value) { return std::isfinite(value) && value >= low; });
}

bool all_below(const std::vector<int32_t>& values, size_t size) {
  return std::all_of(values.begin(), values.end(), [size](int32_t value) { return value >= 0 && static_cast<size_t>(value) < size; });
}

int32_t root_of(std::vector<int32_t>& leader, int32_t item) {
  while (leader[static_cast<size_t>(item)] != item) {
    int32_t& up = leader[static_cast<size_t>(item)];
    up = leader[static_cast<size_t>(up)];
    item = up;
  }
  return item;
}

}  // namespace

Lists::Lists(size_t keys, std::span<const int32_t> key_of, std::span<const int32_t> values) : starts_(keys + 1), values_(values.size()) {
  for (int32_t key : key_of) ++starts_[static_cast<size_t>(key) + 1];
  for (size_t k = 0; k < keys; ++k) starts_[k + 1] += starts_[k];
  std::vector<int32_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t k = 0; k < values.size(); ++k) values_[static_cast<size_t>(next[static_cast<size_t>(key_of[k])]++)] = values[k];
}

Coverage::Coverage(CoverageArrays arrays) : a_(std::move(arrays)) {
  check();
  prices_.assign(units(), 0.0);
  for (size_t b = 0; b < budgets(); ++b) {
    const double scale = a_.limits[b] > 0 ? a_.limits[b] : 1.0;
    double total = 0;
    for (size_t u = 0; u < units(); ++u) total += a_.costs[b][u], prices_[u] += a_.costs[b][u] / scale;
    slack_limits_.push_back(a_.limits[b] + 1e-12 * total);
  }
  std::vector<int32_t> users, unit_keys, pair_numbers, pair_keys, heads, tails;
  for (const Requirement& arc : a_.arcs) tails.push_back(arc.item), heads.push_back(arc.required);
  required_ = Lists(units(), tails, heads);
  dependents_ = Lists(units(), heads, tails);
  order_units();
  reduce_needs();
  for (size_t k = 0; k < occurrences(); ++k)
    for (int32_t unit : needs(k)) unit_keys.push_back(unit), users.push_back(static_cast<int32_t>(k));
  occurrences_of_ = Lists(units(), unit_keys, users);
  for (size_t p = 0; p < a_.pairs.size(); ++p)
    for (int32_t unit : {a_.pairs[p].first, a_.pairs[p].second}) pair_keys.push_back(unit), pair_numbers.push_back(static_cast<int32_t>(p));
  pairs_of_ = Lists(units(), pair_keys, pair_numbers);
  find_groups();
  find_barred();
}

void Coverage::check() const {
  const auto fail = [](const char* message) { throw std::invalid_argument(message); };
  if (!all_within(a_.weights, 0) || !all_within(a_.caps, 0) || a_.caps.size() != concepts()) fail("weights and caps must not be negative");
  if (!all_within(a_.counts, 0) || a_.concept_of.size() != occurrences() || !all_below(a_.concept_of, concepts()))
    fail("occurrences must be of the concepts, with counts that are not negative");
  if (a_.need_starts.size() != occurrences() + 1 || a_.need_starts.front() != 0 ||
      a_.need_starts.back() != static_cast<int32_t>(a_.needs.size()) || !std::is_sorted(a_.need_starts.begin(), a_.need_starts.end()) ||
      !all_below(a_.needs, units()))
    fail("needs of occurrences must be units");
  if (!all_within(a_.scores, -std::numeric_limits<double>::max())) fail("scores must be finite");
  if (a_.costs.size() != budgets() || !all_within(a_.limits, 0)) fail("limits must not be negative");
  for (const auto& row : a_.costs)
    if (row.size() != units() || !all_within(row, 0)) fail("costs must be one number a unit, not negative");
  const auto inside = [this](int32_t unit) { return unit >= 0 && static_cast<size_t>(unit) < units(); };
  for (const Requirement& arc : a_.arcs)
    if (!inside(arc.item) || !inside(arc.required)) fail("arcs must be between units");
  for (const UnitPair& pair : a_.pairs)
    if (!inside(pair.first) || !inside(pair.second) || !(pair.penalty >= 0) || !std::isfinite(pair.penalty))
      fail("pairs must be units with a penalty that is not negative");
}

void Coverage::order_units() {
  std::vector<int32_t> left(units());
  for (size_t u = 0; u < units(); ++u) left[u] = static_cast<int32_t>(required_[u].size());
  for (size_t u = 0; u < units(); ++u)
    if (left[u] == 0) order_.push_back(static_cast<int32_t>(u));
  for (size_t done = 0; done < order_.size(); ++done)
    for (int32_t item : dependents_[static_cast<size_t>(order_[done])])
      if (--left[static_cast<size_t>(item)] == 0) order_.push_back(item);
  if (order_.size() != units()) throw std::invalid_argument("arcs have a cycle");
}

// Units of a forest are numbered so that what requires a unit, directly or not, stands right behind it. Units that require several others,
// and what requires them, have no such number and stay as they are.
void Coverage::reduce_needs() {
  std::vector<int32_t> size(units(), 1), begin(units(), -1), next(units());
  for (size_t k = order_.size(); k-- > 0;) {
    const auto u = static_cast<size_t>(order_[k]);
    if (required_[u].size() == 1) size[static_cast<size_t>(required_[u].front())] += size[u];
  }
  int32_t free = 0;
  for (int32_t unit : order_) {
    const auto u = static_cast<size_t>(unit);
    if (required_[u].empty()) {
      begin[u] = free, free += size[u];
    } else if (required_[u].size() == 1 && begin[static_cast<size_t>(required_[u].front())] >= 0) {
      int32_t& place = next[static_cast<size_t>(required_[u].front())];
      begin[u] = place, place += size[u];
    }
    next[u] = begin[u] + 1;
  }
  const auto below = [&](int32_t unit, int32_t top) {
    const int32_t from = begin[static_cast<size_t>(top)], at = begin[static_cast<size_t>(unit)];
    return from >= 0 && at > from && at < from + size[static_cast<size_t>(top)];
  };
  std::vector<int32_t> starts{0}, kept;
  for (size_t k = 0; k < occurrences(); ++k) {
    const auto all = needs(k);
    for (size_t i = 0; i < all.size(); ++i)
      if (std::none_of(all.begin(), all.end(), [&](int32_t other) { return below(other, all[i]); }) &&
          std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) == all.begin() + static_cast<std::ptrdiff_t>(i))
        kept.push_back(all[i]);
    starts.push_back(static_cast<int32_t>(kept.size()));
  }
  a_.need_starts = std::move(starts), a_.needs = std::move(kept);
}

void Coverage::find_groups() {
  std::vector<int32_t> leader(units());
  std::iota(leader.begin(), leader.end(), 0);
  const auto join = [&](int32_t a, int32_t b) { leader[static_cast<size_t>(root_of(leader, b))] = root_of(leader, a); };
  for (const Requirement& arc : a_.arcs) join(arc.required, arc.item);
  for (size_t k = 0; k < occurrences(); ++k)
    for (int32_t unit : needs(k)) join(needs(k).front(), unit);
  std::vector<int32_t> number(units(), -1);
  group_of_.resize(units());
  int32_t many = 0;
  for (size_t u = 0; u < units(); ++u) {
    int32_t& mine = number[static_cast<size_t>(root_of(leader, static_cast<int32_t>(u)))];
    if (mine < 0) mine = many++;
    group_of_[u] = mine;
  }
  const auto groups = static_cast<size_t>(many);
  std::vector<int32_t> keys, values;
  for (int32_t unit : order_) keys.push_back(group_of_[static_cast<size_t>(unit)]);
  units_of_ = Lists(groups, keys, order_);
  keys.clear();
  joined_.assign(groups, 0);
  forest_.assign(groups, 1);
  for (size_t k = 0; k < occurrences(); ++k) {
    if (needs(k).empty()) continue;
    keys.push_back(group_of_[static_cast<size_t>(needs(k).front())]);
    values.push_back(static_cast<int32_t>(k));
    if (needs(k).size() > 1) joined_[static_cast<size_t>(keys.back())] = 1;
  }
  group_occurrences_ = Lists(groups, keys, values);
  for (size_t u = 0; u < units(); ++u)
    if (required_[u].size() > 1) forest_[static_cast<size_t>(group_of_[u])] = 0;
}

void Coverage::find_barred() {
  barred_.assign(units(), 0);
  std::vector<int32_t> waiting, seen(units(), -1);
  for (size_t b = 0; b < budgets(); ++b) {
    std::vector<double> whole(units());
    for (int32_t unit : order_) {
      const auto u = static_cast<size_t>(unit);
      whole[u] = cost(b, u);
      if (required_[u].size() == 1 && is_forest(static_cast<size_t>(group_of_[u]))) {
        whole[u] += whole[static_cast<size_t>(required_[u].front())];
      } else if (!required_[u].empty()) {
        waiting.assign(1, unit);
        seen[u] = unit;
        while (!waiting.empty()) {
          const auto at = static_cast<size_t>(waiting.back());
          waiting.pop_back();
          for (int32_t next : required_[at])
            if (std::exchange(seen[static_cast<size_t>(next)], unit) != unit)
              waiting.push_back(next), whole[u] += cost(b, static_cast<size_t>(next));
        }
      }
      if (whole[u] > slack_limits_[b]) barred_[u] = 1;
    }
    std::fill(seen.begin(), seen.end(), -1);
  }
  for (int32_t unit : order_)
    for (int32_t needed : required_[static_cast<size_t>(unit)]) barred_[static_cast<size_t>(unit)] |= barred_[static_cast<size_t>(needed)];
}

}  // namespace accord::graph
