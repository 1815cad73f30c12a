// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/elimination.hpp"

#include <algorithm>
#include <queue>
#include <set>

namespace accord::graph {

namespace {

constexpr double largest_step = 1 << 24;  // entries: 128 megabytes
constexpr double small_step = 1 << 16;    // entries of a step over two neighbours that is always taken

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

// The greedy order: variables by the number of entries of their step, kept up to date while variables go. Or that of their numbers, which
// is better on grids.
class Order {
 public:
  Order(const CostNetwork& network, bool by_number)
      : network_(network),
        by_number_(by_number),
        neighbours_(neighbours_of(network)),
        entries_(network.variables()) {
    for (size_t i = 0; i < entries_.size(); ++i) update(static_cast<int32_t>(i));
  }

  // The next variable, or -1; `entries` of its step.
  int32_t next(double& entries) {
    if (queue_.empty()) return -1;
    const int32_t i = queue_.begin()->second;
    entries = entries_[static_cast<size_t>(i)];
    return i;
  }
  const std::vector<int32_t>& neighbours(int32_t i) const { return neighbours_[static_cast<size_t>(i)]; }

  // Leaves a variable where it is, until its neighbours change.
  void skip(int32_t i) { queue_.erase({key(i), i}); }

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
      skip(j);
      update(j);
    }
  }

 private:
  void update(int32_t i) {
    double product = static_cast<double>(network_.domain(static_cast<size_t>(i)));
    for (const int32_t j : neighbours_[static_cast<size_t>(i)]) product *= static_cast<double>(network_.domain(static_cast<size_t>(j)));
    entries_[static_cast<size_t>(i)] = product;
    queue_.insert({key(i), i});
  }

  double key(int32_t i) const { return by_number_ ? 0.0 : entries_[static_cast<size_t>(i)]; }

  const CostNetwork& network_;
  bool by_number_;
  Neighbours neighbours_;
  std::vector<double> entries_;
  std::set<std::pair<double, int32_t>> queue_;
};

constexpr size_t block_entries = 4096;  // that are added with one table of offsets

// Adds a table to one over more variables: total[t] += table[t restricted]. Both scopes rise. The last variables make a block of entries
// whose places in the smaller table are the same for every setting of the first ones, but for where the block begins.
void add_expanded(const CostNetwork& network, std::span<const int32_t> scope, const CostTable& table, std::span<double> total) {
  std::vector<size_t> steps(scope.size(), 0), counts(scope.size()), at(scope.size(), 0);
  for (size_t k = 0; k < scope.size(); ++k) {
    counts[k] = network.domain(static_cast<size_t>(scope[k]));
    const auto place = std::lower_bound(table.scope.begin(), table.scope.end(), scope[k]);
    if (place != table.scope.end() && *place == scope[k]) steps[k] = table.strides[static_cast<size_t>(place - table.scope.begin())];
  }
  size_t outer = scope.size(), block = 1;
  while (outer > 0 && block * counts[outer - 1] <= block_entries) block *= counts[--outer];
  std::vector<uint32_t> offsets = {0};
  offsets.reserve(block);
  for (size_t k = scope.size(); k-- > outer;) {  // from the last variable on: repeated for each value, moved by its step
    const size_t known = offsets.size();
    for (size_t a = 1; a < counts[k]; ++a)
      for (size_t e = 0; e < known; ++e) offsets.push_back(offsets[e] + static_cast<uint32_t>(a * steps[k]));
  }
  const bool constant = std::all_of(offsets.begin(), offsets.end(), [](uint32_t offset) { return offset == 0; });
  const double* costs = table.costs->data();
  size_t entry = 0;
  for (size_t t = 0; t < total.size(); t += block) {
    double* const to = total.data() + t;
    const double* const from = costs + entry;
    if (constant)
      for (size_t e = 0; e < block; ++e) to[e] += from[0];
    else
      for (size_t e = 0; e < block; ++e) to[e] += from[offsets[e]];
    for (size_t k = outer; k-- > 0;) {
      entry += steps[k];
      if (++at[k] < counts[k]) break;
      entry -= steps[k] * counts[k];
      at[k] = 0;
    }
  }
}

// All small tables of a step as one, so that the large ones are gone through with one more table, not with many.
CostTable joined(const CostNetwork& network, const std::vector<CostTable>& tables) {
  CostTable sum;
  for (const CostTable& table : tables) sum.scope.insert(sum.scope.end(), table.scope.begin(), table.scope.end());
  std::sort(sum.scope.begin(), sum.scope.end());
  sum.scope.erase(std::unique(sum.scope.begin(), sum.scope.end()), sum.scope.end());
  sum.strides = strides_of(network, sum.scope);
  auto costs = std::make_shared<std::vector<double>>(sum.strides[0] * network.domain(static_cast<size_t>(sum.scope[0])), 0.0);
  for (const CostTable& table : tables) add_expanded(network, sum.scope, table, *costs);
  sum.costs = std::move(costs);
  return sum;
}

// Moves tables into groups that are joined, as long as a joined table stays small.
std::vector<CostTable> joined_where_small(const CostNetwork& network, std::vector<CostTable> tables) {
  std::vector<CostTable> large, small;
  for (CostTable& table : tables) (table.costs->size() > block_entries / 8 ? large : small).push_back(std::move(table));
  if (large.empty() || small.size() < 2) {
    large.insert(large.end(), small.begin(), small.end());
    return large;
  }
  std::vector<int32_t> scope;
  double entries = 1;
  for (const CostTable& table : small) scope.insert(scope.end(), table.scope.begin(), table.scope.end());
  std::sort(scope.begin(), scope.end());
  scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
  for (const int32_t i : scope) entries *= static_cast<double>(network.domain(static_cast<size_t>(i)));
  if (entries <= block_entries) large.push_back(joined(network, small));
  else large.insert(large.end(), small.begin(), small.end());
  return large;
}

// The least cost over all values of a variable, and the value that has it; the first of equals.
void least_of_values(std::span<const double> total, size_t outer, size_t values, size_t inner, std::vector<double>& least,
                     std::vector<uint8_t>& low, std::vector<uint8_t>& high) {
  for (size_t o = 0; o < outer; ++o) {
    const double* const block = total.data() + o * values * inner;
    double* const to = least.data() + o * inner;
    uint8_t* const best = low.data() + o * inner;
    for (size_t b = 0; b < inner; ++b) to[b] = block[b];
    for (size_t a = 1; a < values; ++a) {
      const double* const from = block + a * inner;
      for (size_t b = 0; b < inner; ++b) {
        const bool less = from[b] < to[b];
        to[b] = less ? from[b] : to[b];
        best[b] = less ? static_cast<uint8_t>(a) : best[b];
        if (less && !high.empty()) high[o * inner + b] = static_cast<uint8_t>(a >> 8);
      }
    }
  }
}

// Eight bits in a byte.
std::vector<uint8_t> packed(const std::vector<uint8_t>& bits) {
  std::vector<uint8_t> bytes((bits.size() + 7) / 8, 0);
  for (size_t e = 0; e < bits.size(); ++e) bytes[e / 8] = static_cast<uint8_t>(bytes[e / 8] | bits[e] << (e % 8));
  return bytes;
}

}  // namespace

double elimination_work(const CostNetwork& network, double limit, bool by_number) {
  Order order(network, by_number);
  double total = 0, entries = 0;
  for (int32_t i = order.next(entries); i >= 0; i = order.next(entries)) {
    total += entries;
    if (total > limit || entries > largest_step) return forbidden;
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
  std::vector<double> total = {};  // of a step, used again for the next
};

Elimination::Elimination(const CostNetwork& network, double all, const Stop& stop) : variables_(network.variables()) {
  Work work{network,     network.values, network.tables, std::vector<uint8_t>(network.tables.size(), 0), network.tables_of_variables(),
            network.base};
  const double greedy = elimination_work(network, all, false), plain = elimination_work(network, std::min(all, greedy), true);
  const bool complete = std::min(greedy, plain) <= all;
  Order order(network, complete && plain < greedy);
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
  if (work.total.size() < outer * count * inner) work.total.resize(outer * count * inner);
  const std::span<double> total(work.total.data(), outer * count * inner);
  for (size_t o = 0; o < outer; ++o)
    for (size_t a = 0; a < count; ++a)
      std::fill_n(total.begin() + static_cast<ptrdiff_t>((o * count + a) * inner), inner, work.values[network.first[i] + a]);
  for (const CostTable& table : joined_where_small(network, std::move(tables))) add_expanded(network, scope, table, total);
  tables.clear();
  std::vector<double> least(outer * inner);
  Bucket bucket{variable, around, strides_of(network, around), count <= 2, std::vector<uint8_t>(least.size(), 0), {}};
  if (count > 256) bucket.high.assign(least.size(), 0);
  least_of_values(total, outer, count, inner, least, bucket.low, bucket.high);
  if (bucket.bits) bucket.low = packed(bucket.low);
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
    whole[static_cast<size_t>(bucket.variable)] = bucket.bits ? bucket.low[entry / 8] >> (entry % 8) & 1 : high * 256 + bucket.low[entry];
  }
  return whole;
}

std::vector<int32_t> Elimination::restricted(std::span<const int32_t> setting) const {
  std::vector<int32_t> part;
  for (const int32_t i : kept_) part.push_back(setting[static_cast<size_t>(i)]);
  return part;
}

}  // namespace accord::graph
