// SPDX-License-Identifier: Apache-2.0
#include "core/chains/segments/lattice_sums.hpp"

#include <algorithm>

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/random.hpp"

namespace accord::chains {

// Flattened, so that the steps of the walk are compiled into one loop.
[[gnu::flatten]] double LatticeSums::marginals(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (empty()) return 0;
  double entropy = 0;
  hypergraph::Expectations space;
  hypergraph::outside(items_, shares_, space, [&](double probability, auto&& share, const Lattice::Arc& arc) {
    entropy -= probability * share.logarithm();
    if (arc.edge >= 0) out[static_cast<size_t>(arc.edge)] = std::min(probability, 1.0);
  });
  return entropy;
}

// A path goes on by one tail, so the walk of hypergraph::descend, which remembers tails that wait, would only cost: 1.2 times the time.
[[gnu::flatten]] std::vector<int> LatticeSums::sample(uint64_t seed, uint64_t number) const {
  std::vector<int> path;
  if (empty()) return path;
  RandomStream random(seed, number);
  for (size_t vertex = items_.goal(); vertex != hypergraph::nothing;) {
    const hypergraph::Choice choice = hypergraph::drawn_edge(shares_, items_.item(vertex), random.uniform());
    const int edge = lattice_.arcs(items_.item(vertex))[choice.edge].edge;
    if (edge >= 0) path.push_back(edge);
    vertex = choice.left;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace accord::chains
