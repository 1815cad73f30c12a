// SPDX-License-Identifier: Apache-2.0
// What belief propagation makes of its messages once they have settled: the Bethe estimate, a dual bound, an assignment.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/graph/log_domain.hpp"
#include "core/graph/solvers/beliefs/belief_propagation.hpp"

namespace accord::graph {

namespace {

// Union-find with path halving.
size_t root_of(std::vector<size_t>& parents, size_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

}  // namespace

// No cycles among factors, groups and free variables in no group: what is fixed carries no message. Messages over values of a group
// are one edge; its first variable stands for the group.
bool BeliefPropagation::forest() const {
  std::vector<size_t> parents(graph_.variables() + graph_.factors());
  std::iota(parents.begin(), parents.end(), size_t{0});
  for (size_t s = 0; s < graph_.factors(); ++s) {
    int32_t heard = FactorGraph::no_group;  // the group whose messages over values were met last
    for (size_t i = 0; i < graph_.variables_of(s).size(); ++i) {
      const size_t r = static_cast<size_t>(graph_.variables_of(s)[i]);
      if (fixed_[r] >= 0) continue;
      const int32_t group = graph_.group_of(r);
      if (by_value(graph_.first_edge(s) + i) && std::exchange(heard, group) == group) continue;
      const size_t node = group == FactorGraph::no_group ? r : graph_.group(static_cast<size_t>(group)).first;
      const size_t a = root_of(parents, node), b = root_of(parents, graph_.variables() + s);
      if (a == b) return false;
      parents[a] = b;
    }
  }
  return true;
}

double BeliefPropagation::bethe() {
  double total = bethe_of_groups();
  for (size_t r = 0; r < fixed_.size(); ++r) {
    if (fixed_[r] >= 0) total += fixed_[r] * unaries_[r];
    else if (!in_group(r)) total += (1 - graph_.degrees()[r]) * softplus(beliefs_[r]);
  }
  for (size_t s = 0; s < graph_.factors(); ++s) {
    if (gather(s) && !evaluate(s)) return impossible;
    total += log_sums_[s];
  }
  return total;
}

// Log-partition less the expected score.
double BeliefPropagation::bethe_entropy(double log_partition) {
  double expected = 0;
  for (size_t r = 0; r < fixed_.size(); ++r)
    expected += unaries_[r] * (fixed_[r] >= 0 || in_group(r) ? posterior(r) : 1 / (1 + std::exp(-beliefs_[r])));
  constexpr double certain = 1e3;  // factors answer in probabilities: this leaves no doubt
  for (size_t s = 0; s < graph_.factors(); ++s) {
    local_cavities(s, certain);
    expected += graph_.factor(s).expected_own(local_scores_);
  }
  return log_partition - expected;
}

// Any shares of the scores that sum to them bound the optimum by the sum of the factors' maxima; what they miss the scores by is
// added.
double BeliefPropagation::dual_bound(bool beliefs, double& rounding) {
  CarefulSum total;
  rounding = 0;
  std::vector<double> leftovers = unaries_;
  for (size_t s = 0; s < graph_.factors(); ++s) {
    const std::span<const int32_t> touched = graph_.variables_of(s);
    local_scores_.resize(touched.size());
    local_fixed_.resize(touched.size());
    local_answer_.resize(touched.size());
    double magnitude = 0;
    for (size_t i = 0; i < touched.size(); ++i) {
      const size_t r = static_cast<size_t>(touched[i]);
      const double degree = graph_.degrees()[r];
      local_fixed_[i] = fixed_[r];
      local_scores_[i] = beliefs ? beliefs_[r] / degree - messages_[graph_.first_edge(s) + i] : unaries_[r] / degree;
      leftovers[r] -= local_scores_[i];
      magnitude += fixed_[r] < 0 ? std::fabs(local_scores_[i]) : 0.0;
    }
    const double maximum = conditioned_.maximize(graph_.factor(s), local_scores_, local_fixed_, local_answer_);
    if (maximum == impossible) return impossible;
    total.add(maximum);
    rounding += rounding_of_maximum(touched.size(), magnitude + std::fabs(maximum));
  }
  for (size_t r = 0; r < fixed_.size(); ++r) {
    if (decided_alone(graph_, r)) continue;
    if (fixed_[r] >= 0) total.add(fixed_[r] * unaries_[r]);
    else if (leftovers[r] > 0) total.add(leftovers[r]);
  }
  return total.value() + rounding;
}

void BeliefPropagation::find_bound(Solution& result) {
  for (const bool beliefs : {true, false}) {
    double rounding = 0;
    const double bound = dual_bound(beliefs, rounding);
    if (bound >= result.bound) continue;
    result.bound = bound;
    result.rounding = rounding;
  }
}

bool BeliefPropagation::decode(std::span<uint8_t> assignment) {
  std::vector<double> cavities(graph_.edges());
  for (size_t e = 0; e < cavities.size(); ++e) {
    const size_t r = static_cast<size_t>(graph_.edge_variables()[e]);
    cavities[e] = fixed_[r] >= 0 ? 0.0 : beliefs_[r] - messages_[e];
    if (fixed_[r] < 0 && in_group(r))
      cavities[e] -= by_value(e) ? group_sum(graph_.group(static_cast<size_t>(graph_.group_of(r)))) : others_of_group(r);
  }
  return rounding_.decode(cavities, fixed_, assignment);
}

}  // namespace accord::graph
