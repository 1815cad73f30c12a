// SPDX-License-Identifier: Apache-2.0
// A lattice as a distribution over its paths, P(path) ~ exp(score): log-partition function, probabilities of edges, entropy, samples.
//
// Method:     the questions of core/hypergraph over the items of lattice_items.hpp, with stored shares: from the goal back, the arc
//             into a vertex is distributed as exp(forward of its tail + weight), as the states of a chain are (previous.hpp), so that
//             probabilities stay probabilities whatever the size of the scores.
// Complexity: O(arcs) exponentials; a sample O(arcs into its vertices).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/chains/segments/lattice.hpp"
#include "core/chains/segments/lattice_items.hpp"
#include "core/hypergraph/shares.hpp"

namespace accord::chains {

// Asks about one lattice, which must outlive it.
class LatticeSums {
 public:
  explicit LatticeSums(const Lattice& lattice) : lattice_(lattice), items_(lattice), shares_(items_) {}
  LatticeSums(const LatticeSums&) = delete;
  LatticeSums& operator=(const LatticeSums&) = delete;

  // -infinity when there is no path; nothing else may be asked then.
  double log_partition() const { return empty() ? 0.0 : shares_.log_partition(); }

  // P(edge is used), one number an edge; returns the entropy in nats.
  double marginals(std::span<double> out) const;

  // Path `number` of the samples of a seed, as edges: it depends on these two alone.
  std::vector<int> sample(uint64_t seed, uint64_t number) const;

 private:
  bool empty() const { return lattice_.goal() == 0; }

  const Lattice& lattice_;
  LatticeItems items_;
  hypergraph::StoredShares<LatticeItems> shares_;
};

}  // namespace accord::chains
