// SPDX-License-Identifier: Apache-2.0
#include "core/chains/segments/lattice_best.hpp"

#include <algorithm>

#include "core/chains/chain.hpp"
#include "core/chains/segments/lattice_items.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/max_marginals.hpp"
#include "core/hypergraph/ranked.hpp"

namespace accord::chains {

std::vector<LatticePath> k_best(const Lattice& lattice, int k) {
  std::vector<LatticePath> ranked;
  if (lattice.goal() == 0) return k > 0 ? std::vector<LatticePath>{{0.0, {}}} : ranked;
  const LatticeItems items(lattice);
  std::vector<double> best;
  if (hypergraph::inside<hypergraph::MaxPlus>(items, best) == forbidden) return ranked;
  auto paths = hypergraph::rank_derivations(items, [&](size_t vertex) { return best[vertex]; });
  std::vector<int> edges;
  for (size_t rank = 0; rank < static_cast<size_t>(std::max(k, 0)) && paths.reach(items.goal(), rank); ++rank) {
    edges.clear();
    paths.trace(rank, [&](int vertex, size_t number) {
      const int edge = lattice.arcs(vertex)[number].edge;
      if (edge >= 0) edges.push_back(edge);
    });
    std::reverse(edges.begin(), edges.end());
    ranked.push_back({lattice.score(edges), edges});
  }
  return ranked;
}

[[gnu::flatten]] void max_marginals(const Lattice& lattice, std::span<double> out) {
  std::fill(out.begin(), out.end(), forbidden);
  const LatticeItems items(lattice);
  std::vector<double> best, rest;
  if (hypergraph::inside<hypergraph::MaxPlus>(items, best) == forbidden) return;
  hypergraph::max_marginals(items, best, rest, [&](double score, const Lattice::Arc& arc) {
    if (arc.edge >= 0) out[static_cast<size_t>(arc.edge)] = score;
  });
}

}  // namespace accord::chains
