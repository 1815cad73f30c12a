// What belief propagation makes of its messages once they have settled: the Bethe estimate, a dual bound, an assignment.
#include <cmath>
#include <numeric>

#include "core/graph/belief_propagation.hpp"

namespace accord::graph {

namespace {

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// Union-find with path halving.
size_t root_of(std::vector<size_t>& parents, size_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

}  // namespace

// No cycles among factors and free variables: what is fixed carries no message.
bool BeliefPropagation::forest() const {
  std::vector<size_t> parents(graph_.variables() + graph_.factors());
  std::iota(parents.begin(), parents.end(), size_t{0});
  for (size_t e = 0; e < factor_of_.size(); ++e) {
    const size_t r = static_cast<size_t>(graph_.edge_variables()[e]);
    if (fixed_[r] >= 0) continue;
    const size_t a = root_of(parents, r), b = root_of(parents, graph_.variables() + factor_of_[e]);
    if (a == b) return false;
    parents[a] = b;
  }
  return true;
}

double BeliefPropagation::bethe() {
  double total = 0;
  for (size_t r = 0; r < fixed_.size(); ++r)
    total += fixed_[r] >= 0 ? fixed_[r] * unaries_[r] : (1 - graph_.degrees()[r]) * softplus(beliefs_[r]);
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (gather(s) && !evaluate(s)) return impossible;
    total += log_sums_[s];
  }
  return total;
}

// Any shares of the scores that sum to them bound the optimum by the sum of the factors' maxima; the shares belief / degree -
// message make the factors agree as far as the messages do.
double BeliefPropagation::dual_bound() {
  double total = 0;
  for (size_t r = 0; r < fixed_.size(); ++r) {
    if (fixed_[r] >= 0) total += fixed_[r] * unaries_[r];
    else if (graph_.degrees()[r] == 0) total += std::max(0.0, unaries_[r]);
  }
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const std::span<const int32_t> touched = graph_.variables_of(s);
    local_scores_.resize(touched.size());
    local_fixed_.resize(touched.size());
    local_answer_.resize(touched.size());
    for (size_t i = 0; i < touched.size(); ++i) {
      const size_t r = static_cast<size_t>(touched[i]);
      local_fixed_[i] = fixed_[r];
      local_scores_[i] = fixed_[r] >= 0 ? 0.0 : beliefs_[r] / graph_.degrees()[r] - messages_[graph_.first_edge(s) + i];
    }
    total += conditioned_.maximize(graph_.factor(s), local_scores_, local_fixed_, local_answer_);
  }
  return total;
}

// The best configuration of a factor given what is decided and what the rest of the graph says of the undecided.
bool BeliefPropagation::decide(size_t s, std::span<int8_t> decided) {
  const std::span<const int32_t> touched = graph_.variables_of(s);
  local_scores_.resize(touched.size());
  local_fixed_.resize(touched.size());
  local_answer_.resize(touched.size());
  for (size_t i = 0; i < touched.size(); ++i) {
    const size_t r = static_cast<size_t>(touched[i]);
    local_fixed_[i] = decided[r];
    local_scores_[i] = decided[r] >= 0 ? 0.0 : beliefs_[r] - messages_[graph_.first_edge(s) + i];
  }
  if (conditioned_.maximize(graph_.factor(s), local_scores_, local_fixed_, local_answer_) == impossible) return false;
  for (size_t i = 0; i < touched.size(); ++i) decided[static_cast<size_t>(touched[i])] = static_cast<int8_t>(local_answer_[i]);
  return true;
}

// Factors decide one after another, each next to one that has decided: on a forest this finds an optimum even when posteriors
// of 1/2 hide ties, where thresholding would mix several optima.
bool BeliefPropagation::decode(std::vector<uint8_t>& assignment) {
  std::vector<int8_t> decided = fixed_;
  std::vector<uint8_t> queued(graph_.factors(), 0);
  std::vector<size_t> queue;
  for (size_t start = 0; start < graph_.factors(); ++start) {
    if (queued[start]) continue;
    queued[start] = 1;
    queue.assign(1, start);
    for (size_t head = 0; head < queue.size(); ++head) {
      if (!decide(queue[head], decided)) return false;
      for (int32_t variable : graph_.variables_of(queue[head])) {
        const size_t r = static_cast<size_t>(variable);
        if (fixed_[r] >= 0) continue;
        for (size_t k = edge_starts_[r]; k < edge_starts_[r + 1]; ++k) {
          const size_t neighbour = factor_of_[edges_of_[k]];
          if (!queued[neighbour]) queue.push_back(neighbour);
          queued[neighbour] = 1;
        }
      }
    }
  }
  for (size_t r = 0; r < decided.size(); ++r) assignment[r] = decided[r] >= 0 ? decided[r] == 1 : unaries_[r] > 0;
  return true;
}

}  // namespace accord::graph
