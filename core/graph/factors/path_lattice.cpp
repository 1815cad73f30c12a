// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/path_lattice.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/log_domain.hpp"
#include "core/graph/row_builder.hpp"
#include "core/vectorise.hpp"

namespace accord::graph {

namespace {

// max of values[i] + weights[i]. Two maxima side by side, because one alone waits for itself at every step; not more, nor
// vectors, which would wait for the values that the nodes before have just written.
ACCORD_INLINE double best_sum(const double* values, const double* weights, int count) {
  double even = impossible, odd = impossible;
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    even = std::max(even, values[i] + weights[i]);
    odd = std::max(odd, values[i + 1] + weights[i + 1]);
  }
  if (i < count) even = std::max(even, values[i] + weights[i]);
  return std::max(even, odd);
}

double log_sum(const double* values, const double* weights, int count) {
  const double best = best_sum(values, weights, count);
  if (best == impossible) return impossible;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += std::exp(values[i] + weights[i] - best);
  return best + std::log(sum);
}

}  // namespace

int PathLattice::add_node(int variable, int first, int count) {
  range_known_ = false;
  nodes_.push_back({variable, first, count, weights_.size()});
  weights_.resize(weights_.size() + static_cast<size_t>(count), 0.0);
  forward_.push_back(0.0);
  backward_.push_back(0.0);
  return static_cast<int>(nodes_.size()) - 1;
}

double PathLattice::best_value(std::span<const double> scores) {
  forward_[0] = 0;
  for (size_t n = 1; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const double best = best_sum(forward_.data() + node.first, weights_.data() + node.weights, node.count);
    forward_[n] = best + entering(node, scores);
  }
  return forward_.back();
}

// The first of the best.
int PathLattice::best_predecessor(const Node& node) const {
  const double* values = forward_.data() + node.first;
  const double* weights = weights_.data() + node.weights;
  int best = 0;
  for (int i = 1; i < node.count; ++i)
    if (values[i] + weights[i] > values[best] + weights[best]) best = i;
  return node.first + best;
}

// Recomputing the choices along one path is cheaper than storing them at every node.
void PathLattice::trace_back(std::span<uint8_t> configuration) const {
  for (size_t n = nodes_.size() - 1; n != 0;) {
    const Node& node = nodes_[n];
    if (node.variable != no_variable) configuration[static_cast<size_t>(node.variable)] = 1;
    n = static_cast<size_t>(best_predecessor(node));
  }
}

double PathLattice::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  return maximize_above(impossible, scores, configuration);
}

double PathLattice::maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration) {
  const double best = best_value(scores);
  if (best <= level) return best;
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  trace_back(configuration);
  return best;
}

double PathLattice::log_sums(std::span<const double> scores) {
  forward_[0] = 0;
  for (size_t n = 1; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const double sum = log_sum(forward_.data() + node.first, weights_.data() + node.weights, node.count);
    forward_[n] = sum + entering(node, scores);
  }
  return forward_.back();
}

// Sums forward and back in the log domain. Each node adds what its paths to the sink weigh to its predecessors.
double PathLattice::log_marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), impossible);
  const double total = log_sums(scores);
  std::fill(backward_.begin(), backward_.end(), impossible);
  backward_.back() = 0;
  for (size_t n = nodes_.size() - 1; n != 0 && total > impossible; --n) {
    const Node& node = nodes_[n];
    if (node.variable != no_variable) {
      double& mass = out[static_cast<size_t>(node.variable)];
      mass = log_add(mass, forward_[n] + backward_[n]);
    }
    const double onwards = backward_[n] + entering(node, scores);
    if (onwards == impossible) continue;
    for (int i = 0; i < node.count; ++i) {
      double& mass = backward_[static_cast<size_t>(node.first + i)];
      mass = log_add(mass, onwards + weights_[node.weights + static_cast<size_t>(i)]);
    }
  }
  return total;
}

// Sums forward in the log domain; then the derivative of log Z flows back from the sink: each node passes its probability
// on to its predecessors in proportion to what they contributed.
double PathLattice::marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (log_sums(scores) == impossible) return impossible;
  std::fill(backward_.begin(), backward_.end(), 0.0);
  backward_.back() = 1;
  for (size_t n = nodes_.size() - 1; n != 0; --n) {
    const Node& node = nodes_[n];
    const double probability = backward_[n];
    if (probability == 0) continue;
    if (node.variable != no_variable) out[static_cast<size_t>(node.variable)] += probability;
    const double total = forward_[n] - entering(node, scores);
    for (int i = 0; i < node.count; ++i) {
      const size_t from = static_cast<size_t>(node.first + i);
      backward_[from] += probability * std::exp(forward_[from] + weights_[node.weights + static_cast<size_t>(i)] - total);
    }
  }
  for (double& probability : out) probability = std::min(probability, 1.0);
  return forward_.back();
}

// The flow of marginals(), with steps counted instead of nodes.
void PathLattice::flows(std::span<const double> scores) {
  flows_.assign(weights_.size(), 0.0);
  best_marginals_.resize(scores.size());
  if (marginals(scores, best_marginals_) == impossible) return;
  for (size_t n = nodes_.size() - 1; n != 0; --n) {
    const Node& node = nodes_[n];
    const double probability = backward_[n];  // as marginals() left it
    if (probability == 0) continue;
    const double total = forward_[n] - entering(node, scores);
    for (int i = 0; i < node.count; ++i) {
      const size_t step = node.weights + static_cast<size_t>(i);
      flows_[step] = probability * std::exp(forward_[static_cast<size_t>(node.first + i)] + weights_[step] - total);
    }
  }
}

// The weight of each step times the probability of taking it.
double PathLattice::expected_own(std::span<const double> scores) {
  flows(scores);
  double expected = 0;
  for (size_t step = 0; step < weights_.size(); ++step)
    if (flows_[step] > 0) expected += weights_[step] * flows_[step];
  return expected;
}

// With v_i = 1: the best path through a node that carries i. With v_i = 0: the best path itself when i is off on it; a
// search with i blocked otherwise.
double PathLattice::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  best_.resize(scores.size());
  const double best = maximize(scores, best_);
  std::fill(zero.begin(), zero.end(), best);
  std::fill(one.begin(), one.end(), impossible);
  std::fill(backward_.begin(), backward_.end(), impossible);
  backward_.back() = 0;
  for (size_t n = nodes_.size() - 1; n != 0; --n) {
    const Node& node = nodes_[n];
    if (node.variable != no_variable) {
      double& through = one[static_cast<size_t>(node.variable)];
      through = std::max(through, forward_[n] + backward_[n]);
    }
    const double onwards = backward_[n] + entering(node, scores);
    for (int i = 0; i < node.count; ++i) {
      double& value = backward_[static_cast<size_t>(node.first + i)];
      value = std::max(value, onwards + weights_[node.weights + static_cast<size_t>(i)]);
    }
  }
  blocked_scores_.assign(scores.begin(), scores.end());
  for (size_t i = 0; i < best_.size(); ++i) {
    if (!best_[i]) continue;
    blocked_scores_[i] = impossible;
    zero[i] = best_value(blocked_scores_);
    blocked_scores_[i] = scores[i];
  }
  return best;
}

OwnRange PathLattice::range() const {
  if (range_known_) return range_;
  std::vector<OwnRange> reached(nodes_.size(), {-impossible, impossible});  // by no path yet
  reached[0] = {0, 0};
  for (size_t n = 1; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    for (int i = 0; i < node.count; ++i) {
      const double weight = weights_[node.weights + static_cast<size_t>(i)];
      const OwnRange& before = reached[static_cast<size_t>(node.first + i)];
      if (weight == impossible || before.lowest > before.highest) continue;
      reached[n].lowest = std::min(reached[n].lowest, before.lowest + weight);
      reached[n].highest = std::max(reached[n].highest, before.highest + weight);
    }
  }
  range_ = reached.back().lowest <= reached.back().highest ? reached.back() : OwnRange{0, 0};
  range_known_ = true;
  return range_;
}

void PathLattice::rows(RowSink& sink, size_t variables) const {
  // One column of flow per step that is not forbidden.
  std::vector<std::vector<int>> entering(nodes_.size()), leaving(nodes_.size()), carrying(variables);
  for (size_t n = 1; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    for (int i = 0; i < node.count; ++i) {
      const double weight = weights_[node.weights + static_cast<size_t>(i)];
      if (weight == impossible) continue;
      const int flow = sink.column(weight, false);
      entering[n].push_back(flow);
      leaving[static_cast<size_t>(node.first + i)].push_back(flow);
      if (node.variable != no_variable) carrying[static_cast<size_t>(node.variable)].push_back(flow);
    }
  }
  RowBuilder row(sink);
  row.add(leaving[0], 1).equals(1);
  for (size_t n = 1; n + 1 < nodes_.size(); ++n) {
    if (!entering[n].empty() || !leaving[n].empty()) row.add(entering[n], 1).add(leaving[n], -1).equals(0);
  }
  for (size_t i = 0; i < variables; ++i) row.add(carrying[i], 1).add(static_cast<int>(i), -1).equals(0);
}

}  // namespace accord::graph
