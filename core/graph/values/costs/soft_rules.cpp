// SPDX-License-Identifier: Apache-2.0
// The rules of soft_consistency.hpp: how tables move costs to values.
#include <algorithm>

#include "core/graph/values/costs/soft_consistency.hpp"

namespace accord::graph {

namespace {

constexpr size_t most_moves = 20;     // to the lower bound, for each variable: propagation ends with less where it takes more
constexpr double most_tuples = 1024;  // of a table with three open variables or more that is looked at

}  // namespace

void SoftConsistency::arcs_from(size_t variable) {
  if (left(variable) == 1) return;
  for (const int32_t e : edges_of_[variable]) {
    const Edge& edge = edges_[static_cast<size_t>(e)];
    Table& table = tables_[static_cast<size_t>(edge.table)];
    if (table.open != 2) continue;
    const Edge& other = other_of(table, edge);
    if (other.variable < edge.variable) continue;
    blamed_ = &table;
    simple_supports(table, other, edge);
    if (failed_) return;
  }
}

void SoftConsistency::directed_from(size_t variable) {
  if (left(variable) == 1) return;
  for (const int32_t e : edges_of_[variable]) {
    const Edge& edge = edges_[static_cast<size_t>(e)];
    Table& table = tables_[static_cast<size_t>(edge.table)];
    if (table.open != 2) continue;
    const Edge& other = other_of(table, edge);
    if (other.variable > edge.variable) continue;
    blamed_ = &table;
    full_supports(table, other, edge);
    if (failed_) return;
  }
}

// Every value of `to` gets a value of `from` at no cost in the table, by moving the least cost out of the table.
void SoftConsistency::simple_supports(const Table& table, const Edge& to, const Edge& from) {
  const auto i = static_cast<size_t>(to.variable), j = static_cast<size_t>(from.variable);
  const auto domain = static_cast<int32_t>(network_.domain(j));
  for (size_t k = left(i); k-- > 0 && !failed_;) {
    const int32_t value = values(i)[k];
    int32_t& support = support_[to.at + static_cast<size_t>(value)];
    if (support < domain && has(j, support) && pair_cost(table, to, value, from, support) <= ignored_) continue;
    const double least = least_alone(table, to, from, value, support);
    if (least == forbidden) {
      remove(i, value);
      continue;
    }
    double& own = held_[to.at + static_cast<size_t>(value)];
    if (least <= ignored_) continue;
    trail(own);
    own += least;
    raise(i, value, least);
  }
}

double SoftConsistency::least_alone(const Table& table, const Edge& to, const Edge& from, int32_t value, int32_t& support) const {
  const double* row = table.costs + table.base + static_cast<ptrdiff_t>(to.stride) * value;
  const double* held = held_.data() + from.at;
  double least = forbidden;
  for (const int32_t b : values(static_cast<size_t>(from.variable))) {
    const double cost = row[static_cast<ptrdiff_t>(from.stride) * b] - held[b];
    if (cost < least) least = cost, support = b;
  }
  return least - table.moved - held_[to.at + static_cast<size_t>(value)];
}

double SoftConsistency::least_with(const Table& table, const Edge& to, const Edge& from, int32_t value, int32_t& support) const {
  const double* row = table.costs + table.base + static_cast<ptrdiff_t>(to.stride) * value;
  const double* held = held_.data() + from.at;
  const double* own = unary_.data() + network_.first[static_cast<size_t>(from.variable)];
  double least = forbidden;
  for (const int32_t b : values(static_cast<size_t>(from.variable))) {
    const double cost = row[static_cast<ptrdiff_t>(from.stride) * b] - held[b] + own[b];
    if (cost < least) least = cost, support = b;
  }
  return least - table.moved - held_[to.at + static_cast<size_t>(value)];
}

// The same with the costs of the values of `from`, as much of which as needed moves into the table first.
void SoftConsistency::full_supports(const Table& table, const Edge& to, const Edge& from) {
  const auto i = static_cast<size_t>(to.variable), j = static_cast<size_t>(from.variable);
  const auto domain = static_cast<int32_t>(network_.domain(j));
  partners_.assign(values(i).begin(), values(i).end());
  projected_.assign(partners_.size(), 0.0);
  bool any = false;
  for (size_t k = 0; k < partners_.size(); ++k) {
    int32_t& support = support_[to.at + static_cast<size_t>(partners_[k])];
    if (support < domain && has(j, support) && pair_cost(table, to, partners_[k], from, support) + cost(j, support) <= ignored_) continue;
    const double least = least_with(table, to, from, partners_[k], support);
    if (least <= ignored_) continue;
    if (lower_ + cost(i, partners_[k]) + least >= limit_) {
      remove(i, partners_[k]);
      if (failed_) return;
      continue;
    }
    projected_[k] = least;
    any = true;
  }
  if (!any) return;
  const size_t first = network_.first[j];
  bool extended = false;
  for (const int32_t b : values(j)) {
    double most = 0;
    int32_t with = 0;
    for (size_t k = 0; k < partners_.size(); ++k) {
      if (projected_[k] == 0) continue;
      const double lacking = projected_[k] - pair_cost(table, to, partners_[k], from, b);
      if (lacking > most) most = lacking, with = partners_[k];
    }
    if (most == 0) continue;
    extended = true;
    double& own = unary_[first + static_cast<size_t>(b)];
    double& held = held_[from.at + static_cast<size_t>(b)];
    trail(own);
    trail(held);
    own -= most;
    held -= most;
    support_[from.at + static_cast<size_t>(b)] = with;
  }
  for (size_t k = 0; k < partners_.size() && !failed_; ++k) {
    if (projected_[k] == 0) continue;
    double& held = held_[to.at + static_cast<size_t>(partners_[k])];
    trail(held);
    held += projected_[k];
    raise(i, partners_[k], projected_[k]);
  }
  if (extended && to.variable > from.variable) directed_.push(i);
}

// Calls visit(table, edge, edge of the neighbour, whether another table had the same neighbour) for tables with a neighbour that comes
// earlier, until a visit says no.
template <typename Visit>
bool SoftConsistency::for_each_earlier(size_t variable, Visit&& visit) {
  ++round_;
  for (const int32_t e : edges_of_[variable]) {
    const Edge& edge = edges_[static_cast<size_t>(e)];
    Table& table = tables_[static_cast<size_t>(edge.table)];
    if (table.open != 2) continue;
    const Edge& other = other_of(table, edge);
    if (other.variable > edge.variable) continue;
    int64_t& met = met_[static_cast<size_t>(other.variable)];
    const bool again = met == round_;
    met = round_;
    if (!visit(table, edge, other, again)) return false;
  }
  return true;
}

// The costs of a neighbour's values can be had once, by one of the tables that lead to it.
void SoftConsistency::existential(size_t variable) {
  if (left(variable) == 1 || moves_ > most_moves * variables()) return;
  int32_t support = 0;
  const auto least_of = [&](const Table& table, const Edge& edge, const Edge& other, int32_t value, bool again) {
    return seen(again ? least_alone(table, edge, other, value, support) : least_with(table, edge, other, value, support));
  };
  const int32_t last = existential_[variable];
  if (has(variable, last) && cost(variable, last) <= ignored_ &&
      for_each_earlier(variable, [&](const Table& table, const Edge& edge, const Edge& other, bool again) {
        return least_of(table, edge, other, last, again) == 0;
      }))
    return;
  double least = forbidden;
  int32_t best = values(variable)[0];
  for (const int32_t value : values(variable)) {
    double sum = seen(cost(variable, value));
    for_each_earlier(variable, [&](const Table& table, const Edge& edge, const Edge& other, bool again) {
      sum += least_of(table, edge, other, value, again);
      return sum < least;
    });
    if (sum < least) least = sum, best = value;
    if (least == 0) break;
  }
  existential_[variable] = best;
  if (least <= coarse_) return;
  if (least == forbidden) return fail();
  ++moves_;
  for_each_earlier(variable, [&](Table& table, const Edge& edge, const Edge& other, bool again) {
    blamed_ = &table;
    if (again) simple_supports(table, edge, other);
    else full_supports(table, edge, other);
    return !failed_;
  });
  least_.push(variable);
}

// Every value of a table with several open variables gets a tuple at no cost, where few tuples are left.
void SoftConsistency::project_many(Table& table) {
  if (table.open <= 2) return;
  std::vector<const Edge*> open;
  double tuples = 1;
  for (int32_t k = 0; k < table.arity; ++k) {
    const Edge& edge = edges_[table.first_edge + static_cast<size_t>(k)];
    if (settled_[static_cast<size_t>(edge.variable)]) continue;
    open.push_back(&edge);
    tuples *= static_cast<double>(left(static_cast<size_t>(edge.variable)));
  }
  if (tuples > most_tuples) return;
  blamed_ = &table;
  std::vector<size_t> at(open.size());
  for (size_t target = 0; target < open.size() && !failed_; ++target) {
    const auto i = static_cast<size_t>(open[target]->variable);
    sums_.assign(network_.domain(i), forbidden);
    std::fill(at.begin(), at.end(), 0);
    for (bool more = true; more;) {
      size_t entry = static_cast<size_t>(table.base);
      double out = table.moved;
      for (size_t k = 0; k < open.size(); ++k) {
        const auto value = static_cast<size_t>(values(static_cast<size_t>(open[k]->variable))[at[k]]);
        entry += static_cast<size_t>(open[k]->stride) * value;
        out += held_[open[k]->at + value];
      }
      double& least = sums_[static_cast<size_t>(values(i)[at[target]])];
      least = std::min(least, table.costs[entry] - out);
      more = false;
      for (size_t k = open.size(); k-- > 0;) {
        if (++at[k] < left(static_cast<size_t>(open[k]->variable))) {
          more = true;
          break;
        }
        at[k] = 0;
      }
    }
    for (size_t k = left(i); k-- > 0 && !failed_;) {
      const int32_t value = values(i)[k];
      const double least = sums_[static_cast<size_t>(value)];
      if (least <= ignored_) continue;
      if (least == forbidden) {
        remove(i, value);
        continue;
      }
      double& held = held_[open[target]->at + static_cast<size_t>(value)];
      trail(held);
      held += least;
      raise(i, value, least);
    }
  }
}

}  // namespace accord::graph
