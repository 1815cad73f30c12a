// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/branch_and_bound.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <queue>
#include <utility>

#include "core/graph/conditioned.hpp"
#include "core/graph/scale.hpp"
#include "core/graph/solvers/propagation.hpp"

namespace accord::graph {

namespace {

constexpr size_t most_values = 16;             // of a group that is branched on as a whole
constexpr double root_share_of_restart = 0.1;  // share of free variables that are newly fixed at the root
constexpr int most_restarts_of_nodes = 3;
constexpr double plausible_rounding = 1e-11;  // of a bound, in units of the spread

struct Node {
  double bound;
  int number;  // order of creation: ties are broken the same way every time
  std::vector<std::pair<int32_t, int8_t>> fixed;
  size_t known = 0;  // how many of these have been passed on to factors

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
        most_rounding_(plausible_rounding * scale_of(graph).spread),
        reduced_(graph),
        local_(graph),
        propagation_(graph) {}

  Solution run() {
    best_.status = Status::optimal;
    if (!settings_.start.empty()) propose(reduced_.completed(settings_.start));
    open_.push({std::numeric_limits<double>::infinity(), 0, {}});
    while (!open_.empty() && (next_ || !closes(open_.top().bound))) {  // best first: nothing better is left
      if (best_.iterations >= settings_.nodes || elapsed() > settings_.seconds || asked_to(settings_.stop)) {
        best_.status = Status::budget;
        break;
      }
      Node node = next_ ? std::move(*next_) : open_.top();
      if (!next_) open_.pop();
      next_.reset();
      if (closes(node.bound)) closed_ = std::max(closed_, node.bound);
      else visit(node);
      if (next_ && open_.empty()) open_.push(*std::exchange(next_, std::nullopt));
      const double left = std::max(open_.empty() ? impossible : open_.top().bound, next_ ? next_->bound : impossible);
      tell(settings_.progress, best_.iterations, best_.value + constant_, bound_with(constant_, std::max({best_.value, closed_, left})));
    }
    if (!open_.empty()) closed_ = std::max(closed_, open_.top().bound);
    if (next_) closed_ = std::max(closed_, next_->bound);
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
    accept(value, assignment);
  }

  void accept(double value, const std::vector<uint8_t>& assignment) {
    best_.value = value;
    best_.assignment = assignment;
    if (settings_.better) settings_.better(assignment, value + constant_);
  }

  // Whether a node may have assignments, as far as single factors can tell.
  bool possible(Node& node) {
    if (!settings_.thorough) return local_.possible(node.fixed.empty() ? -1 : node.fixed.back().first);
    std::vector<int32_t> last;
    for (size_t k = node.known; k < node.fixed.size(); ++k) last.push_back(node.fixed[k].first);
    return infer(node, last);
  }

  // Fixes what follows from these variables; false: a contradiction.
  bool infer(Node& node, std::span<const int32_t> last) {
    std::vector<int8_t> values = reduced_.now();
    if (!propagation_.infer(values, last)) return false;
    for (size_t r = 0; r < values.size(); ++r)
      if (values[r] != reduced_.now()[r]) node.fixed.emplace_back(static_cast<int32_t>(r), values[r]);
    node.known = node.fixed.size();
    reduced_.fix(node);
    return true;
  }

  // Fixes variables that have only one value in better assignments; false where some variable has none.
  bool fix_forced(Node& node) {
    if (!settings_.forced || best_.value == impossible) return true;
    off_.resize(graph_.variables());
    on_.resize(graph_.variables());
    settings_.forced(off_, on_);
    std::vector<int32_t> last;
    for (size_t r = 0; r < off_.size(); ++r) {
      if (reduced_.now()[r] >= 0) continue;
      const bool not_off = closes(off_[r]), not_on = closes(on_[r]);
      if (not_off) closed_ = std::max(closed_, off_[r]);
      if (not_on) closed_ = std::max(closed_, on_[r]);
      if (not_off && not_on) return false;
      if (not_off == not_on) continue;
      node.fixed.emplace_back(static_cast<int32_t>(r), static_cast<int8_t>(not_off));
      last.push_back(static_cast<int32_t>(r));
    }
    if (last.empty()) return true;
    reduced_.fix(node);
    if (!infer(node, last)) return false;
    return true;
  }

  // Whether the root is worth a second look: much of it was fixed.
  bool begins_again(Node& node, size_t fixed_before) {
    if (node.number != 0 || restarts_ >= most_restarts_of_nodes) return false;
    const double free = static_cast<double>(std::count(reduced_.now().begin(), reduced_.now().end(), int8_t{-1}));
    const auto fixed = static_cast<double>(node.fixed.size() - fixed_before);
    if (fixed <= root_share_of_restart * (free + fixed)) return false;
    ++restarts_;
    open_.push(node);
    return true;
  }

  void visit(Node& node) {
    reduced_.fix(node);
    ++best_.iterations;
    if (!possible(node)) return;
    if (std::find(reduced_.now().begin(), reduced_.now().end(), int8_t{-1}) == reduced_.now().end()) {  // the value is exact
      propose({reduced_.now().begin(), reduced_.now().end()});
      return;
    }
    const Solution relaxed = settings_.bound(settings_.seconds - elapsed(), best_.value);
    rounding_ = std::max(rounding_, std::min(relaxed.rounding, most_rounding_));
    if (relaxed.value > best_.value) accept(relaxed.value, relaxed.assignment);
    if (settings_.trace)
      best_.trace.push_back(
          {best_.iterations, elapsed(), best_.value + constant_, bound_with(constant_, std::min(node.bound, relaxed.bound)), 0, 0});
    if (relaxed.status == Status::infeasible) return;
    node.bound = std::min(node.bound, relaxed.bound);
    if (relaxed.status == Status::optimal || closes(node.bound)) {
      closed_ = std::max(closed_, node.bound);
      return;
    }
    const size_t fixed_before = node.fixed.size();
    if (settings_.thorough && !fix_forced(node)) return;
    if (settings_.thorough && begins_again(node, fixed_before)) return;
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
    if (settings_.thorough) return branch_thoroughly(node, posteriors, static_cast<size_t>(variable));
    for (const int8_t value : {int8_t{1}, int8_t{0}}) {
      Node child{node.bound, created_++, node.fixed};
      child.fixed.emplace_back(variable, value);
      open_.push(std::move(child));
    }
  }

  // One child a value of the variable's group, or one for each value of a variable alone; the likeliest child comes next.
  void branch_thoroughly(const Node& node, std::span<const double> posteriors, size_t variable) {
    std::vector<int32_t> values;
    const int32_t group = graph_.group_of(variable);
    for (size_t k = 0; group >= 0 && k < graph_.group(static_cast<size_t>(group)).count; ++k) {
      const size_t r = graph_.group(static_cast<size_t>(group)).first + k;
      if (reduced_.now()[r] < 0) values.push_back(static_cast<int32_t>(r));
    }
    std::vector<std::pair<double, Node>> children;
    const auto add = [&](double likely) -> Node& {
      children.emplace_back(likely, Node{node.bound, created_++, node.fixed, node.known});
      return children.back().second;
    };
    if (values.size() > 2 && values.size() <= most_values) {
      for (const int32_t chosen : values) {
        Node& child = add(posteriors[static_cast<size_t>(chosen)]);
        for (const int32_t r : values) child.fixed.emplace_back(r, static_cast<int8_t>(r == chosen));
      }
    } else {
      for (const int8_t value : {int8_t{1}, int8_t{0}})
        add(value ? posteriors[variable] : 1 - posteriors[variable]).fixed.emplace_back(static_cast<int32_t>(variable), value);
    }
    size_t best = 0;
    for (size_t k = 1; k < children.size(); ++k)
      if (children[k].first > children[best].first) best = k;
    for (size_t k = 0; k < children.size(); ++k) {
      if (k == best) next_ = std::move(children[k].second);
      else open_.push(std::move(children[k].second));
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
  double most_rounding_;  // where nothing is at stake in a node, its solver has no scale, and its rounding means nothing
  ReducedGraph reduced_;
  LocalCheck local_;
  Solution best_;               // its value and bound are those of the reduced graph until the end
  double closed_ = impossible;  // the largest bound of a node that was closed
  double rounding_ = 0;
  Propagation propagation_;
  std::priority_queue<Node> open_;
  std::optional<Node> next_;  // a child of the last node, which is not among the open ones
  int created_ = 1, restarts_ = 0;
  std::vector<double> off_, on_;
};

}  // namespace

Solution branch_and_bound(FactorGraph& graph, const BranchSettings& settings) { return Search(graph, settings).run(); }

}  // namespace accord::graph
