// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/reparametrisation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/vectorise.hpp"

namespace accord::graph {

namespace {

// out[b] := min over a of costs[a * columns + b] + added[a].
ACCORD_VECTORISE void least_of_columns(const double* costs, size_t rows, size_t columns, const double* added, double* out) {
  for (size_t b = 0; b < columns; ++b) out[b] = costs[b] + added[0];
  for (size_t a = 1; a < rows; ++a) {
    const double* row = costs + a * columns;
    const double more = added[a];
    for (size_t b = 0; b < columns; ++b) {
      const double cost = row[b] + more;
      out[b] = cost < out[b] ? cost : out[b];
    }
  }
}

SharedCosts turned(const CostTable& table, size_t rows, size_t columns) {
  auto out = std::make_shared<std::vector<double>>(rows * columns);
  for (size_t a = 0; a < rows; ++a)
    for (size_t b = 0; b < columns; ++b) (*out)[b * rows + a] = (*table.costs)[a * columns + b];
  return out;
}

}  // namespace

Reparametrisation::Reparametrisation(const CostNetwork& network)
    : network_(network),
      edges_of_(network.variables()),
      turned_(network.tables.size()),
      setting_(network.variables(), 0) {
  size_t at = 0;
  std::map<const std::vector<double>*, SharedCosts> known;
  for (size_t t = 0; t < network.tables.size(); ++t) {
    const CostTable& table = network.tables[t];
    first_edge_.push_back(edges_.size());
    for (size_t k = 0; k < table.scope.size(); ++k) {
      edges_of_[static_cast<size_t>(table.scope[k])].push_back(static_cast<int32_t>(edges_.size()));
      edges_.push_back({static_cast<int32_t>(t), static_cast<int32_t>(k), at});
      at += count(t, k);
    }
    if (table.scope.size() != 2) continue;
    SharedCosts& costs = known[table.costs.get()];
    if (!costs) costs = turned(table, count(t, 0), count(t, 1));
    turned_[t] = costs;
  }
  shifts_.assign(at, 0.0);
  messages_.assign(at, 0.0);
  for (const Edge& edge : edges_)
    if (edge.place == 0) collect(edge);
}

void Reparametrisation::collect(const Edge& edge) {
  const CostTable& table = network_.tables[static_cast<size_t>(edge.table)];
  if (table.scope.size() == 2) collect_pair(table, edge);
  else collect_many(table, edge);
}

void Reparametrisation::collect_pair(const CostTable& table, const Edge& edge) {
  const auto t = static_cast<size_t>(edge.table);
  const Edge& other = edges_[first_edge_[t] + static_cast<size_t>(1 - edge.place)];
  const std::vector<double>& costs = edge.place == 1 ? *table.costs : *turned_[t];
  least_of_columns(costs.data(), count(t, static_cast<size_t>(other.place)), count(t, static_cast<size_t>(edge.place)),
                   shifts_.data() + other.at, messages_.data() + edge.at);
}

// The costs of all tuples with the shifts of all other variables, from the last variable to the first; then the least for each value.
void Reparametrisation::collect_many(const CostTable& table, const Edge& edge) {
  const auto t = static_cast<size_t>(edge.table);
  const auto place = static_cast<size_t>(edge.place);
  total_.assign(table.costs->begin(), table.costs->end());
  // Variables behind the place are minimised over from the last on, those before it from the first on: the array shrinks each time.
  size_t tuples = total_.size();
  for (size_t k = table.scope.size(); k-- > place + 1;) {
    const size_t values = count(t, k);
    const double* shift = shifts_.data() + edges_[first_edge_[t] + k].at;
    tuples /= values;
    for (size_t r = 0; r < tuples; ++r) {
      const double* row = total_.data() + r * values;
      double least = row[0] + shift[0];
      for (size_t b = 1; b < values; ++b) least = std::min(least, row[b] + shift[b]);
      total_[r] = least;
    }
  }
  for (size_t k = 0; k < place; ++k) {
    const size_t values = count(t, k);
    tuples /= values;
    sum_.resize(tuples);
    least_of_columns(total_.data(), values, tuples, shifts_.data() + edges_[first_edge_[t] + k].at, sum_.data());
    total_.swap(sum_);
  }
  std::copy_n(total_.begin(), count(t, place), messages_.begin() + static_cast<ptrdiff_t>(edge.at));
}

double Reparametrisation::pass(bool forwards) {
  double bound = network_.base;
  const size_t variables = network_.variables();
  std::vector<double> belief;
  for (size_t step = 0; step < variables; ++step) {
    const size_t i = forwards ? step : variables - 1 - step;
    const size_t values = network_.domain(i);
    belief.assign(network_.values.begin() + static_cast<ptrdiff_t>(network_.first[i]),
                  network_.values.begin() + static_cast<ptrdiff_t>(network_.first[i + 1]));
    size_t ahead = 0, behind = 0;
    for (const int32_t e : edges_of_[i]) {
      const Edge& edge = edges_[static_cast<size_t>(e)];
      const auto last = static_cast<int32_t>(network_.tables[static_cast<size_t>(edge.table)].scope.size()) - 1;
      const int32_t begin = forwards ? 0 : last, end = forwards ? last : 0;
      if (edge.place != begin) collect(edge), ++behind;
      if (edge.place != end) ++ahead;
      for (size_t a = 0; a < values; ++a) belief[a] += messages_[edge.at + a];
    }
    if (forwards) choose(i);
    const double share = 1.0 / static_cast<double>(std::max<size_t>({ahead, behind, 1}));
    for (const int32_t e : edges_of_[i]) {
      const Edge& edge = edges_[static_cast<size_t>(e)];
      const auto last = static_cast<int32_t>(network_.tables[static_cast<size_t>(edge.table)].scope.size()) - 1;
      const double given = edge.place != (forwards ? last : 0) ? share : 0.0;
      for (size_t a = 0; a < values; ++a) shifts_[edge.at + a] = given * belief[a] - messages_[edge.at + a];
    }
    bound += (1 - share * static_cast<double>(ahead)) * *std::min_element(belief.begin(), belief.end());
  }
  return bound;
}

// The value with the least cost: tables whose other variables are all chosen tell it exactly, others by their messages.
void Reparametrisation::choose(size_t variable) {
  const size_t values = network_.domain(variable), first = network_.first[variable];
  double least = forbidden;
  int32_t best = 0;
  for (size_t a = 0; a < values; ++a) {
    setting_[variable] = static_cast<int32_t>(a);
    double cost = network_.values[first + a];
    for (const int32_t e : edges_of_[variable]) {
      const Edge& edge = edges_[static_cast<size_t>(e)];
      const CostTable& table = network_.tables[static_cast<size_t>(edge.table)];
      const bool exact = static_cast<size_t>(edge.place) + 1 == table.scope.size();
      cost += exact ? table.cost(setting_) : messages_[edge.at + a];
    }
    if (cost < least) least = cost, best = static_cast<int32_t>(a);
  }
  setting_[variable] = best;
}

void Reparametrisation::round() {
  for (double& shift : shifts_) shift = std::nearbyint(shift);
}

}  // namespace accord::graph
