// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/soft_consistency.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace accord::graph {

namespace {

// Of the distance to the limit, for each variable: what is left unseen, and what is not worth moving against the order of variables.
constexpr double share_ignored = 0.002, share_coarse = 0.02;

}  // namespace

int32_t VariableQueue::pop_lowest() {
  for (size_t w = 0; w < words_.size(); ++w)
    if (words_[w] != 0) {
      const int bit = std::countr_zero(words_[w]);
      words_[w] &= words_[w] - 1;
      return static_cast<int32_t>(w * 64) + bit;
    }
  return -1;
}

int32_t VariableQueue::pop_highest() {
  for (size_t w = words_.size(); w-- > 0;)
    if (words_[w] != 0) {
      const int bit = 63 - std::countl_zero(words_[w]);
      words_[w] ^= uint64_t{1} << bit;
      return static_cast<int32_t>(w * 64) + bit;
    }
  return -1;
}

SoftConsistency::SoftConsistency(const CostNetwork& network, const Reparametrisation* start)
    : network_(network),
      lower_(network.base),
      edges_of_(network.variables()),
      unary_(network.values),
      order_(network.values.size()),
      place_(network.values.size()),
      settled_(network.variables(), 0),
      existential_(network.variables(), 0),
      weights_(network.variables(), 1.0),
      met_(network.variables(), 0),
      unsettled_(network.variables()),
      least_(network.variables()),
      arcs_(network.variables()),
      directed_(network.variables()),
      exist_(network.variables()),
      many_(network.tables.size()) {
  for (size_t i = 0; i < network.variables(); ++i) {
    alive_.push_back(static_cast<int32_t>(network.domain(i)));
    for (size_t a = 0; a < network.domain(i); ++a) order_[network.first[i] + a] = place_[network.first[i] + a] = static_cast<int32_t>(a);
  }
  size_t at = 0;
  for (size_t t = 0; t < network.tables.size(); ++t) {
    const CostTable& table = network.tables[t];
    const auto arity = static_cast<int32_t>(table.scope.size());
    const auto first = static_cast<int32_t>(edges_.size());
    tables_.push_back({table.costs->data(), edges_.size(), arity, arity, 0, {first, first + 1}, 0.0, 1.0});
    for (size_t k = 0; k < table.scope.size(); ++k) {
      const auto i = static_cast<size_t>(table.scope[k]);
      edges_of_[i].push_back(static_cast<int32_t>(edges_.size()));
      edges_.push_back({static_cast<int32_t>(t), table.scope[k], static_cast<int32_t>(table.strides[k]), at});
      at += network.domain(i);
      weights_[i] += 1;
      for (size_t a = 0; a < network.domain(i); ++a) {
        const double shift = start ? start->shifts(t, k)[a] : 0.0;
        held_.push_back(-shift);
        unary_[network.first[i] + a] -= shift;
      }
    }
  }
  support_.assign(at, 0);
  for (size_t t = 0; t < tables_.size() && start; ++t) {  // tables may be left with a least cost above or below zero
    const CostTable& table = network.tables[t];
    std::vector<size_t> digits(table.scope.size(), 0);
    double least = forbidden;
    for (const double cost : *table.costs) {
      double left = cost;
      for (size_t k = 0; k < digits.size(); ++k) left -= held_[edges_[tables_[t].first_edge + k].at + digits[k]];
      least = std::min(least, left);
      for (size_t k = digits.size(); k-- > 0;) {
        if (++digits[k] < network.domain(static_cast<size_t>(table.scope[k]))) break;
        digits[k] = 0;
      }
    }
    tables_[t].moved = least;
    lower_ += least;
  }
  for (size_t i = 0; i < network.variables(); ++i) {  // and so may values
    double* const costs = unary_.data() + network.first[i];
    const double least = *std::min_element(costs, costs + network.domain(i));
    for (size_t a = 0; a < network.domain(i); ++a) costs[a] -= least;
    lower_ += least;
  }
}

void SoftConsistency::set_limit(double limit) {
  limit_ = limit;
  pruned_at_ = -1;
}

void SoftConsistency::choose_precision() {
  const double gap = limit_ - lower_;
  if (!(gap < forbidden)) return;
  const double share = std::max(0.0, gap) / static_cast<double>(variables());
  ignored_ = std::floor(share_ignored * share);
  coarse_ = std::floor(share_coarse * share);
}

void SoftConsistency::undo(const Mark& mark) {
  while (numbers_.size() > mark.numbers) {
    *numbers_.back().where = numbers_.back().old;
    numbers_.pop_back();
  }
  while (counts_.size() > mark.counts) {
    *counts_.back().where = counts_.back().old;
    counts_.pop_back();
  }
  for (VariableQueue* queue : {&unsettled_, &least_, &arcs_, &directed_, &exist_, &many_}) queue->clear();
  failed_ = false;
  pruned_at_ = -1;
}

void SoftConsistency::wake_all() {
  for (size_t i = 0; i < variables(); ++i) {
    least_.push(i);
    if (left(i) == 1) {
      unsettled_.push(i);
      continue;
    }
    arcs_.push(i);
    directed_.push(i);
    exist_.push(i);
  }
  for (size_t t = 0; t < tables_.size(); ++t)
    if (tables_[t].open > 2) many_.push(t);
}

// A variable whose values or costs changed: its neighbours may have lost what supported them.
void SoftConsistency::wake(size_t variable) {
  directed_.push(variable);
  for (const int32_t e : edges_of_[variable]) {
    const Table& table = tables_[static_cast<size_t>(edges_[static_cast<size_t>(e)].table)];
    if (table.open != 2) continue;
    const Edge& other = other_of(table, edges_[static_cast<size_t>(e)]);
    if (other.variable > static_cast<int32_t>(variable)) exist_.push(static_cast<size_t>(other.variable));
  }
}

void SoftConsistency::remove(size_t variable, int32_t value) {
  const size_t first = network_.first[variable];
  int32_t& count = alive_[variable];
  const int32_t at = place_[first + static_cast<size_t>(value)];
  if (at >= count) return;
  trail(count);
  --count;
  const int32_t moved = order_[first + static_cast<size_t>(count)];
  std::swap(order_[first + static_cast<size_t>(at)], order_[first + static_cast<size_t>(count)]);
  place_[first + static_cast<size_t>(moved)] = at;
  place_[first + static_cast<size_t>(value)] = count;
  if (count == 0) return fail();
  least_.push(variable);
  if (count == 1) return unsettled_.push(variable);
  arcs_.push(variable);
  exist_.push(variable);
  wake(variable);
  for (const int32_t e : edges_of_[variable]) {
    const auto t = static_cast<size_t>(edges_[static_cast<size_t>(e)].table);
    if (tables_[t].open > 2) many_.push(t);
  }
}

void SoftConsistency::assign(size_t variable, int32_t value) {
  while (left(variable) > 1) {
    const std::span<const int32_t> list = values(variable);
    remove(variable, list[list.back() == value ? list.size() - 2 : list.size() - 1]);
  }
}

void SoftConsistency::clear(size_t variable) {
  while (left(variable) > 0) remove(variable, values(variable)[0]);
}

void SoftConsistency::raise(size_t variable, int32_t value, double amount) {
  double& cost = unary_[network_.first[variable] + static_cast<size_t>(value)];
  if (lower_ + cost + amount >= limit_) return remove(variable, value);
  trail(cost);
  const bool woken = cost <= ignored_;
  cost += amount;
  if (!woken) return;
  least_.push(variable);
  exist_.push(variable);
  wake(variable);
}

// A variable with one value: its tables have one open variable less.
void SoftConsistency::settle(size_t variable) {
  if (settled_[variable]) return;
  trail(settled_[variable]);
  settled_[variable] = 1;
  const int32_t value = order_[network_.first[variable]];
  for (const int32_t e : edges_of_[variable]) {
    const Edge& edge = edges_[static_cast<size_t>(e)];
    Table& table = tables_[static_cast<size_t>(edge.table)];
    trail(table.open);
    --table.open;
    if (table.open == 0) continue;
    trail(table.base);
    trail(table.moved);
    table.base += edge.stride * value;
    table.moved += held_[edge.at + static_cast<size_t>(value)];
    close(table);
    if (failed_) return;
  }
}

// What a table with fewer open variables means for them.
void SoftConsistency::close(Table& table) {
  blamed_ = &table;
  if (table.open > 2) return many_.push(static_cast<size_t>(&table - tables_.data()));
  int32_t found = 0;
  int32_t open[2] = {0, 0};
  for (size_t e = table.first_edge; found < table.open; ++e)
    if (!settled_[static_cast<size_t>(edges_[e].variable)]) open[found++] = static_cast<int32_t>(e);
  if (table.open == 2) {
    std::copy(open, open + 2, table.pair);
    for (const int32_t e : table.pair) {
      const auto i = static_cast<size_t>(edges_[static_cast<size_t>(e)].variable);
      arcs_.push(i);
      directed_.push(i);
      exist_.push(i);
    }
    return;
  }
  const Edge& last = edges_[static_cast<size_t>(open[0])];
  const auto i = static_cast<size_t>(last.variable);
  for (size_t k = left(i); k-- > 0 && !failed_;) {
    const int32_t value = values(i)[k];
    double& held = held_[last.at + static_cast<size_t>(value)];
    const double cost = table.costs[static_cast<ptrdiff_t>(table.base) + static_cast<ptrdiff_t>(last.stride) * value] - table.moved - held;
    if (cost <= 0) continue;
    if (cost == forbidden) {
      remove(i, value);
      continue;
    }
    trail(held);
    held += cost;
    raise(i, value, cost);
  }
}

void SoftConsistency::normalise(size_t variable) {
  const size_t first = network_.first[variable];
  double least = forbidden;
  for (const int32_t a : values(variable)) least = std::min(least, unary_[first + static_cast<size_t>(a)]);
  if (least > 0) {
    for (const int32_t a : values(variable)) {
      trail(unary_[first + static_cast<size_t>(a)]);
      unary_[first + static_cast<size_t>(a)] -= least;
    }
    trail(lower_);
    lower_ += least;
    if (lower_ >= limit_) return fail();
  }
  prune(variable);
}

void SoftConsistency::prune(size_t variable) {
  const size_t first = network_.first[variable];
  for (size_t k = left(variable); k-- > 0 && !failed_;) {
    const int32_t value = order_[first + k];
    if (lower_ + unary_[first + static_cast<size_t>(value)] >= limit_) remove(variable, value);
  }
}

void SoftConsistency::prune_all() {
  pruned_at_ = lower_;
  for (size_t i = 0; i < variables() && !failed_; ++i)
    if (left(i) > 1) prune(i);
}

bool SoftConsistency::propagate() {
  moves_ = 0;
  while (!failed_) {
    int32_t next = -1;
    if ((next = unsettled_.pop_lowest()) >= 0) {
      settle(static_cast<size_t>(next));
    } else if ((next = least_.pop_lowest()) >= 0) {
      normalise(static_cast<size_t>(next));
    } else if ((next = arcs_.pop_lowest()) >= 0) {
      arcs_from(static_cast<size_t>(next));
    } else if ((next = directed_.pop_highest()) >= 0) {
      directed_from(static_cast<size_t>(next));
    } else if ((next = exist_.pop_lowest()) >= 0) {
      existential(static_cast<size_t>(next));
    } else if ((next = many_.pop_lowest()) >= 0) {
      project_many(tables_[static_cast<size_t>(next)]);
    } else if (pruned_at_ != lower_) {
      prune_all();
    } else {
      return true;
    }
  }
  if (blamed_) {
    blamed_->weight += 1;
    for (int32_t k = 0; k < blamed_->arity; ++k)
      weights_[static_cast<size_t>(edges_[blamed_->first_edge + static_cast<size_t>(k)].variable)] += 1;
  }
  return false;
}

int32_t SoftConsistency::best_value(size_t variable) const {
  const int32_t support = existential_[variable];
  if (has(variable, support) && cost(variable, support) <= ignored_) return support;
  int32_t best = values(variable)[0];
  for (const int32_t value : values(variable)) {
    const double difference = cost(variable, value) - cost(variable, best);
    if (difference < 0 || (difference == 0 && value < best)) best = value;
  }
  return best;
}

void SoftConsistency::decay_weights(double factor) {
  for (double& weight : weights_) weight *= factor;
}

std::vector<int32_t> SoftConsistency::setting() const {
  std::vector<int32_t> chosen(variables());
  for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = values(i)[0];
  return chosen;
}

}  // namespace accord::graph
