// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/elimination.hpp"

#include <algorithm>
#include <queue>
#include <set>

namespace accord::graph {

namespace {

constexpr double small_step = 1 << 16;  // entries of a step over two neighbours that is always taken

using Neighbours = std::vector<std::vector<int32_t>>;  // of each variable, in rising order

Neighbours neighbours_of(const CostNetwork& network) {
  Neighbours neighbours(network.variables());
  for (const CostTable& table : network.tables)
    for (const int32_t i : table.scope)
      for (const int32_t j : table.scope)
        if (i != j) neighbours[static_cast<size_t>(i)].push_back(j);
  for (std::vector<int32_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

// The greedy order: variables by the number of entries of their step, kept up to date while variables go.
class Order {
 public:
  explicit Order(const CostNetwork& network) : network_(network), neighbours_(neighbours_of(network)), entries_(network.variables()) {
    for (size_t i = 0; i < entries_.size(); ++i) update(static_cast<int32_t>(i));
  }

  // The next variable, or -1; `entries` of its step.
  int32_t next(double& entries) {
    if (queue_.empty()) return -1;
    entries = queue_.begin()->first;
    return queue_.begin()->second;
  }
  const std::vector<int32_t>& neighbours(int32_t i) const { return neighbours_[static_cast<size_t>(i)]; }

  // Leaves a variable where it is, until its neighbours change.
  void skip(int32_t i) { queue_.erase({entries_[static_cast<size_t>(i)], i}); }

  void eliminate(int32_t i) {
    skip(i);
    const std::vector<int32_t> around = std::move(neighbours_[static_cast<size_t>(i)]);
    std::vector<int32_t> joined;
    for (const int32_t j : around) {
      std::vector<int32_t>& list = neighbours_[static_cast<size_t>(j)];
      joined.clear();
      std::set_union(list.begin(), list.end(), around.begin(), around.end(), std::back_inserter(joined));
      std::erase_if(joined, [&](int32_t k) { return k == i || k == j; });
      list = joined;
    }
    for (const int32_t j : around) {
      queue_.erase({entries_[static_cast<size_t>(j)], j});
      update(j);
    }
  }

 private:
  void update(int32_t i) {
    double product = static_cast<double>(network_.domain(static_cast<size_t>(i)));
    for (const int32_t j : neighbours_[static_cast<size_t>(i)]) product *= static_cast<double>(network_.domain(static_cast<size_t>(j)));
    entries_[static_cast<size_t>(i)] = product;
    queue_.insert({product, i});
  }

  const CostNetwork& network_;
  Neighbours neighbours_;
  std::vector<double> entries_;
  std::set<std::pair<double, int32_t>> queue_;
};

// Adds a table to one over more variables: total[t] += table[t restricted]. Both scopes rise.
void add_expanded(const CostNetwork& network, std::span<const int32_t> scope, const CostTable& table, std::vector<double>& total) {
  std::vector<size_t> steps(scope.size(), 0), counts(scope.size()), at(scope.size(), 0);
  for (size_t k = 0; k < scope.size(); ++k) {
    counts[k] = network.domain(static_cast<size_t>(scope[k]));
    const auto place = std::lower_bound(table.scope.begin(), table.scope.end(), scope[k]);
    if (place != table.scope.end() && *place == scope[k]) steps[k] = table.strides[static_cast<size_t>(place - table.scope.begin())];
  }
  const double* costs = table.costs->data();
  const size_t last = scope.size() - 1, inner = counts[last], step = steps[last];
  size_t entry = 0;
  for (size_t t = 0; t < total.size();) {
    if (step == 0)
      for (size_t a = 0; a < inner; ++a) total[t + a] += costs[entry];
    else
      for (size_t a = 0; a < inner; ++a) total[t + a] += costs[entry + a * step];
    t += inner;
    for (size_t k = last; k-- > 0;) {
      entry += steps[k];
      if (++at[k] < counts[k]) break;
      entry -= steps[k] * counts[k];
      at[k] = 0;
    }
  }
}

// Where costs of a value are less than the least so far, they take its place, and so does the value.
void keep_least(std::span<const double> costs, size_t to, size_t value, std::vector<double>& least, std::vector<uint8_t>& low,
                std::vector<uint8_t>& high) {
  for (size_t b = 0; b < costs.size(); ++b) {
    const bool less = costs[b] < least[to + b];
    least[to + b] = less ? costs[b] : least[to + b];
    low[to + b] = less ? static_cast<uint8_t>(value) : low[to + b];
    if (less && !high.empty()) high[to + b] = static_cast<uint8_t>(value >> 8);
  }
}

}  // namespace

double elimination_work(const CostNetwork& network, double limit) {
  Order order(network);
  double total = 0, entries = 0;
  for (int32_t i = order.next(entries); i >= 0; i = order.next(entries)) {
    total += entries;
    if (total > limit) return forbidden;
    order.eliminate(i);
  }
  return total;
}

// The network while variables go: its tables, and which of them each variable still has.
struct Elimination::Work {
  const CostNetwork& network;
  std::vector<double> values;
  std::vector<CostTable> tables;
  std::vector<uint8_t> gone;  // tables
  std::vector<std::vector<int32_t>> of;
  double base;
};

Elimination::Elimination(const CostNetwork& network, double all, const Stop& stop) : variables_(network.variables()) {
  Work work{network,     network.values, network.tables, std::vector<uint8_t>(network.tables.size(), 0), network.tables_of_variables(),
            network.base};
  const bool complete = elimination_work(network, all) <= all;
  Order order(network);
  double entries = 0;
  std::vector<uint8_t> eliminated(network.variables(), 0);
  for (int32_t i = order.next(entries); i >= 0; i = order.next(entries)) {
    if (asked_to(stop)) {
      stopped_ = true;
      break;
    }
    if (!complete && (entries > small_step || order.neighbours(i).size() > 2)) {
      order.skip(i);
      continue;
    }
    eliminate(work, i);
    eliminated[static_cast<size_t>(i)] = 1;
    order.eliminate(i);
  }
  for (size_t i = 0; i < eliminated.size(); ++i)
    if (!eliminated[i]) kept_.push_back(static_cast<int32_t>(i));
  collect(work);
}

void Elimination::eliminate(Work& work, int32_t variable) {
  const CostNetwork& network = work.network;
  const auto i = static_cast<size_t>(variable);
  const size_t count = network.domain(i);
  std::vector<CostTable> tables;
  std::vector<int32_t> around;
  for (const int32_t t : work.of[i]) {
    if (work.gone[static_cast<size_t>(t)]) continue;
    work.gone[static_cast<size_t>(t)] = 1;
    tables.push_back(std::move(work.tables[static_cast<size_t>(t)]));
    for (const int32_t j : tables.back().scope)
      if (j != variable) around.push_back(j);
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  // All tuples of the variable and its neighbours, in rising order.
  std::vector<int32_t> scope = around;
  const auto place = static_cast<size_t>(std::lower_bound(scope.begin(), scope.end(), variable) - scope.begin());
  scope.insert(scope.begin() + static_cast<ptrdiff_t>(place), variable);
  size_t outer = 1, inner = 1;
  for (size_t k = 0; k < place; ++k) outer *= network.domain(static_cast<size_t>(scope[k]));
  for (size_t k = place + 1; k < scope.size(); ++k) inner *= network.domain(static_cast<size_t>(scope[k]));
  std::vector<double> total(outer * count * inner);
  for (size_t o = 0; o < outer; ++o)
    for (size_t a = 0; a < count; ++a)
      std::fill_n(total.begin() + static_cast<ptrdiff_t>((o * count + a) * inner), inner, work.values[network.first[i] + a]);
  for (const CostTable& table : tables) add_expanded(network, scope, table, total);
  tables.clear();
  std::vector<double> least(outer * inner, forbidden);
  Bucket bucket{variable, around, strides_of(network, around), std::vector<uint8_t>(least.size(), 0), {}};
  if (count > 256) bucket.high.assign(least.size(), 0);
  for (size_t o = 0; o < outer; ++o)
    for (size_t a = 0; a < count; ++a)
      keep_least({total.data() + (o * count + a) * inner, inner}, o * inner, a, least, bucket.low, bucket.high);
  buckets_.push_back(std::move(bucket));
  if (around.empty()) {
    work.base += least[0];
  } else if (around.size() == 1) {
    const size_t at = network.first[static_cast<size_t>(around[0])];
    for (size_t a = 0; a < least.size(); ++a) work.values[at + a] += least[a];
  } else {
    CostTable made{around, strides_of(network, around), std::make_shared<const std::vector<double>>(std::move(least))};
    // A table over the same variables takes the new costs in.
    for (const int32_t t : work.of[static_cast<size_t>(around[0])]) {
      CostTable& table = work.tables[static_cast<size_t>(t)];
      if (work.gone[static_cast<size_t>(t)] || table.scope != around) continue;
      auto sum = std::make_shared<std::vector<double>>(*table.costs);
      for (size_t e = 0; e < sum->size(); ++e) (*sum)[e] += (*made.costs)[e];
      table.costs = std::move(sum);
      return;
    }
    for (const int32_t j : around) work.of[static_cast<size_t>(j)].push_back(static_cast<int32_t>(work.tables.size()));
    work.tables.push_back(std::move(made));
    work.gone.push_back(0);
  }
}

void Elimination::collect(const Work& work) {
  std::vector<int32_t> number(variables_, -1);
  for (size_t k = 0; k < kept_.size(); ++k) {
    const auto i = static_cast<size_t>(kept_[k]);
    number[i] = static_cast<int32_t>(k);
    reduced_.values.insert(reduced_.values.end(), work.values.begin() + static_cast<ptrdiff_t>(work.network.first[i]),
                           work.values.begin() + static_cast<ptrdiff_t>(work.network.first[i + 1]));
    reduced_.first.push_back(reduced_.values.size());
  }
  for (size_t t = 0; t < work.tables.size(); ++t) {
    if (work.gone[t]) continue;
    reduced_.tables.push_back(work.tables[t]);
    for (int32_t& i : reduced_.tables.back().scope) i = number[static_cast<size_t>(i)];
  }
  reduced_.base = work.base;
}

std::vector<int32_t> Elimination::extended(std::span<const int32_t> setting) const {
  std::vector<int32_t> whole(variables_, 0);
  for (size_t k = 0; k < kept_.size(); ++k) whole[static_cast<size_t>(kept_[k])] = setting[k];
  for (size_t b = buckets_.size(); b-- > 0;) {
    const Bucket& bucket = buckets_[b];
    size_t entry = 0;
    for (size_t k = 0; k < bucket.around.size(); ++k)
      entry += bucket.strides[k] * static_cast<size_t>(whole[static_cast<size_t>(bucket.around[k])]);
    const int32_t high = bucket.high.empty() ? 0 : bucket.high[entry];
    whole[static_cast<size_t>(bucket.variable)] = high * 256 + bucket.low[entry];
  }
  return whole;
}

std::vector<int32_t> Elimination::restricted(std::span<const int32_t> setting) const {
  std::vector<int32_t> part;
  for (const int32_t i : kept_) part.push_back(setting[static_cast<size_t>(i)]);
  return part;
}

}  // namespace accord::graph
