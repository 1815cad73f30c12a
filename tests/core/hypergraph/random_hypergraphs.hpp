// SPDX-License-Identifier: Apache-2.0
// Small random hypergraphs and all their derivations, listed without any of the code under test.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/hypergraph/hypergraph.hpp"

namespace accord::hypergraph {

using Derivation = std::vector<int32_t>;  // edges: the tails' derivations from left to right, then the edge itself

struct GivenGraph {
  int32_t items = 1, goal = 0;
  std::vector<int32_t> heads, tails;
  std::vector<int64_t> starts{0};
  std::vector<double> weights;

  void add(int32_t head, const std::vector<int32_t>& from, double weight) {
    heads.push_back(head);
    tails.insert(tails.end(), from.begin(), from.end());
    starts.push_back(static_cast<int64_t>(tails.size()));
    weights.push_back(weight);
  }
  Hypergraph build() const { return Hypergraph(items, goal, heads, starts, tails, weights); }

  double score(const Derivation& derivation) const {
    double total = 0;
    for (const int32_t e : derivation) total += weights[static_cast<size_t>(e)];
    return total;
  }

  std::vector<Derivation> derivations(int32_t item) const {
    std::vector<Derivation> found;
    for (size_t e = 0; e < heads.size(); ++e) {
      if (heads[e] != item || weights[e] == forbidden) continue;
      std::vector<Derivation> partial{{}};
      for (int64_t t = starts[e]; t < starts[e + 1]; ++t) {
        std::vector<Derivation> longer;
        const std::vector<Derivation> below = derivations(tails[static_cast<size_t>(t)]);
        for (const Derivation& left : partial)
          for (const Derivation& right : below) {
            longer.push_back(left);
            longer.back().insert(longer.back().end(), right.begin(), right.end());
          }
        partial.swap(longer);
      }
      for (Derivation& derivation : partial) {
        derivation.push_back(static_cast<int32_t>(e));
        found.push_back(std::move(derivation));
      }
    }
    return found;
  }
};

enum class Weights { normal, ties, constant, holes };

// Edges of up to three tails into up to six items; an item may have none, and a tail may stand twice in an edge.
inline GivenGraph random_graph(std::mt19937_64& random, double scale, Weights kind) {
  const auto integer = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  GivenGraph graph;
  graph.items = integer(1, 6);
  graph.goal = graph.items - 1;
  for (int32_t head = 0; head < graph.items; ++head) {
    const int edges = integer(0, 8) == 0 ? 0 : integer(1, 3);
    for (int e = 0; e < edges; ++e) {
      std::vector<int32_t> from(static_cast<size_t>(head == 0 ? 0 : integer(0, 3)));
      for (int32_t& tail : from) tail = std::max(integer(0, head - 1), integer(0, head - 1));
      double weight = std::normal_distribution<double>(0, scale)(random);
      if (kind == Weights::ties) weight = scale * integer(-1, 1);
      if (kind == Weights::constant) weight = scale;
      if (kind == Weights::holes && integer(0, 3) == 0) weight = forbidden;
      graph.add(head, from, weight);
    }
  }
  return graph;
}

struct Enumerated {
  std::vector<Derivation> all;
  std::vector<double> scores, probabilities;
  double log_partition = forbidden;

  explicit Enumerated(const GivenGraph& graph) : all(graph.derivations(graph.goal)) {
    for (const Derivation& derivation : all) scores.push_back(graph.score(derivation));
    if (all.empty()) return;
    const double peak = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - peak);
    for (const double score : scores) probabilities.push_back(std::exp(score - peak) / sum);
    log_partition = peak + std::log(sum);
  }
};

// Calls check(graph, enumerated, scale) for many graphs with few enough derivations.
template <class Check>
void for_random_graphs(int count, Check&& check) {
  std::mt19937_64 random(20240611);
  for (const double scale : {1e-12, 1e-3, 1.0, 30.0, 1e3, 1e12})
    for (const Weights kind : {Weights::normal, Weights::ties, Weights::constant, Weights::holes})
      for (int i = 0; i < count; ++i) {
        const GivenGraph graph = random_graph(random, scale, kind);
        if (graph.build().count() > 2000) continue;
        check(graph, Enumerated(graph), scale);
      }
}

}  // namespace accord::hypergraph
