// SPDX-License-Identifier: Apache-2.0
#include "core/chains/lattice_sums.hpp"

#include <algorithm>
#include <cmath>

#include "core/chains/previous.hpp"
#include "core/random.hpp"

namespace accord::chains {

LatticeSums::LatticeSums(const Lattice& lattice)
    : lattice_(lattice),
      forward_(static_cast<size_t>(lattice.vertices()), forbidden),
      shares_(lattice.arc_count()) {
  forward_[0] = 0;
  for (int vertex = 1; vertex < lattice.vertices(); ++vertex) {
    const std::span<const Lattice::Arc> arcs = lattice.arcs(vertex);
    const std::span<double> shares(shares_.data() + lattice.first_arc(vertex), arcs.size());
    for (size_t k = 0; k < arcs.size(); ++k) shares[k] = forward_[static_cast<size_t>(arcs[k].tail)] + arcs[k].weight;
    forward_[static_cast<size_t>(vertex)] = softmax(shares);
  }
}

double LatticeSums::marginals(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<double> mass(forward_.size(), 0.0);
  mass.back() = 1;
  double entropy = 0;
  for (int vertex = lattice_.goal(); vertex > 0; --vertex) {
    const double here = mass[static_cast<size_t>(vertex)];
    if (here == 0) continue;
    const std::span<const Lattice::Arc> arcs = lattice_.arcs(vertex);
    for (size_t k = 0; k < arcs.size(); ++k) {
      const double share = shares_[lattice_.first_arc(vertex) + k];
      if (share == 0) continue;
      mass[static_cast<size_t>(arcs[k].tail)] += here * share;
      entropy -= here * share * std::log(share);
      if (arcs[k].edge >= 0) out[static_cast<size_t>(arcs[k].edge)] = std::min(here * share, 1.0);
    }
  }
  return entropy;
}

std::vector<int> LatticeSums::sample(uint64_t seed, uint64_t number) const {
  RandomStream random(seed, number);
  std::vector<int> path;
  for (int vertex = lattice_.goal(); vertex > 0;) {
    const std::span<const Lattice::Arc> arcs = lattice_.arcs(vertex);
    const Lattice::Arc& arc = arcs[pick({shares_.data() + lattice_.first_arc(vertex), arcs.size()}, random.uniform())];
    if (arc.edge >= 0) path.push_back(arc.edge);
    vertex = arc.tail;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace accord::chains
