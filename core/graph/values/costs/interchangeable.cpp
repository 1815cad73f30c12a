// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/interchangeable.hpp"

namespace accord::graph {

namespace {

bool table_allows(const CostTable& table, size_t domain, int32_t a, int32_t b) {
  const std::vector<double>& costs = *table.costs;
  std::vector<int32_t> tuple(table.scope.size(), 0);
  for (size_t entry = 0; entry < costs.size(); ++entry) {
    ptrdiff_t twin = static_cast<ptrdiff_t>(entry);
    for (size_t k = 0; k < tuple.size(); ++k) {
      const auto stride = static_cast<ptrdiff_t>(table.strides[k]);
      if (tuple[k] == a) twin += stride * (b - a);
      else if (tuple[k] == b) twin += stride * (a - b);
    }
    if (costs[entry] != costs[static_cast<size_t>(twin)]) return false;
    for (size_t k = tuple.size(); k-- > 0;) {
      if (static_cast<size_t>(++tuple[k]) < domain) break;
      tuple[k] = 0;
    }
  }
  return true;
}

bool may_change_places(const CostNetwork& network, int32_t a, int32_t b) {
  for (size_t i = 0; i < network.variables(); ++i) {
    const double* costs = network.values.data() + network.first[i];
    if (costs[a] != costs[b]) return false;
  }
  const std::vector<double>* last = nullptr;  // tables often share their costs
  for (const CostTable& table : network.tables) {
    if (table.costs.get() == last && table.scope.size() == 2) continue;
    if (!table_allows(table, network.domain(0), a, b)) return false;
    last = table.costs.get();
  }
  return true;
}

}  // namespace

std::vector<int32_t> interchangeable_values(const CostNetwork& network, double entries) {
  if (network.variables() == 0) return {};
  const size_t domain = network.domain(0);
  double work = static_cast<double>(network.values.size());
  for (size_t i = 1; i < network.variables(); ++i)
    if (network.domain(i) != domain) return {};
  for (const CostTable& table : network.tables) work += static_cast<double>(table.costs->size());
  if (work * static_cast<double>(domain) * static_cast<double>(domain) > entries) return {};
  std::vector<int32_t> classes(domain), first_of_class;
  for (size_t b = 0; b < domain; ++b) {
    classes[b] = static_cast<int32_t>(first_of_class.size());
    for (size_t c = 0; c < first_of_class.size(); ++c)
      if (may_change_places(network, first_of_class[c], static_cast<int32_t>(b))) {
        classes[b] = static_cast<int32_t>(c);
        break;
      }
    if (static_cast<size_t>(classes[b]) == first_of_class.size()) first_of_class.push_back(static_cast<int32_t>(b));
  }
  if (first_of_class.size() == domain) return {};
  return classes;
}

}  // namespace accord::graph
