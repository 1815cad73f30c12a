// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/costs/knapsack.hpp"

#include <algorithm>
#include <limits>

namespace accord::graph {

namespace {

constexpr double precision = 1e-14;  // relative; a bound within it of the best value is no promise
constexpr uint32_t block_width = 14;

}  // namespace

// Sorts the items, takes the greedy subset and lays out the order: first_out, first_out - 1, first_out + 1, ...
void Knapsack::start(double limit) {
  limit_ = limit;
  std::sort(items_.begin(), items_.end(),
            [](const Item& a, const Item& b) { return a.ratio() != b.ratio() ? a.ratio() > b.ratio() : a.index < b.index; });
  State greedy{0, 0, 0, 0};
  first_out_ = 0;
  for (; first_out_ < items_.size() && greedy.cost + items_[first_out_].cost <= limit; ++first_out_) {
    greedy.cost += items_[first_out_].cost;
    greedy.value += items_[first_out_].value;
  }
  order_.clear();
  const auto count = static_cast<uint32_t>(items_.size());
  for (uint32_t reach = 0; reach < count; ++reach) {
    if (reach < count - first_out_) order_.push_back(first_out_ + reach);
    if (reach < first_out_) order_.push_back(first_out_ - 1 - reach);
  }
  states_.assign(1, greedy);
  list_.assign(1, 0);
  best_value_ = greedy.value;
  best_state_ = best_depth_ = best_members_ = 0;
  dropped_bound_ = 0;
}

// Room left can be worth at most the best ratio still to be added; a debt costs at least the least still to be removed.
double Knapsack::bound(const State& state) const {
  const double room = limit_ - state.cost;
  if (room == 0) return state.value;
  return state.value + room * (room > 0 ? add_ratio_ : remove_ratio_);
}

void Knapsack::keep(uint32_t index) {
  const State& state = states_[index];
  if (state.cost > 2 * limit_) return;  // the items to remove cost no more than the limit: a debt for ever
  if (!next_list_.empty() && state.value <= states_[next_list_.back()].value) return;
  if (state.cost <= limit_ && state.value > best_value_) {
    best_value_ = state.value;
    best_state_ = index;
    best_members_ = 0;
  }
  if (bound(state) > best_value_ + precision * best_value_) next_list_.push_back(index);
}

// One item more: every subset of the list with and without the change, merged by cost, at equal cost the better first.
void Knapsack::reconsider(uint32_t depth) {
  const uint32_t item = order_[depth];
  const double cost = cost_change(item), value = value_change(item);
  add_ratio_ = 0;
  remove_ratio_ = std::numeric_limits<double>::infinity();
  for (size_t next = std::min<size_t>(depth + 2, order_.size() - 1); next > depth; --next)  // the nearer one has the say
    (greedy(order_[next]) ? remove_ratio_ : add_ratio_) = items_[order_[next]].ratio();
  next_list_.clear();
  size_t plain = 0, changed = 0;
  while (plain < list_.size() || changed < list_.size()) {
    const bool both = plain < list_.size() && changed < list_.size();
    bool take_plain = plain < list_.size();
    if (both) {
      const State &left = states_[list_[plain]], &right = states_[list_[changed]];
      const double right_cost = right.cost + cost;
      take_plain = left.cost < right_cost || (left.cost == right_cost && left.value >= right.value + value);
    }
    if (take_plain) {
      keep(list_[plain++]);
      continue;
    }
    const uint32_t parent = list_[changed++], index = static_cast<uint32_t>(states_.size());
    states_.push_back({states_[parent].cost + cost, states_[parent].value + value, parent, item});
    keep(index);
    if (best_state_ != index && (next_list_.empty() || next_list_.back() != index)) states_.pop_back();
  }
  std::swap(list_, next_list_);
}

// All changes by the items order_[depth .. depth + width), by rising cost and rising value.
void Knapsack::list_block_changes(uint32_t depth, uint32_t width) {
  block_.assign(1, {0, 0, 0});
  for (uint32_t j = 0; j < width; ++j) {
    const uint32_t item = order_[depth + j];
    for (size_t k = 0, count = block_.size(); k < count; ++k)
      block_.push_back({block_[k].cost + cost_change(item), block_[k].value + value_change(item), block_[k].members | 1u << j});
  }
  std::sort(block_.begin(), block_.end(), [](const BlockChange& a, const BlockChange& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.value != b.value ? a.value > b.value : a.members < b.members;
  });
  size_t kept = 0;
  for (const BlockChange& change : block_)
    if (kept == 0 || change.value > block_[kept - 1].value) block_[kept++] = change;
  block_.resize(kept);
}

// The best partner in the block for every subset of the list: as subsets grow dearer, partners grow cheaper.
void Knapsack::pair_with_block(uint32_t depth) {
  list_block_changes(depth, std::min(block_width, static_cast<uint32_t>(order_.size()) - depth));
  size_t partners = block_.size();
  for (const uint32_t index : list_) {
    const State& state = states_[index];
    while (partners > 0 && state.cost + block_[partners - 1].cost > limit_) --partners;
    if (partners == 0) return;
    const BlockChange& change = block_[partners - 1];
    if (state.value + change.value <= best_value_) continue;
    best_value_ = state.value + change.value;
    best_state_ = index;
    best_depth_ = depth;
    best_members_ = change.members;
  }
}

// Gives up the least promising subsets, and remembers what they could have been worth.
void Knapsack::shorten_list(uint32_t depth) {
  pair_with_block(depth);
  next_list_ = list_;
  const auto middle = next_list_.begin() + static_cast<std::ptrdiff_t>(longest_list_ / 2);
  std::nth_element(next_list_.begin(), middle, next_list_.end(), [&](uint32_t a, uint32_t b) {
    const double left = bound(states_[a]), right = bound(states_[b]);
    return left != right ? left > right : a < b;
  });
  for (auto dropped = middle; dropped != next_list_.end(); ++dropped) dropped_bound_ = std::max(dropped_bound_, bound(states_[*dropped]));
  next_list_.erase(middle, next_list_.end());
  std::sort(next_list_.begin(), next_list_.end(), [&](uint32_t a, uint32_t b) { return states_[a].cost < states_[b].cost; });
  std::swap(list_, next_list_);
}

// Forgets states that lead neither to the list nor to the best subset. Parents stand before their children.
void Knapsack::forget_states() {
  place_.assign(states_.size(), 0);
  for (const uint32_t index : list_) place_[index] = 1;
  place_[best_state_] = 1;
  for (size_t index = states_.size(); index-- > 1;)
    if (place_[index]) place_[states_[index].parent] = 1;
  place_[0] = 0;
  uint32_t kept = 1;
  for (size_t index = 1; index < states_.size(); ++index) {
    if (!place_[index]) continue;
    states_[kept] = states_[index];
    states_[kept].parent = place_[states_[index].parent];
    place_[index] = kept++;
  }
  states_.resize(kept);
  for (uint32_t& index : list_) index = place_[index];
  best_state_ = place_[best_state_];
}

void Knapsack::mark(std::span<uint8_t> chosen) const {
  for (uint32_t item = 0; item < first_out_; ++item) chosen[items_[item].index] = 1;
  for (uint32_t state = best_state_; state != 0; state = states_[state].parent) {
    const uint32_t item = states_[state].change;
    chosen[items_[item].index] = !greedy(item);
  }
  for (uint32_t members = best_members_, depth = best_depth_; members != 0; members >>= 1, ++depth)
    if (members & 1) chosen[items_[order_[depth]].index] = !greedy(order_[depth]);
}

void Knapsack::search() {
  const size_t many_states = 2 * longest_list_;
  size_t pair_beyond = longest_list_ / 16, forget_beyond = many_states;
  for (uint32_t depth = 0; depth < order_.size() && !list_.empty(); ++depth) {
    if (list_.size() > pair_beyond) {
      pair_with_block(depth);
      pair_beyond = std::min(longest_list_, 2 * list_.size());
    }
    reconsider(depth);
    if (list_.size() > longest_list_) shorten_list(depth + 1);
    if (states_.size() > forget_beyond) {
      forget_states();
      forget_beyond = std::max(many_states, 2 * states_.size());
    }
  }
}

double Knapsack::solve(std::span<const double> values, std::span<const double> costs, double limit, std::span<uint8_t> chosen) {
  items_.clear();
  for (size_t i = 0; i < values.size(); ++i) {
    chosen[i] = values[i] > 0 && costs[i] <= 0;
    if (values[i] > 0 && costs[i] > 0 && costs[i] <= limit) items_.push_back({values[i], costs[i], static_cast<uint32_t>(i)});
  }
  start(limit);
  search();
  mark(chosen);
  double value = 0;
  for (size_t i = 0; i < values.size(); ++i)
    if (chosen[i]) value += values[i];
  return value + std::max(0.0, dropped_bound_ - best_value_);
}

}  // namespace accord::graph
