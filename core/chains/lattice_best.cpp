// SPDX-License-Identifier: Apache-2.0
#include "core/chains/lattice_best.hpp"

#include <algorithm>

#include "core/chains/ranked_paths.hpp"

namespace accord::chains {

namespace {

std::vector<double> best_values(const Lattice& lattice) {
  std::vector<double> best(static_cast<size_t>(lattice.vertices()), forbidden);
  best[0] = 0;
  for (int vertex = 1; vertex < lattice.vertices(); ++vertex)
    for (const Lattice::Arc& arc : lattice.arcs(vertex))
      best[static_cast<size_t>(vertex)] = std::max(best[static_cast<size_t>(vertex)], best[static_cast<size_t>(arc.tail)] + arc.weight);
  return best;
}

struct ArcGraph {
  using Vertex = int;
  const Lattice& lattice;
  std::span<const double> values;

  size_t key(int vertex) const { return static_cast<size_t>(vertex); }
  size_t links(int vertex) const { return vertex == 0 ? 1 : lattice.arcs(vertex).size(); }
  bool begins(int vertex, size_t) const { return vertex == 0; }
  int before(int vertex, size_t link) const { return lattice.arcs(vertex)[link].tail; }
  double extend(int vertex, size_t link, double value) const { return vertex == 0 ? value : value + lattice.arcs(vertex)[link].weight; }
  double best(int vertex) const { return values[static_cast<size_t>(vertex)]; }
};

}  // namespace

std::vector<LatticePath> k_best(const Lattice& lattice, int k) {
  const std::vector<double> best = best_values(lattice);
  std::vector<LatticePath> ranked;
  if (best.back() == forbidden) return ranked;
  const ArcGraph graph{lattice, best};
  RankedPaths<ArcGraph> paths(graph);
  std::vector<int> edges;
  for (size_t rank = 0; rank < static_cast<size_t>(std::max(k, 0)) && paths.reach(lattice.goal(), rank); ++rank) {
    edges.clear();
    paths.trace(lattice.goal(), rank, [&](int vertex, size_t link) {
      if (vertex == 0) return;
      const int edge = lattice.arcs(vertex)[link].edge;
      if (edge >= 0) edges.push_back(edge);
    });
    std::reverse(edges.begin(), edges.end());
    ranked.push_back({lattice.score(edges), edges});
  }
  return ranked;
}

void max_marginals(const Lattice& lattice, std::span<double> out) {
  std::fill(out.begin(), out.end(), forbidden);
  const std::vector<double> ahead = best_values(lattice);
  std::vector<double> back(ahead.size(), forbidden);
  back.back() = 0;
  for (int vertex = lattice.goal(); vertex > 0; --vertex) {
    const double rest = back[static_cast<size_t>(vertex)];
    for (const Lattice::Arc& arc : lattice.arcs(vertex)) {
      const auto tail = static_cast<size_t>(arc.tail);
      back[tail] = std::max(back[tail], rest + arc.weight);
      if (arc.edge >= 0) out[static_cast<size_t>(arc.edge)] = ahead[tail] + arc.weight + rest;
    }
  }
}

}  // namespace accord::chains
