// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/compaction.hpp"

#include <algorithm>
#include <map>

namespace accord::graph {

namespace {

// Which values of a table's variables are in an allowed tuple of values that are alive.
class SupportFinder {
 public:
  SupportFinder(const CostNetwork& network, const Alive& alive) : network_(network), alive_(alive) {}

  void find(const CostTable& table) {
    const size_t arity = table.scope.size();
    supported_.resize(arity);
    for (size_t k = 0; k < arity; ++k) supported_[k].assign(network_.domain(static_cast<size_t>(table.scope[k])), 0);
    at_.assign(arity, 0);
    for (const double cost : *table.costs) {
      if (cost < forbidden && all_alive(table))
        for (size_t k = 0; k < arity; ++k) supported_[k][at_[k]] = 1;
      for (size_t k = arity; k-- > 0;) {
        if (++at_[k] < supported_[k].size()) break;
        at_[k] = 0;
      }
    }
  }
  const std::vector<uint8_t>& supported(size_t k) const { return supported_[k]; }

 private:
  bool all_alive(const CostTable& table) const {
    for (size_t k = 0; k < at_.size(); ++k)
      if (!alive_[network_.first[static_cast<size_t>(table.scope[k])] + at_[k]]) return false;
    return true;
  }

  const CostNetwork& network_;
  const Alive& alive_;
  std::vector<std::vector<uint8_t>> supported_;
  std::vector<size_t> at_;
};

}  // namespace

bool arc_consistent(const CostNetwork& network, Alive& alive) {
  if (network.base == forbidden) return false;
  std::vector<uint8_t> restricts(network.tables.size()), queued(network.tables.size());
  std::map<const std::vector<double>*, bool> known;
  for (size_t i = 0; i < alive.size(); ++i) alive[i] = alive[i] && network.values[i] < forbidden;
  for (size_t i = 0; i < network.variables(); ++i)
    if (std::none_of(alive.begin() + static_cast<ptrdiff_t>(network.first[i]), alive.begin() + static_cast<ptrdiff_t>(network.first[i + 1]),
                     [](uint8_t one) { return one != 0; }))
      return false;
  std::vector<size_t> waiting;
  for (size_t t = 0; t < network.tables.size(); ++t) {
    const std::vector<double>& costs = *network.tables[t].costs;
    const auto [place, fresh] = known.try_emplace(&costs, false);
    if (fresh) place->second = std::find(costs.begin(), costs.end(), forbidden) != costs.end();
    restricts[t] = queued[t] = place->second;
    if (restricts[t]) waiting.push_back(t);
  }
  const std::vector<std::vector<int32_t>> tables_of = network.tables_of_variables();
  SupportFinder finder(network, alive);
  while (!waiting.empty()) {
    const size_t t = waiting.back();
    waiting.pop_back();
    queued[t] = 0;
    const CostTable& table = network.tables[t];
    finder.find(table);
    for (size_t k = 0; k < table.scope.size(); ++k) {
      const auto i = static_cast<size_t>(table.scope[k]);
      bool lost = false, any = false;
      for (size_t a = 0; a < network.domain(i); ++a) {
        uint8_t& here = alive[network.first[i] + a];
        lost |= here && !finder.supported(k)[a];
        here = here && finder.supported(k)[a];
        any |= here != 0;
      }
      if (!any) return false;
      if (!lost) continue;
      for (const int32_t other : tables_of[i]) {
        const auto o = static_cast<size_t>(other);
        if (restricts[o] && !queued[o] && o != t) queued[o] = 1, waiting.push_back(o);
      }
    }
  }
  return true;
}

Compaction::Compaction(const CostNetwork& network, const Alive& alive) : left_(network.variables()), number_(network.variables(), -1) {
  reduced_.base = network.base;
  for (size_t i = 0; i < network.variables(); ++i) {
    for (size_t a = 0; a < network.domain(i); ++a)
      if (alive[network.first[i] + a]) left_[i].push_back(static_cast<int32_t>(a));
    if (left_[i].size() == 1) {
      reduced_.base += network.values[network.first[i] + static_cast<size_t>(left_[i][0])];
      continue;
    }
    number_[i] = static_cast<int32_t>(reduced_.variables());
    for (const int32_t a : left_[i]) reduced_.values.push_back(network.values[network.first[i] + static_cast<size_t>(a)]);
    reduced_.first.push_back(reduced_.values.size());
  }
  for (const CostTable& table : network.tables) add_table(network, table);
  std::map<std::vector<int32_t>, size_t> known;
  std::vector<CostTable> merged;
  for (CostTable& table : reduced_.tables) {
    const auto [place, fresh] = known.try_emplace(table.scope, merged.size());
    if (fresh) {
      merged.push_back(std::move(table));
      continue;
    }
    auto sum = std::make_shared<std::vector<double>>(*merged[place->second].costs);
    for (size_t e = 0; e < sum->size(); ++e) (*sum)[e] += (*table.costs)[e];
    merged[place->second].costs = std::move(sum);
  }
  reduced_.tables = std::move(merged);
}

void Compaction::add_table(const CostNetwork& network, const CostTable& table) {
  CostTable out;
  bool same = true;
  for (const int32_t i : table.scope) {
    const auto variable = static_cast<size_t>(i);
    same = same && left_[variable].size() == network.domain(variable) && number_[variable] >= 0;
    if (number_[variable] >= 0) out.scope.push_back(number_[variable]);
  }
  out.strides = strides_of(reduced_, out.scope);
  out.costs = table.costs;
  if (same) {
    reduced_.tables.push_back(std::move(out));
    return;
  }
  size_t tuples = 1;
  for (const int32_t i : table.scope) tuples *= left_[static_cast<size_t>(i)].size();
  auto costs = std::make_shared<std::vector<double>>(tuples);
  std::vector<size_t> at(table.scope.size(), 0);
  for (double& cost : *costs) {
    size_t entry = 0;
    for (size_t k = 0; k < at.size(); ++k)
      entry += table.strides[k] * static_cast<size_t>(left_[static_cast<size_t>(table.scope[k])][at[k]]);
    cost = (*table.costs)[entry];
    for (size_t k = at.size(); k-- > 0;) {
      if (++at[k] < left_[static_cast<size_t>(table.scope[k])].size()) break;
      at[k] = 0;
    }
  }
  if (out.scope.empty()) {
    reduced_.base += (*costs)[0];
  } else if (out.scope.size() == 1) {
    const size_t first = reduced_.first[static_cast<size_t>(out.scope[0])];
    for (size_t a = 0; a < costs->size(); ++a) reduced_.values[first + a] += (*costs)[a];
  } else {
    out.costs = std::move(costs);
    reduced_.tables.push_back(std::move(out));
  }
}

std::vector<int32_t> Compaction::extended(std::span<const int32_t> setting) const {
  std::vector<int32_t> whole(left_.size());
  for (size_t i = 0; i < left_.size(); ++i)
    whole[i] = left_[i][number_[i] < 0 ? 0 : static_cast<size_t>(setting[static_cast<size_t>(number_[i])])];
  return whole;
}

std::vector<int32_t> Compaction::restricted(std::span<const int32_t> setting) const {
  std::vector<int32_t> reduced(reduced_.variables(), 0);
  for (size_t i = 0; i < left_.size(); ++i) {
    if (number_[i] < 0) continue;
    const auto place = std::find(left_[i].begin(), left_[i].end(), setting[i]);
    if (place != left_[i].end()) reduced[static_cast<size_t>(number_[i])] = static_cast<int32_t>(place - left_[i].begin());
  }
  return reduced;
}

}  // namespace accord::graph
