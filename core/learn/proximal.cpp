// SPDX-License-Identifier: Apache-2.0
#include "core/learn/proximal.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace accord::learn {

namespace {

constexpr double strictly = 1 + 1e-12;  // a threshold must not miss the first ratio that goes by rounding

}  // namespace

double soft_threshold(double value, double threshold) {
  const double size = std::fabs(value) - threshold;
  return size > 0 ? std::copysign(size, value) : 0.0;
}

void shrink(std::span<double> values, double threshold) {
  if (values.size() == 1) {
    values[0] = soft_threshold(values[0], threshold);
    return;
  }
  const double norm = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
  const double factor = norm > threshold ? (norm - threshold) / norm : 0.0;
  for (double& value : values) value *= factor;
}

GroupStructure::GroupStructure(std::vector<std::vector<int32_t>> members, size_t entries)
    : members_(std::move(members)),
      weights_(members_.size(), 1.0),
      entries_(entries) {
  std::vector<size_t> order(members_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // A group inside another is smaller, so it comes first; and it takes every layer that the groups inside it leave no room in.
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return members_[a].size() < members_[b].size(); });
  std::vector<std::vector<int32_t>> taken(entries);  // layers, by entry
  std::vector<uint8_t> used;
  std::vector<size_t> seen(entries, std::numeric_limits<size_t>::max());
  for (size_t group : order) {
    if (members_[group].empty()) throw std::invalid_argument("a group has no entries");
    used.assign(layers_.size() + 1, 0);
    for (int32_t entry : members_[group]) {
      if (entry < 0 || static_cast<size_t>(entry) >= entries) throw std::invalid_argument("a group names an entry that is not there");
      if (std::exchange(seen[static_cast<size_t>(entry)], group) == group) throw std::invalid_argument("a group names an entry twice");
      for (int32_t layer : taken[static_cast<size_t>(entry)]) used[static_cast<size_t>(layer)] = 1;
    }
    const auto layer = static_cast<size_t>(std::find(used.begin(), used.end(), 0) - used.begin());
    if (layer == layers_.size()) layers_.emplace_back();
    layers_[layer].push_back(static_cast<int32_t>(group));
    for (int32_t entry : members_[group]) taken[static_cast<size_t>(entry)].push_back(static_cast<int32_t>(layer));
  }
}

void GroupStructure::set_weights(std::vector<double> weights) {
  if (weights.size() != members_.size()) throw std::invalid_argument("one weight for each group");
  for (double weight : weights)
    if (!(weight >= 0)) throw std::invalid_argument("the weight of a group must not be negative");
  weights_ = std::move(weights);
}

double GroupStructure::norm(size_t group, std::span<const double> values) const {
  if (members_[group].size() == 1) return std::fabs(values[static_cast<size_t>(members_[group][0])]);
  double squares = 0;
  for (int32_t entry : members_[group]) squares += values[static_cast<size_t>(entry)] * values[static_cast<size_t>(entry)];
  return std::sqrt(squares);
}

void GroupStructure::prox(std::span<double> values, double threshold) const {
  if (values.size() != entries_) throw std::invalid_argument("one value for each entry");
  for (const std::vector<int32_t>& layer : layers_)
    for (int32_t number : layer) {
      const auto group = static_cast<size_t>(number);
      const double limit = threshold * weights_[group];
      if (members_[group].size() == 1) {
        double& value = values[static_cast<size_t>(members_[group][0])];
        value = soft_threshold(value, limit);
        continue;
      }
      const double length = norm(group, values), factor = length > limit ? (length - limit) / length : 0.0;
      for (int32_t entry : members_[group]) values[static_cast<size_t>(entry)] *= factor;
    }
}

std::vector<double> GroupStructure::ratios(std::span<const double> values) const {
  if (values.size() != entries_) throw std::invalid_argument("one value for each entry");
  std::vector<double> found(members_.size());
  for (size_t group = 0; group < found.size(); ++group) {
    const double length = norm(group, values);
    found[group] = length == 0 ? 0.0 : weights_[group] > 0 ? length / weights_[group] : std::numeric_limits<double>::infinity();
  }
  return found;
}

size_t GroupStructure::alive(std::span<const double> values, size_t counted) const {
  size_t count = 0;
  for (size_t group = 0; group < std::min(counted, size()); ++group)
    count +=
        std::any_of(members_[group].begin(), members_[group].end(), [&](int32_t entry) { return values[static_cast<size_t>(entry)] != 0; });
  return count;
}

double GroupStructure::least_threshold(std::span<const double> values, size_t budget, size_t counted) const {
  const std::vector<double> limits = ratios(values);
  double low = 0, high = *std::max_element(limits.begin(), limits.end()) * strictly;
  std::vector<double> shrunk;
  while (high - low > 1e-13 * high) {
    const double middle = low + (high - low) / 2;
    shrunk.assign(values.begin(), values.end());
    prox(shrunk, middle);
    (alive(shrunk, counted) > budget ? low : high) = middle;
  }
  return high;
}

double GroupStructure::threshold_for(std::span<const double> values, size_t budget, size_t counted) const {
  if (values.size() != entries_) throw std::invalid_argument("one value for each entry");
  if (alive(values, counted) <= budget) return 0.0;
  if (layers_.size() == 1 && counted >= size()) return budget_threshold(ratios(values), budget);
  for (double weight : weights_)
    if (weight == 0) throw std::invalid_argument("a group without weight never goes, whatever the budget is");
  const double enough = least_threshold(values, budget, counted);
  return budget == 0 ? enough : enough + (least_threshold(values, budget - 1, counted) - enough) / 2;
}

double budget_threshold(std::span<const double> ratios, size_t budget) {
  std::vector<double> sorted;
  for (double ratio : ratios)
    if (ratio > 0) sorted.push_back(ratio);
  if (sorted.size() <= budget) return 0.0;
  const auto first_out = sorted.begin() + static_cast<std::ptrdiff_t>(budget);
  std::nth_element(sorted.begin(), first_out, sorted.end(), std::greater<>());
  const double out = *first_out;
  if (std::isinf(out)) throw std::invalid_argument("more groups without weight than the budget allows");
  if (budget == 0) return out * strictly;
  const double in = *std::min_element(sorted.begin(), first_out);
  return std::isinf(in) ? out * strictly : std::max(out + (in - out) / 2, out * strictly);
}

}  // namespace accord::learn
