// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/branch_and_bound.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <queue>

#include "core/graph/conditioned.hpp"

namespace accord::graph {

namespace {

struct Node {
  double bound;
  int number;  // order of creation: ties are broken the same way every time
  std::vector<std::pair<int32_t, int8_t>> fixed;

  bool operator<(const Node& other) const { return bound != other.bound ? bound < other.bound : number > other.number; }
};

// Restores the graph's evidence whatever happens.
class EvidenceGuard {
 public:
  explicit EvidenceGuard(FactorGraph& graph) : graph_(graph), saved_(graph.evidence().begin(), graph.evidence().end()) {}
  ~EvidenceGuard() { graph_.set_evidence(saved_); }
  EvidenceGuard(const EvidenceGuard&) = delete;
  EvidenceGuard& operator=(const EvidenceGuard&) = delete;

  void fix(const Node& node) {
    now_ = saved_;
    for (const auto& [variable, value] : node.fixed) now_[static_cast<size_t>(variable)] = value;
    graph_.set_evidence(now_);
  }
  const std::vector<int8_t>& now() const { return now_; }

 private:
  FactorGraph& graph_;
  std::vector<int8_t> saved_, now_;
};

// Whether every factor, taken alone, allows what is fixed. Relaxations are slow to see what one factor knows at once.
class LocalCheck {
 public:
  explicit LocalCheck(const FactorGraph& graph) : graph_(graph) {}

  // `last`: only the factors of this variable are asked, the others were before; -1: all.
  bool possible(int32_t last) {
    for (size_t s = 0; s < graph_.factors(); ++s) {
      const std::span<const int32_t> variables = graph_.variables_of(s);
      if (last >= 0 && std::find(variables.begin(), variables.end(), last) == variables.end()) continue;
      fixed_.clear();
      for (const int32_t r : variables) fixed_.push_back(graph_.evidence()[static_cast<size_t>(r)]);
      if (!conditioned_.possible(graph_.factor(s), fixed_)) return false;
    }
    return true;
  }

 private:
  const FactorGraph& graph_;
  Conditioned conditioned_;
  std::vector<int8_t> fixed_;
};

// The free variable nearest to one half, or -1 when all are fixed.
int32_t branching_variable(std::span<const double> posteriors, std::span<const int8_t> evidence) {
  int32_t chosen = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t r = 0; r < posteriors.size(); ++r) {
    const double distance = std::fabs(posteriors[r] - 0.5);
    if (evidence[r] < 0 && distance < nearest) nearest = distance, chosen = static_cast<int32_t>(r);
  }
  return chosen;
}

}  // namespace

Solution branch_and_bound(FactorGraph& graph, const BranchSettings& settings) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  EvidenceGuard evidence(graph);
  LocalCheck local(graph);
  Solution best;
  best.status = Status::optimal;
  std::priority_queue<Node> open;
  open.push({std::numeric_limits<double>::infinity(), 0, {}});
  int created = 1;
  const auto closes = [&](double bound) {
    return bound < std::numeric_limits<double>::infinity() && bound <= best.value + settings.gap * (1 + std::fabs(bound));
  };
  if (!settings.start.empty()) {
    best.value = graph.value(settings.start);
    best.assignment.assign(settings.start.begin(), settings.start.end());
  }
  std::vector<uint8_t> complete(graph.variables());
  while (!open.empty()) {
    if (closes(open.top().bound)) break;  // best first: nothing better is left
    if (best.iterations >= settings.nodes || elapsed() > settings.seconds || asked_to(settings.stop)) {
      best.status = Status::budget;
      break;
    }
    Node node = open.top();
    open.pop();
    evidence.fix(node);
    ++best.iterations;
    if (!local.possible(node.fixed.empty() ? -1 : node.fixed.back().first)) continue;
    const Solution relaxed = settings.bound(settings.seconds - elapsed(), best.value);
    if (relaxed.value > best.value) {
      best.value = relaxed.value;
      best.assignment = relaxed.assignment;
    }
    if (settings.trace) best.trace.push_back({best.iterations, elapsed(), best.value, std::min(node.bound, relaxed.bound), 0, 0});
    if (relaxed.status == Status::infeasible || relaxed.status == Status::optimal) continue;
    node.bound = std::min(node.bound, relaxed.bound);
    if (closes(node.bound)) continue;
    const size_t decisive = std::min(settings.decisive, relaxed.posteriors.size());
    const int32_t variable = branching_variable(std::span(relaxed.posteriors).first(decisive), evidence.now());
    if (variable < 0 && decisive < graph.variables()) continue;  // the value that came with the bound is exact
    if (variable < 0) {                                          // everything is fixed: the value is exact
      for (size_t r = 0; r < complete.size(); ++r) complete[r] = static_cast<uint8_t>(evidence.now()[r]);
      if (const double value = graph.value(complete); value > best.value) best.value = value, best.assignment = complete;
      continue;
    }
    for (const int8_t value : {int8_t{1}, int8_t{0}}) {
      Node child{node.bound, created++, node.fixed};
      child.fixed.emplace_back(variable, value);
      open.push(std::move(child));
    }
  }
  best.bound = best.status == Status::budget && !open.empty() ? std::max(best.value, open.top().bound) : best.value;
  if (best.status == Status::optimal && best.value == impossible) best.status = Status::infeasible;
  best.posteriors.assign(best.assignment.begin(), best.assignment.end());
  best.seconds = elapsed();
  return best;
}

}  // namespace accord::graph
