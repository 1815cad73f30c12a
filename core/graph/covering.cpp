// SPDX-License-Identifier: Apache-2.0
#include "core/graph/covering.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "core/graph/borrowed_factor.hpp"
#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/factors/values/forest_factor.hpp"

namespace accord::graph {

namespace {

// A table over two groups.
struct PairTable {
  size_t first, second;  // groups
  std::shared_ptr<const std::vector<double>> scores;
};

using Bundle = std::vector<size_t>;  // pair tables, by number, that make one factor

// The group that some variables of a factor are, in their order.
int32_t whole_group(const FactorGraph& graph, std::span<const int32_t> variables) {
  const int32_t number = graph.group_of(static_cast<size_t>(variables.front()));
  if (number == FactorGraph::no_group) return number;
  const Group& group = graph.group(static_cast<size_t>(number));
  if (group.count != variables.size()) return FactorGraph::no_group;
  for (size_t i = 0; i < variables.size(); ++i)
    if (static_cast<size_t>(variables[i]) != group.first + i) return FactorGraph::no_group;
  return number;
}

bool as_pair(const FactorGraph& graph, size_t s, PairTable& pair) {
  const auto* table = dynamic_cast<const CategoricalTable*>(&graph.factor(s));
  if (!table || table->values().size() != 2) return false;
  const std::span<const int32_t> variables = graph.variables_of(s);
  const int32_t first = whole_group(graph, variables.first(table->values()[0]));
  const int32_t second = whole_group(graph, variables.subspan(table->values()[0]));
  if (first == FactorGraph::no_group || second == FactorGraph::no_group) return false;
  pair = {static_cast<size_t>(first), static_cast<size_t>(second), table->shared_scores()};
  return true;
}

std::vector<Bundle> chains_of(const std::vector<PairTable>& pairs, size_t groups) {
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto ends = [&](size_t p) { return std::minmax(pairs[p].first, pairs[p].second); };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return std::pair(ends(a), a) < std::pair(ends(b), b); });
  struct Open {
    size_t chain, step;
  };
  std::vector<Bundle> chains;
  std::vector<std::vector<Open>> open(groups);  // by group: chains that end there
  std::vector<size_t> waiting;                  // tables that begin at one group and found no chain with their step
  const auto extend = [&](size_t p, size_t chain) {
    const auto [low, high] = ends(p);
    if (chain == chains.size()) chains.emplace_back();
    chains[chain].push_back(p);
    open[high].push_back({chain, high - low});
  };
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const size_t here = ends(order[begin]).first;
    std::vector<Open>& arriving = open[here];
    waiting.clear();
    for (end = begin; end < order.size() && ends(order[end]).first == here; ++end) {
      const size_t step = ends(order[end]).second - here;
      const auto same = std::find_if(arriving.begin(), arriving.end(), [&](const Open& chain) { return chain.step == step; });
      if (same == arriving.end()) {
        waiting.push_back(order[end]);
        continue;
      }
      const size_t chain = same->chain;
      arriving.erase(same);
      extend(order[end], chain);
    }
    for (const size_t p : waiting) {
      const size_t chain = arriving.empty() ? chains.size() : arriving.back().chain;
      if (!arriving.empty()) arriving.pop_back();
      extend(p, chain);
    }
  }
  return chains;
}

size_t root_group(std::vector<size_t>& parents, size_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

// Each tree of each forest is a bundle of its own.
std::vector<Bundle> trees_of(const std::vector<PairTable>& pairs, size_t groups) {
  std::vector<Bundle> trees;
  std::vector<size_t> left(pairs.size()), closing;
  std::iota(left.begin(), left.end(), size_t{0});
  while (!left.empty()) {
    std::vector<size_t> parents(groups);
    std::iota(parents.begin(), parents.end(), size_t{0});
    closing.clear();
    Bundle forest;
    for (const size_t p : left) {
      const size_t a = root_group(parents, pairs[p].first), b = root_group(parents, pairs[p].second);
      if (a == b) {
        closing.push_back(p);
        continue;
      }
      parents[a] = b;
      forest.push_back(p);
    }
    std::map<size_t, size_t> of_root;
    for (const size_t p : forest) {
      const auto [place, added] = of_root.try_emplace(root_group(parents, pairs[p].first), trees.size());
      if (added) trees.emplace_back();
      trees[place->second].push_back(p);
    }
    left = closing;
  }
  return trees;
}

void add_forest(const FactorGraph& graph, const std::vector<PairTable>& pairs, const Bundle& bundle, FactorGraph& covered) {
  std::map<size_t, size_t> places;  // of groups in the forest
  for (const size_t p : bundle)
    for (const size_t group : {pairs[p].first, pairs[p].second}) places.emplace(group, 0);
  std::vector<size_t> values;
  std::vector<int64_t> variables;
  for (auto& [number, place] : places) {
    const Group& group = graph.group(number);
    place = values.size();
    values.push_back(group.count);
    for (size_t r = group.first; r < group.first + group.count; ++r) variables.push_back(static_cast<int64_t>(r));
  }
  std::vector<ForestEdge> edges;
  for (const size_t p : bundle) edges.push_back({places[pairs[p].first], places[pairs[p].second], pairs[p].scores});
  covered.add_factor(std::make_unique<ForestFactor>(std::move(values), edges), variables);
}

}  // namespace

Cover parse_cover(std::string_view name) {
  if (name == "none") return Cover::none;
  if (name == "chains") return Cover::chains;
  if (name == "trees") return Cover::trees;
  throw std::invalid_argument("there is no cover \"" + std::string(name) + "\": auto, none, chains or trees");
}

CoveredGraph::CoveredGraph(const FactorGraph& graph, Cover cover) : graph_(graph), factors_(graph.factors()) {
  covered_.add_variables(graph.scores());
  covered_.add_constant(graph.constant());
  std::vector<PairTable> pairs;
  std::vector<uint8_t> joined(graph.factors(), 0), touched(graph.groups(), 0);
  for (size_t s = 0; s < graph.factors() && cover != Cover::none; ++s) {
    PairTable pair;
    if (!as_pair(graph, s, pair)) continue;
    joined[s] = 1;
    touched[pair.first] = touched[pair.second] = 1;
    pairs.push_back(std::move(pair));
  }
  for (const Bundle& bundle : cover == Cover::trees ? trees_of(pairs, graph.groups()) : chains_of(pairs, graph.groups()))
    add_forest(graph, pairs, bundle, covered_);
  for (size_t s = 0; s < graph.factors(); ++s) {
    const std::span<const int32_t> variables = graph.variables_of(s);
    if (joined[s]) continue;
    if (graph.factor(s).kind() == "exactly_one" && graph.factor(s).choices().size() == 1) {
      const int32_t group = whole_group(graph, variables);
      if (group != FactorGraph::no_group && touched[static_cast<size_t>(group)]) continue;
    }
    covered_.add_factor(std::make_unique<BorrowedFactor>(graph.factor(s)), std::vector<int64_t>(variables.begin(), variables.end()));
  }
  refresh();
}

void CoveredGraph::refresh() {
  covered_.set_scores(graph_.scores());
  covered_.set_evidence(graph_.evidence());
  covered_.add_constant(graph_.constant() - covered_.constant());
}

}  // namespace accord::graph
