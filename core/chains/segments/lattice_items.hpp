// SPDX-License-Identifier: Apache-2.0
// A lattice as a hypergraph (core/hypergraph/items.hpp): its vertices are the items, its arcs the edges, each with one tail. The start
// is `nothing`; a lattice that ends where it starts has no other vertex, and one path without edges, which callers see to themselves.
#pragma once
#include "core/chains/segments/lattice.hpp"
#include "core/hypergraph/items.hpp"

namespace accord::chains {

class LatticeItems {
 public:
  using Item = int;
  using Weight = double;

  explicit LatticeItems(const Lattice& lattice) : lattice_(&lattice) {}

  size_t size() const { return static_cast<size_t>(lattice_->vertices()); }
  size_t edge_total() const { return lattice_->arc_count(); }
  size_t goal() const { return static_cast<size_t>(lattice_->goal()); }
  size_t id(int vertex) const { return static_cast<size_t>(vertex); }
  int item(size_t id) const { return static_cast<int>(id); }
  template <class Visit>
  void bottom_up(Visit&& visit) const {
    for (int vertex = 1; vertex < lattice_->vertices(); ++vertex) visit(vertex);
  }
  template <class Visit>
  void top_down(Visit&& visit) const {
    for (int vertex = lattice_->goal(); vertex > 0; --vertex) visit(vertex);
  }
  template <class Visit>
  void edges(int vertex, Visit&& visit) const {
    for (const Lattice::Arc& arc : lattice_->arcs(vertex)) visit(static_cast<size_t>(arc.tail), hypergraph::nothing, arc);
  }
  hypergraph::Edge<double> edge(int vertex, size_t number) const {
    const Lattice::Arc& arc = lattice_->arcs(vertex)[number];
    return {static_cast<size_t>(arc.tail), hypergraph::nothing, arc.weight};
  }
  static double weight(const Lattice::Arc& arc) { return arc.weight; }
  static double join(double weight, double left, double) { return left + weight; }

 private:
  const Lattice* lattice_;
};

}  // namespace accord::chains
