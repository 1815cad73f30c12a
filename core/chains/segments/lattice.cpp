// SPDX-License-Identifier: Apache-2.0
#include "core/chains/segments/lattice.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/chains/chain.hpp"

namespace accord::chains {

namespace {

// Numbers of edges sorted by a key, with where each key begins.
struct Groups {
  std::vector<int> order;
  std::vector<size_t> first;

  template <typename Key>
  Groups(std::span<const Edge> edges, int keys, Key&& key) : order(edges.size()),
                                                             first(static_cast<size_t>(keys) + 1, 0) {
    for (const Edge& edge : edges) ++first[static_cast<size_t>(key(edge)) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<size_t> place = first;
    for (size_t e = 0; e < edges.size(); ++e) order[place[static_cast<size_t>(key(edges[e]))]++] = static_cast<int>(e);
  }
  std::span<const int> of(int key) const {
    return {order.data() + first[static_cast<size_t>(key)], order.data() + first[static_cast<size_t>(key) + 1]};
  }
};

}  // namespace

Lattice::Lattice(int length, std::vector<Edge> edges) : length_(length), edges_(std::move(edges)) {
  check_edges();
  build_plain();
}

Lattice::Lattice(int length, std::vector<Edge> edges, int labels, std::span<const double> transitions)
    : length_(length),
      labels_(labels),
      edges_(std::move(edges)),
      transitions_(transitions.begin(), transitions.end()) {
  check_edges();
  build_labelled();
}

void Lattice::check_edges() const {
  if (length_ < 0) throw std::invalid_argument("the length of a lattice must not be negative");
  for (size_t e = 0; e < edges_.size(); ++e) {
    const Edge& edge = edges_[e];
    if (edge.from < 0 || edge.from >= edge.to || edge.to > length_)
      throw std::invalid_argument("edge " + std::to_string(e) + " goes from " + std::to_string(edge.from) + " to " +
                                  std::to_string(edge.to) + "; edges go forward within 0.." + std::to_string(length_));
    if (labels_ > 0 && (edge.label < 0 || edge.label >= labels_))
      throw std::invalid_argument("edge " + std::to_string(e) + " has label " + std::to_string(edge.label) + "; there are transitions of " +
                                  std::to_string(labels_) + " labels");
  }
}

void Lattice::build_plain() {
  const Groups ending(edges_, length_ + 1, [](const Edge& edge) { return edge.to; });
  first_.assign(1, 0);
  for (int node = 0; node <= length_; ++node) {
    for (const int e : ending.of(node)) {
      const Edge& edge = edges_[static_cast<size_t>(e)];
      if (edge.score != forbidden) arcs_.push_back({edge.from, e, edge.score});
    }
    first_.push_back(arcs_.size());
  }
}

void Lattice::build_labelled() {
  const Groups ending(edges_, length_ + 1, [](const Edge& edge) { return edge.to; });
  const Groups starting(edges_, length_ + 1, [](const Edge& edge) { return edge.from; });
  std::vector<int> begins(edges_.size());  // by edge: the vertex it leaves
  std::vector<int> here;                   // the vertices before the transitions of a node, with their labels
  std::vector<int> label_of;
  first_.assign(1, 0);
  const auto end_vertex = [&] {
    first_.push_back(arcs_.size());
    return static_cast<int>(first_.size()) - 2;
  };
  // Edges sorted by label within a node: a vertex a label.
  const auto by_label = [&](std::span<const int> numbers) {
    std::vector<int> sorted(numbers.begin(), numbers.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](int a, int b) { return edges_[static_cast<size_t>(a)].label < edges_[static_cast<size_t>(b)].label; });
    return sorted;
  };
  for (int node = 0; node <= length_; ++node) {
    here.clear();
    label_of.clear();
    if (node == 0) {
      here.push_back(end_vertex());
      label_of.push_back(-1);
    }
    const std::vector<int> in = by_label(ending.of(node)), out = by_label(starting.of(node));
    for (size_t k = 0; k < in.size(); ++k) {
      const Edge& edge = edges_[static_cast<size_t>(in[k])];
      if (edge.score != forbidden) arcs_.push_back({begins[static_cast<size_t>(in[k])], in[k], edge.score});
      if (k + 1 < in.size() && edges_[static_cast<size_t>(in[k + 1])].label == edge.label) continue;
      here.push_back(end_vertex());
      label_of.push_back(edge.label);
    }
    for (size_t k = 0; k < out.size(); ++k) {
      const int label = edges_[static_cast<size_t>(out[k])].label;
      begins[static_cast<size_t>(out[k])] = static_cast<int>(first_.size()) - 1;
      if (k + 1 < out.size() && edges_[static_cast<size_t>(out[k + 1])].label == label) continue;
      for (size_t a = 0; a < here.size(); ++a) {
        const double weight = label_of[a] < 0 ? 0.0 : transitions_[static_cast<size_t>(label_of[a] * labels_ + label)];
        if (weight != forbidden) arcs_.push_back({here[a], -1, weight});
      }
      end_vertex();
    }
  }
  if (length_ == 0) return;
  for (const int vertex : here) arcs_.push_back({vertex, -1, 0.0});
  end_vertex();
}

double Lattice::score(std::span<const int> path) const {
  double total = 0;
  int node = 0, before = -1;
  for (const int e : path) {
    if (e < 0 || e >= static_cast<int>(edges_.size())) throw std::invalid_argument("there is no edge " + std::to_string(e));
    const Edge& edge = edges_[static_cast<size_t>(e)];
    if (edge.from != node)
      throw std::invalid_argument("edge " + std::to_string(e) + " begins at node " + std::to_string(edge.from) + ", not " +
                                  std::to_string(node));
    if (labels_ > 0 && before >= 0) total += transitions_[static_cast<size_t>(before * labels_ + edge.label)];
    total += edge.score;
    node = edge.to;
    before = edge.label;
  }
  if (node != length_) throw std::invalid_argument("the path ends at node " + std::to_string(node) + ", not " + std::to_string(length_));
  return total;
}

}  // namespace accord::chains
