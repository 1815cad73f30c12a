// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/part_beliefs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include "core/graph/log_domain.hpp"

namespace accord::parses {

namespace {

constexpr double unseen = 1e9;  // an input that no factor has had
constexpr double wide = 300;    // as good as certain; leaves exponentials inside their range
// Log-odds handed to a factor that takes an arc as on or off. A message does not depend on its own input, and behind a larger
// one it would be lost in the rounding of a probability near 1; the others see odds that are wrong by less than 1e-6.
constexpr double narrow = 15;

double log_of(double probability) { return std::log(std::max(probability, std::numeric_limits<double>::min())); }

double log_sum(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - top);
  return top + std::log(sum);
}

}  // namespace

void PartBeliefs::start() {
  messages_.assign(graph_->edges(), 0.0);
  incoming_.assign(graph_->edges(), unseen);
  pending_.assign(graph_->factors(), 0.0);
  beliefs_.assign(graph_->variables(), 0.0);
  sweeps_ = 0;
  settled_ = false;
}

// From scratch before every sweep, so that rounding does not pile up.
void PartBeliefs::sum_weights() {
  weights_.assign(graph_->scores().begin(), graph_->scores().end());
  for (size_t e = 0; e < messages_.size(); ++e) weights_[static_cast<size_t>(graph_->edge_variables()[e])] += messages_[e];
}

double PartBeliefs::others(int arc) const {
  const int word = layout_->dependent(arc), first = layout_->first_entering(word), last = first + layout_->entering(word);
  double top = graph::impossible, sum = 0;
  for (int a = first; a < last; ++a)
    if (a != arc) top = std::max(top, weights_[static_cast<size_t>(a)]);
  if (top == graph::impossible) return graph::impossible;
  for (int a = first; a < last; ++a)
    if (a != arc) sum += std::exp(weights_[static_cast<size_t>(a)] - top);
  return top + std::log(sum);
}

double PartBeliefs::gather(size_t s, double limit) {
  const std::span<const int32_t> arcs = graph_->variables_of(s);
  const size_t first = graph_->first_edge(s);
  double moved = 0;
  constant_ = 0;
  for (size_t i = 0; i < arcs.size(); ++i) {
    const size_t edge = first + i;
    double input = weights_[static_cast<size_t>(arcs[i])] - messages_[edge];
    if (i >= roles_->complete[s]) {
      const double on = input, off = others(arcs[i]), most = off == graph::impossible ? wide : limit;
      input = std::clamp(on - off, -most, most);
      constant_ += on - off > most ? on - most : off;
    }
    moved = std::max(moved, std::fabs(input - incoming_[edge]));
    incoming_[edge] = input;
  }
  return moved;
}

double PartBeliefs::send(size_t edge, double message) {
  const double whole = message - messages_[edge], move = share_ * whole;
  messages_[edge] += move;
  weights_[static_cast<size_t>(graph_->edge_variables()[edge])] += move;
  return std::fabs(whole - move);
}

void PartBeliefs::update(size_t s) {
  const std::span<const int32_t> arcs = graph_->variables_of(s);
  const size_t first = graph_->first_edge(s), complete = roles_->complete[s];
  if (std::max(gather(s, narrow), pending_[s]) <= settings_.tolerance / 10) return;
  const std::span<const double> inputs = std::span<const double>(incoming_).subspan(first, arcs.size());
  marginals_.resize(arcs.size());
  graph_->factor(s).marginals(inputs, marginals_);
  double kept = 0;
  for (size_t i = 0; i < complete;) {  // word after word, each message less the largest of its word
    const auto heads = static_cast<size_t>(layout_->entering(layout_->dependent(arcs[i])));
    double top = graph::impossible;
    for (size_t k = i; k < i + heads; ++k) top = std::max(top, marginals_[k] = log_of(marginals_[k]) - inputs[k]);
    for (size_t k = i; k < i + heads; ++k) kept = std::max(kept, send(first + k, marginals_[k] - top));
    i += heads;
  }
  for (size_t i = complete; i < arcs.size(); ++i) kept = std::max(kept, send(first + i, graph::log_odds(marginals_[i]) - inputs[i]));
  pending_[s] = kept;
}

double PartBeliefs::arc_moves() {
  double largest = 0;
  for (int word = 1; word <= layout_->words(); ++word) {
    const auto first = static_cast<size_t>(layout_->first_entering(word)), count = static_cast<size_t>(layout_->entering(word));
    const double total = log_sum(std::span(weights_).subspan(first, count));
    for (size_t a = first; a < first + count; ++a) {
      const double belief = std::exp(weights_[a] - total);
      largest = std::max(largest, std::fabs(belief - beliefs_[a]));
      beliefs_[a] = belief;
    }
  }
  return largest;
}

// Bethe: the factors' sums, less the words' own sums once for every factor but one that touches them.
double PartBeliefs::finish(std::span<double> posteriors) {
  std::fill(posteriors.begin(), posteriors.end(), 0.0);
  std::vector<int> touched(static_cast<size_t>(layout_->words()) + 1, 0);
  double log_partition = 0;
  for (size_t s = 0; s < graph_->factors(); ++s) {
    const std::span<const int32_t> arcs = graph_->variables_of(s);
    gather(s, wide);
    const std::span<const double> inputs = std::span<const double>(incoming_).subspan(graph_->first_edge(s), arcs.size());
    marginals_.resize(arcs.size());
    log_partition += graph_->factor(s).marginals(inputs, marginals_) + constant_;
    if (s == 0) std::copy(marginals_.begin(), marginals_.end(), posteriors.begin());  // the tree
    for (size_t i = 0; i < arcs.size(); ++i) {
      const int word = layout_->dependent(arcs[i]);
      if (i >= roles_->complete[s] || arcs[i] == layout_->first_entering(word)) ++touched[static_cast<size_t>(word)];
    }
    parts_.resize(graph_->factor(s).parts());
    if (parts_.empty()) continue;
    graph_->factor(s).part_marginals(inputs, parts_);
    const std::span<const size_t> slots = std::span(roles_->slots).subspan(roles_->starts[s], parts_.size());
    for (size_t i = 0; i < parts_.size(); ++i)
      if (slots[i] != PartRoles::none) posteriors[slots[i]] += parts_[i];
  }
  for (int word = 1; word <= layout_->words(); ++word) {
    const auto first = static_cast<size_t>(layout_->first_entering(word)), count = static_cast<size_t>(layout_->entering(word));
    log_partition -= (touched[static_cast<size_t>(word)] - 1) * log_sum(std::span<const double>(weights_).subspan(first, count));
  }
  return log_partition;
}

double PartBeliefs::run(const PartLayout& layout, const graph::FactorGraph& graph, const PartRoles& roles,
                        const PartBeliefSettings& settings, std::span<double> posteriors) {
  layout_ = &layout;
  graph_ = &graph;
  roles_ = &roles;
  settings_ = settings;
  start();
  const auto begin = std::chrono::steady_clock::now();
  const auto in_time = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < settings.seconds; };
  while (sweeps_ < settings.sweeps && !settled_ && in_time()) {
    sum_weights();
    share_ = sweeps_++ < settings.patience ? 1 : 1 - settings.damping;
    for (size_t k = 0; k < graph.factors(); ++k) update(sweeps_ % 2 == 0 ? graph.factors() - 1 - k : k);
    settled_ = arc_moves() <= settings.tolerance;
  }
  sum_weights();
  return finish(posteriors);
}

}  // namespace accord::parses
