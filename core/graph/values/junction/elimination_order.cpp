// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/junction/elimination_order.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <queue>
#include <utility>

namespace accord::graph {

namespace {

constexpr size_t most_for_fill = 3000;  // variables: beyond, counting new neighbours takes too long

using Adjacency = std::vector<std::vector<int32_t>>;  // each sorted

Adjacency interaction_graph(const ValueGraph& graph) {
  Adjacency neighbours(graph.variables());
  for (const ValueTable& table : graph.tables())
    for (const int32_t variable : table.scope) {
      auto& own = neighbours[static_cast<size_t>(variable)];
      for (const int32_t other : table.scope)
        if (other != variable) own.push_back(other);
    }
  for (auto& own : neighbours) {
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return neighbours;
}

enum class Rule { smallest, fewest_new, as_ranked };

class Eliminating {
 public:
  // ranks: of the variables, for as_ranked. entries: at most, of all tables together.
  Eliminating(const ValueGraph& graph, double width, double entries, Rule rule, std::vector<double> ranks, const Stop& stop)
      : width_(width),
        entries_(entries),
        rule_(rule),
        ranks_(std::move(ranks)),
        stop_(stop),
        neighbours_(interaction_graph(graph)),
        costs_(graph.variables(), 0.0) {
    for (size_t i = 0; i < graph.variables(); ++i) sizes_.push_back(std::log2(static_cast<double>(graph.values(i))));
    found_.places.assign(graph.variables(), -1);
  }

  std::optional<EliminationOrder> run() {
    for (size_t i = 0; i < costs_.size(); ++i) queue(static_cast<int32_t>(i));
    while (!waiting_.empty()) {
      const auto [cost, variable] = waiting_.top();
      waiting_.pop();
      if (found_.places[static_cast<size_t>(variable)] >= 0 || cost != costs_[static_cast<size_t>(variable)]) continue;
      if (!take(variable)) return std::nullopt;
    }
    for (auto& separator : found_.separators)
      std::sort(separator.begin(), separator.end(),
                [&](int32_t a, int32_t b) { return found_.places[static_cast<size_t>(a)] < found_.places[static_cast<size_t>(b)]; });
    return std::move(found_);
  }

 private:
  double table_size(int32_t variable) const {
    double size = sizes_[static_cast<size_t>(variable)];
    for (const int32_t other : neighbours_[static_cast<size_t>(variable)]) size += sizes_[static_cast<size_t>(other)];
    return size;
  }

  // Pairs of neighbours that are no neighbours of each other yet.
  double new_pairs(int32_t variable) const {
    const auto& own = neighbours_[static_cast<size_t>(variable)];
    size_t known = 0;
    for (const int32_t other : own) {
      const auto& others = neighbours_[static_cast<size_t>(other)];
      for (const int32_t third : own) known += std::binary_search(others.begin(), others.end(), third);
    }
    return static_cast<double>(own.size() * (own.size() - 1) - known) / 2;
  }

  void queue(int32_t variable) {
    if (rule_ == Rule::as_ranked) return push(variable, ranks_[static_cast<size_t>(variable)]);
    constexpr double tie_break = 0x1p-20;
    const double size = table_size(variable);
    const double cost = rule_ == Rule::fewest_new ? new_pairs(variable) + tie_break * size : size;
    push(variable, cost);
  }

  void push(int32_t variable, double cost) {
    costs_[static_cast<size_t>(variable)] = cost;
    waiting_.push({cost, variable});
  }

  bool take(int32_t variable) {
    const double size = table_size(variable);
    found_.entries += std::exp2(size);
    if (size > width_ || found_.entries > entries_ || asked_to(stop_)) return false;
    const size_t v = static_cast<size_t>(variable);
    found_.places[v] = static_cast<int32_t>(found_.order.size());
    found_.order.push_back(variable);
    const std::vector<int32_t> own = std::move(neighbours_[v]);
    for (const int32_t other : own) join(other, variable, own);
    for (size_t k = 0; k < own.size() && rule_ != Rule::as_ranked; ++k) queue(own[k]);
    if (rule_ == Rule::fewest_new) queue_around(own);
    found_.separators.push_back(own);
    return true;
  }

  // The neighbours of the variable that leaves become those of another.
  void join(int32_t other, int32_t leaving, const std::vector<int32_t>& own) {
    auto& others = neighbours_[static_cast<size_t>(other)];
    std::vector<int32_t> all;
    all.reserve(others.size() + own.size());
    std::set_union(others.begin(), others.end(), own.begin(), own.end(), std::back_inserter(all));
    std::erase_if(all, [&](int32_t one) { return one == other || one == leaving; });
    others.swap(all);
  }

  // A pair that has become neighbours is new to nobody who knows both.
  void queue_around(const std::vector<int32_t>& own) {
    around_.clear();
    for (const int32_t other : own) {
      const auto& others = neighbours_[static_cast<size_t>(other)];
      around_.insert(around_.end(), others.begin(), others.end());
    }
    std::sort(around_.begin(), around_.end());
    around_.erase(std::unique(around_.begin(), around_.end()), around_.end());
    for (const int32_t variable : around_) queue(variable);
  }

  double width_, entries_;
  Rule rule_;
  std::vector<double> ranks_;
  const Stop& stop_;
  Adjacency neighbours_;
  std::vector<double> sizes_;  // by variable: log2 of its number of values
  std::vector<double> costs_;  // by variable: as it was queued last
  std::vector<int32_t> around_;
  using Waiting = std::pair<double, int32_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  EliminationOrder found_;
};

// Places in a walk in breadth from a variable, neighbours with few neighbours first. Returns the variable met last among those that the
// first one is connected to.
int32_t walk(const Adjacency& neighbours, int32_t from, std::vector<double>& ranks, double& next) {
  std::vector<int32_t> met = {from};
  ranks[static_cast<size_t>(from)] = next++;
  std::vector<int32_t> around;
  for (size_t k = 0; k < met.size(); ++k) {
    around.clear();
    for (const int32_t other : neighbours[static_cast<size_t>(met[k])])
      if (ranks[static_cast<size_t>(other)] < 0) around.push_back(other);
    std::sort(around.begin(), around.end(), [&](int32_t a, int32_t b) {
      return std::pair(neighbours[static_cast<size_t>(a)].size(), a) < std::pair(neighbours[static_cast<size_t>(b)].size(), b);
    });
    for (const int32_t other : around) ranks[static_cast<size_t>(other)] = next++;
    met.insert(met.end(), around.begin(), around.end());
  }
  return met.back();
}

// From one end of each connected part to the other: the end is where a walk from anywhere ends.
std::vector<double> from_end_to_end(const ValueGraph& graph) {
  const Adjacency neighbours = interaction_graph(graph);
  std::vector<double> tried(graph.variables(), -1.0), ranks(graph.variables(), -1.0);
  double next = 0, unused = 0;
  for (size_t i = 0; i < graph.variables(); ++i)
    if (ranks[i] < 0) walk(neighbours, walk(neighbours, static_cast<int32_t>(i), tried, unused), ranks, next);
  return ranks;
}

}  // namespace

std::optional<EliminationOrder> elimination_order(const ValueGraph& graph, const EliminationLimits& limits, const Stop& stop) {
  std::optional<EliminationOrder> best;
  const auto attempt = [&](Rule rule, std::vector<double> ranks) {
    const double entries = best ? best->entries : std::exp2(limits.entries);
    if (auto found = Eliminating(graph, limits.width, entries, rule, std::move(ranks), stop).run()) best = std::move(found);
  };
  attempt(Rule::smallest, {});
  constexpr double cheap = 0x1p16;  // entries that are summed sooner than a better order is found
  if (best && best->entries < cheap) return best;
  std::vector<double> numbers(graph.variables());
  std::iota(numbers.begin(), numbers.end(), 0.0);
  attempt(Rule::as_ranked, std::move(numbers));
  attempt(Rule::as_ranked, from_end_to_end(graph));
  if (graph.variables() <= most_for_fill) attempt(Rule::fewest_new, {});
  return best;
}

}  // namespace accord::graph
