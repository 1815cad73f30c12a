// SPDX-License-Identifier: Apache-2.0
#include "core/graph/closure/forest_limits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace accord::graph {

namespace {

double density(double weight, double cost) {
  if (cost > 0) return weight / cost;
  return weight > 0 ? std::numeric_limits<double>::infinity() : weight < 0 ? -std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace

int32_t ForestLimits::merge(int32_t a, int32_t b) {
  if (a < 0) return b;
  if (b < 0) return a;
  if (density_[static_cast<size_t>(a)] < density_[static_cast<size_t>(b)]) std::swap(a, b);
  const auto top = static_cast<size_t>(a);
  right_[top] = merge(right_[top], b);
  const auto rank = [this](int32_t item) { return item < 0 ? 0 : rank_[static_cast<size_t>(item)]; };
  if (rank(left_[top]) < rank(right_[top])) std::swap(left_[top], right_[top]);
  rank_[top] = rank(right_[top]) + 1;
  return a;
}

void ForestLimits::find(std::span<const int32_t> parents, std::span<const double> weights, std::span<const double> costs,
                        std::span<double> limits) {
  const size_t items = parents.size();
  weight_.assign(weights.begin(), weights.end());
  cost_.assign(costs.begin(), costs.end());
  density_.resize(items);
  for (auto* links : {&heap_, &left_, &right_, &into_}) links->assign(items, -1);
  rank_.assign(items, 1);
  for (size_t i = items; i-- > 0;) {
    density_[i] = density(weight_[i], cost_[i]);
    while (heap_[i] >= 0 && density_[static_cast<size_t>(heap_[i])] > density_[i]) {
      const auto child = static_cast<size_t>(heap_[i]);
      heap_[i] = merge(merge(left_[child], right_[child]), heap_[child]);
      into_[child] = static_cast<int32_t>(i);
      weight_[i] += weight_[child];
      cost_[i] += cost_[child];
      density_[i] = density(weight_[i], cost_[i]);
    }
    if (parents[i] >= 0) heap_[static_cast<size_t>(parents[i])] = merge(heap_[static_cast<size_t>(parents[i])], static_cast<int32_t>(i));
  }
  for (size_t i = 0; i < items; ++i) limits[i] = into_[i] >= 0 ? limits[static_cast<size_t>(into_[i])] : std::max(0.0, density_[i]);
}

}  // namespace accord::graph
