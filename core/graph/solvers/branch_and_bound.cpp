// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/branch_and_bound.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <queue>

#include "core/graph/conditioned.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

struct Node {
  double bound;
  int number;  // order of creation: ties are broken the same way every time
  std::vector<std::pair<int32_t, int8_t>> fixed;

  bool operator<(const Node& other) const { return bound != other.bound ? bound < other.bound : number > other.number; }
};

// The graph without what is decided alone: such variables are fixed, and their scores, which would cost the others their last
// digits, are zero. Nodes fix further variables. Everything is restored at the end, whatever happens.
class ReducedGraph {
 public:
  explicit ReducedGraph(FactorGraph& graph)
      : graph_(graph),
        evidence_(graph.evidence().begin(), graph.evidence().end()),
        scores_(graph.scores().begin(), graph.scores().end()),
        root_(evidence_) {
    std::vector<double> reduced = scores_;
    for (size_t r = 0; r < reduced.size(); ++r) {
      if (!decided_alone(graph, r)) continue;
      root_[r] = static_cast<int8_t>(value_alone(graph, r));
      reduced[r] = 0;
    }
    graph_.set_scores(reduced);
    graph_.set_evidence(root_);
  }
  ~ReducedGraph() { restore(); }
  ReducedGraph(const ReducedGraph&) = delete;
  ReducedGraph& operator=(const ReducedGraph&) = delete;

  void restore() {
    graph_.set_evidence(evidence_);
    graph_.set_scores(scores_);
  }
  void fix(const Node& node) {
    now_ = root_;
    for (const auto& [variable, value] : node.fixed) now_[static_cast<size_t>(variable)] = value;
    graph_.set_evidence(now_);
  }
  const std::vector<int8_t>& now() const { return now_; }
  // An assignment of the whole graph, with what is decided alone.
  std::vector<uint8_t> completed(std::span<const uint8_t> assignment) const {
    std::vector<uint8_t> whole(assignment.begin(), assignment.end());
    for (size_t r = 0; r < whole.size(); ++r)
      if (graph_.degrees()[r] == 0) whole[r] = static_cast<uint8_t>(root_[r]);
    return whole;
  }

 private:
  FactorGraph& graph_;
  std::vector<int8_t> evidence_;
  std::vector<double> scores_;
  std::vector<int8_t> root_, now_;
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

// The best assignment so far, and what is known of all others.
class Search {
 public:
  Search(FactorGraph& graph, const BranchSettings& settings)
      : graph_(graph),
        settings_(settings),
        constant_(constant_of(graph)),
        tolerance_(settings.gap > 0 ? settings.gap * scale_of(graph).spread : 0.0),
        reduced_(graph),
        local_(graph) {}

  Solution run() {
    best_.status = Status::optimal;
    if (!settings_.start.empty()) propose(reduced_.completed(settings_.start));
    open_.push({std::numeric_limits<double>::infinity(), 0, {}});
    while (!open_.empty() && !closes(open_.top().bound)) {  // best first: nothing better is left
      if (best_.iterations >= settings_.nodes || elapsed() > settings_.seconds || asked_to(settings_.stop)) {
        best_.status = Status::budget;
        break;
      }
      Node node = open_.top();
      open_.pop();
      visit(node);
      const double left = open_.empty() ? impossible : open_.top().bound;
      tell(settings_.progress, best_.iterations, best_.value + constant_, bound_with(constant_, std::max({best_.value, closed_, left})));
    }
    if (!open_.empty()) closed_ = std::max(closed_, open_.top().bound);
    return finish();
  }

 private:
  double elapsed() const { return since(start_); }

  // Whether nothing below a node can be better, to the gap; what rounding alone may account for is not better.
  bool closes(double bound) const { return bound - 2 * rounding_ <= best_.value + tolerance_ && best_.value > impossible; }

  void propose(const std::vector<uint8_t>& assignment) {
    if (assignment.empty() && graph_.variables() > 0) return;
    const double value = graph_.value(assignment);
    if (value <= best_.value) return;
    best_.value = value;
    best_.assignment = assignment;
  }

  void visit(Node& node) {
    reduced_.fix(node);
    ++best_.iterations;
    if (!local_.possible(node.fixed.empty() ? -1 : node.fixed.back().first)) return;
    const Solution relaxed = settings_.bound(settings_.seconds - elapsed(), best_.value);
    rounding_ = std::max(rounding_, relaxed.rounding);
    if (relaxed.value > best_.value) {
      best_.value = relaxed.value;
      best_.assignment = relaxed.assignment;
    }
    if (settings_.trace)
      best_.trace.push_back(
          {best_.iterations, elapsed(), best_.value + constant_, bound_with(constant_, std::min(node.bound, relaxed.bound)), 0, 0});
    if (relaxed.status == Status::infeasible) return;
    node.bound = std::min(node.bound, relaxed.bound);
    if (relaxed.status == Status::optimal || closes(node.bound)) {
      closed_ = std::max(closed_, node.bound);
      return;
    }
    branch(node, relaxed.posteriors);
  }

  void branch(const Node& node, std::span<const double> posteriors) {
    const size_t decisive = std::min(settings_.decisive, posteriors.size());
    const int32_t variable = branching_variable(posteriors.first(decisive), reduced_.now());
    if (variable < 0 && decisive < graph_.variables()) return;  // the value that came with the bound is exact
    if (variable < 0) {                                         // everything is fixed: the value is exact
      propose({reduced_.now().begin(), reduced_.now().end()});
      return;
    }
    for (const int8_t value : {int8_t{1}, int8_t{0}}) {
      Node child{node.bound, created_++, node.fixed};
      child.fixed.emplace_back(variable, value);
      open_.push(std::move(child));
    }
  }

  Solution finish() {
    reduced_.restore();
    best_.bound = std::max(best_.value, closed_);
    best_.rounding = rounding_;
    if (best_.status == Status::optimal && best_.value == impossible) best_.status = Status::infeasible;
    best_.posteriors.assign(best_.assignment.begin(), best_.assignment.end());
    settle_bound(graph_, constant_, best_);
    best_.seconds = elapsed();
    return std::move(best_);
  }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  FactorGraph& graph_;
  const BranchSettings& settings_;
  double constant_, tolerance_;
  ReducedGraph reduced_;
  LocalCheck local_;
  Solution best_;               // its value and bound are those of the reduced graph until the end
  double closed_ = impossible;  // the largest bound of a node that was closed
  double rounding_ = 0;
  std::priority_queue<Node> open_;
  int created_ = 1;
};

}  // namespace

Solution branch_and_bound(FactorGraph& graph, const BranchSettings& settings) { return Search(graph, settings).run(); }

}  // namespace accord::graph
