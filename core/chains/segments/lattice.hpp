// SPDX-License-Identifier: Apache-2.0
// Lattices: all ways to cut 0..n into labelled segments, as paths through a graph of edges (semi-Markov models, Sarawagi & Cohen
// 2004).
//
// Set:    sequences of edges that lead from node 0 to node n, each beginning where the last one ended. An edge goes from a node to a
//         later one and has a label and a score; several edges may join the same nodes, even with the same label.
// Score:  order 0: sum of the edges' scores;  order 1: and transitions[label][next label] of neighbouring edges.
//         -infinity forbids.
//
// Inside, a lattice is an acyclic graph of vertices numbered in topological order, 0 the start and the last the goal; the edge of an
// arc is -1 where the arc is none. Order 0: vertices are nodes. Order 1: vertices are (node, label of the edge that ends there) and
// (node, label of the edge that begins there), joined by transitions, so that edges with one label share them.
// Size:   order 0: one arc an edge;  order 1: and, a node, labels that end there x labels that begin there.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace accord::chains {

struct Edge {
  int from = 0, to = 0, label = 0;
  double score = 0;
};

class Lattice {
 public:
  struct Arc {
    int tail = 0;  // vertex
    int edge = -1;
    double weight = 0;
  };

  // Throws std::invalid_argument when an edge does not go forward within 0..length or, at order 1, its label has no transitions.
  Lattice(int length, std::vector<Edge> edges);
  Lattice(int length, std::vector<Edge> edges, int labels, std::span<const double> transitions);

  int length() const { return length_; }
  std::span<const Edge> edges() const { return edges_; }

  int vertices() const { return static_cast<int>(first_.size()) - 1; }
  int goal() const { return vertices() - 1; }
  // The arcs into a vertex; those of weight -infinity are left out.
  std::span<const Arc> arcs(int vertex) const {
    return {arcs_.data() + first_[static_cast<size_t>(vertex)], arcs_.data() + first_[static_cast<size_t>(vertex) + 1]};
  }
  size_t first_arc(int vertex) const { return first_[static_cast<size_t>(vertex)]; }
  size_t arc_count() const { return arcs_.size(); }

  // Throws std::invalid_argument when the edges are no path from 0 to n.
  double score(std::span<const int> path) const;

 private:
  void check_edges() const;
  void build_plain();
  void build_labelled();

  int length_ = 0, labels_ = 0;
  std::vector<Edge> edges_;
  std::vector<double> transitions_;
  std::vector<Arc> arcs_;
  std::vector<size_t> first_;
};

}  // namespace accord::chains
