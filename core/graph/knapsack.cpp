#include "core/graph/knapsack.hpp"

#include <algorithm>

namespace accord::graph {

void Knapsack::sort_items() {
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    const double left = a.value / a.cost, right = b.value / b.cost;
    return left != right ? left > right : a.index < b.index;
  });
  cost_before_.assign(1, 0.0);
  value_before_.assign(1, 0.0);
  for (const Item& item : items_) {
    cost_before_.push_back(cost_before_.back() + item.cost);
    value_before_.push_back(value_before_.back() + item.value);
  }
}

void Knapsack::keep(uint32_t index, size_t from, double limit) {
  const State& state = states_[index];
  if (!next_list_.empty() && state.value <= states_[next_list_.back()].value) return;
  const double room = limit - state.cost + cost_before_[from];
  const auto first = cost_before_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto to = static_cast<size_t>(std::upper_bound(first, cost_before_.end(), room) - cost_before_.begin()) - 1;
  const double filled = state.value + (value_before_[to] - value_before_[from]);
  if (filled > best_.value) best_ = {filled, index, from, to};
  if (to == items_.size()) return;  // everything left fits: no extension does better
  const double bound = filled + (room - cost_before_[to]) * (items_[to].value / items_[to].cost);
  if (bound > best_.value) next_list_.push_back(index);
}

void Knapsack::extend(size_t item, double limit) {
  next_list_.clear();
  const double cost = items_[item].cost, value = items_[item].value;
  const auto offer_with = [&](uint32_t parent) {
    states_.push_back({states_[parent].cost + cost, states_[parent].value + value, parent, static_cast<uint32_t>(item)});
    keep(static_cast<uint32_t>(states_.size() - 1), item + 1, limit);
    if (next_list_.empty() || next_list_.back() != states_.size() - 1)
      if (best_.state != states_.size() - 1) states_.pop_back();
  };
  // Two sorted lists, without and with the item, merged; at equal cost the better one comes first.
  size_t with = 0;
  for (const uint32_t without : list_) {
    const double at = states_[without].cost;
    for (; with < list_.size(); ++with) {
      const State& parent = states_[list_[with]];
      if (parent.cost + cost > at) break;
      if (parent.cost + cost == at && parent.value + value <= states_[without].value) break;
      offer_with(list_[with]);
    }
    keep(without, item + 1, limit);
  }
  for (; with < list_.size() && states_[list_[with]].cost + cost <= limit; ++with) offer_with(list_[with]);
  std::swap(list_, next_list_);
}

void Knapsack::mark(std::span<uint8_t> chosen) const {
  for (size_t k = best_.from; k < best_.to; ++k) chosen[items_[k].index] = 1;
  for (uint32_t state = best_.state; state != 0; state = states_[state].parent) chosen[items_[states_[state].item].index] = 1;
}

double Knapsack::solve(std::span<const double> values, std::span<const double> costs, double limit, std::span<uint8_t> chosen) {
  items_.clear();
  for (size_t i = 0; i < values.size(); ++i) {
    chosen[i] = values[i] > 0 && costs[i] <= 0;
    if (values[i] > 0 && costs[i] > 0 && costs[i] <= limit) items_.push_back({values[i], costs[i], static_cast<uint32_t>(i)});
  }
  sort_items();
  states_.assign(1, {0, 0, 0, 0});
  best_ = {0, 0, 0, 0};
  next_list_.clear();
  keep(0, 0, limit);
  std::swap(list_, next_list_);
  for (size_t item = 0; item < items_.size() && !list_.empty(); ++item) extend(item, limit);
  mark(chosen);
  double value = 0;
  for (size_t i = 0; i < values.size(); ++i)
    if (chosen[i]) value += values[i];
  return value;
}

}  // namespace accord::graph
