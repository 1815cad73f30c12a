// SPDX-License-Identifier: Apache-2.0
#include "core/parses/nonlocal/nonlocal_parser.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

namespace accord::parses {

namespace {

// The k best trees met. The order of trees that tie is that of their heads: it does not depend on when they were met.
class TreePool {
 public:
  explicit TreePool(size_t k) : k_(k) {}

  void offer(double score, std::span<const int32_t> heads) {
    if (ranked_.size() == k_ && score < -ranked_.rbegin()->first) return;
    ranked_.emplace(-score, std::vector<int32_t>(heads.begin(), heads.end()));
    if (ranked_.size() > k_) ranked_.erase(std::prev(ranked_.end()));
  }

  // Of k trees, once there are as many.
  double worst() const { return ranked_.size() < k_ ? trees::kForbidden : -ranked_.rbegin()->first; }
  std::vector<trees::ScoredTree> list() const {
    std::vector<trees::ScoredTree> trees;
    for (const auto& [negative, heads] : ranked_) trees.push_back({-negative, heads});
    return trees;
  }

 private:
  size_t k_;
  std::set<std::pair<double, std::vector<int32_t>>> ranked_;
};

struct Subproblem {
  Subspace subspace;
  std::shared_ptr<const BoundWeights> weights;  // shared with its sibling
  double bound;                                 // of the subspace it was cut from
  int64_t number;                               // in order of birth
};

// What bounding a subspace leaves open.
struct Open {
  Subspace subspace;
  std::shared_ptr<const BoundWeights> weights;
  double bound;
  double best_met;
  Arc candidate;
};

// Highest bound first, then the older one: the same order in every run.
bool comes_later(const Subproblem& a, const Subproblem& b) { return a.bound < b.bound || (a.bound == b.bound && a.number > b.number); }

class BranchAndBound final : public DescentWatcher {
 public:
  BranchAndBound(const NonlocalParser& parser, Backbone& backbone, int k, const NonlocalOptions& options)
      : parser_(parser),
        problem_(parser.problem()),
        backbone_(backbone),
        options_(options),
        k_(k),
        pool_(static_cast<size_t>(k)),
        bound_(problem_, backbone),
        start_(std::chrono::steady_clock::now()) {}

  NonlocalResult run() {
    Subspace everything(problem_);
    if (everything.possible()) {
      if (options_.lower_start && problem_.factors() > 0) maximise_lower_bound();
      const auto even = std::make_shared<const BoundWeights>(even_weights(problem_));
      Subproblem root{std::move(everything), even, -trees::kForbidden, births_++};
      if (options_.search == Search::best_first) {
        search_best_first(std::move(root));
      } else {
        search_level_by_level(std::move(root));
      }
    }
    return finish();
  }

  void met(std::span<const int32_t> heads) override {
    const double score = parser_.score(heads);
    best_met_ = std::max(best_met_, score);
    pool_.offer(score, heads);
  }
  double enough() const override {
    const double worst = pool_.worst();
    return worst == trees::kForbidden ? trees::kForbidden : worst + 1e-9 * (1 + std::fabs(worst));
  }
  bool may_call() override {
    if (result_.calls >= options_.max_calls || seconds() >= options_.time_limit) return !(spent_ = true);
    ++result_.calls;
    return true;
  }
  double rounded(double bound) const override {
    if (options_.score_unit <= 0 || !std::isfinite(bound)) return bound;
    return std::floor(bound / options_.score_unit + 1e-6) * options_.score_unit;
  }

 private:
  // Each tree is at least as good as the one before: the lower bound is exact at that one.
  void maximise_lower_bound() {
    std::vector<double> scores(problem_.arc_scores().begin(), problem_.arc_scores().end());
    std::vector<int32_t> heads(problem_.width(), -1);
    double reached = trees::kForbidden;
    while (may_call()) {
      if (backbone_.argmax({scores.data(), problem_.words()}, heads) == trees::kForbidden) return;
      met(heads);
      const double score = parser_.score(heads);
      if (score <= reached + 1e-12 * (1 + std::fabs(score))) return;
      reached = score;
      lower_arc_scores(problem_, tight_lower_weights(problem_, heads), scores);
    }
  }

  void search_best_first(Subproblem root) {
    std::vector<Subproblem> heap;
    heap.push_back(std::move(root));
    while (!heap.empty() && heap.front().bound > enough()) {
      if (out_of_budget()) return leave_open(heap.front().bound);
      std::pop_heap(heap.begin(), heap.end(), comes_later);
      const Subproblem node = std::move(heap.back());
      heap.pop_back();
      const std::optional<Open> open = bound(node);
      if (!open) continue;
      split(*open, open->candidate, [&heap](Subproblem child) {
        heap.push_back(std::move(child));
        std::push_heap(heap.begin(), heap.end(), comes_later);
      });
    }
  }

  void search_level_by_level(Subproblem root) {
    std::vector<Subproblem> level;
    level.push_back(std::move(root));
    while (!level.empty()) {
      std::vector<Open> survivors;
      for (const Subproblem& node : level) {
        if (out_of_budget()) {
          leave_open(node.bound);
        } else if (std::optional<Open> open = bound(node)) {
          survivors.push_back(std::move(*open));
        }
      }
      std::erase_if(survivors, [this](const Open& open) { return open.bound <= enough(); });
      if (spent_) {
        for (const Open& open : survivors) leave_open(open.bound);
        return;
      }
      level = split_level(survivors);
    }
  }

  std::vector<Subproblem> split_level(const std::vector<Open>& survivors) {
    std::vector<Subproblem> level;
    const auto leader =
        std::max_element(survivors.begin(), survivors.end(), [](const Open& a, const Open& b) { return a.best_met < b.best_met; });
    for (const Open& open : survivors) {
      // A subspace in which the leader's arc is decided already would not change: it goes by its own.
      const bool decided = open.subspace.state(leader->candidate) != Subspace::State::free;
      const Arc arc = decided ? open.candidate : leader->candidate;
      split(open, arc, [&level](Subproblem child) { level.push_back(std::move(child)); });
    }
    return level;
  }

  // Nothing when the subspace is closed, or abandoned because the budget is spent.
  std::optional<Open> bound(const Subproblem& node) {
    const bool is_root = result_.nodes++ == 0;
    best_met_ = trees::kForbidden;
    bound_.enter(node.subspace, options_.warm_start ? *node.weights : even_weights(problem_));
    double unmet = std::min(node.bound, bound_.descend(is_root ? options_.root : options_.below, *this));
    if (unmet <= enough()) return std::nullopt;
    std::vector<trees::ScoredTree> ranked;
    if (k_ > 1 && may_call()) {
      ranked = bound_.kbest(k_);
      for (const trees::ScoredTree& tree : ranked) met(tree.heads);
      if (ranked.size() < static_cast<size_t>(k_)) return std::nullopt;
      unmet = std::min(unmet, rounded(ranked.back().score));
      if (unmet <= enough()) return std::nullopt;
    }
    if (spent_) {
      leave_open(unmet);
      return std::nullopt;
    }
    const std::optional<Arc> candidate = loosest_arc(node.subspace, ranked);
    if (!candidate) return std::nullopt;
    return Open{node.subspace, std::make_shared<const BoundWeights>(bound_.weights()), unmet, best_met_, *candidate};
  }

  // The undecided arc whose factors have most slack at the trees of the bound; any arc of those trees when none has; nothing
  // when all their arcs are decided, as the subspace has no other tree then.
  std::optional<Arc> loosest_arc(const Subspace& subspace, const std::vector<trees::ScoredTree>& ranked) {
    slacks_.assign(problem_.width() * problem_.width(), 0.0);
    bound_.add_slacks(bound_.heads(), slacks_);
    for (const trees::ScoredTree& tree : ranked) bound_.add_slacks(tree.heads, slacks_);
    for (const trees::ScoredTree& tree : ranked) prefer_arcs_of(tree.heads);
    prefer_arcs_of(bound_.heads());
    std::optional<Arc> loosest;
    double most = 0;
    for (int32_t head = 0; head <= problem_.words(); ++head) {
      for (int32_t dependent = 1; dependent <= problem_.words(); ++dependent) {
        const Arc arc{head, dependent};
        const double slack = slacks_[problem_.index(arc)];
        if (slack <= most || subspace.state(arc) != Subspace::State::free) continue;
        most = slack;
        loosest = arc;
      }
    }
    return loosest;
  }

  // Makes the arcs of a tree eligible even where nothing is loose.
  void prefer_arcs_of(std::span<const int32_t> heads) {
    for (int32_t dependent = 1; dependent <= problem_.words(); ++dependent) {
      double& slack = slacks_[problem_.index({heads[static_cast<size_t>(dependent)], dependent})];
      slack = std::max(slack, std::numeric_limits<double>::min());
    }
  }

  template <typename Take>
  void split(const Open& open, Arc arc, Take&& take) {
    for (const bool inside : {true, false}) {
      Subproblem child{open.subspace, open.weights, open.bound, births_};
      if (!(inside ? child.subspace.require(arc) : child.subspace.forbid(arc))) continue;
      ++births_;
      take(std::move(child));
    }
  }

  bool out_of_budget() {
    if (result_.nodes >= options_.max_nodes || result_.calls >= options_.max_calls || seconds() >= options_.time_limit) spent_ = true;
    return spent_;
  }

  void leave_open(double bound) { left_open_ = std::max(left_open_, bound); }

  NonlocalResult finish() {
    result_.trees = pool_.list();
    const bool proved = left_open_ <= enough();
    result_.status = !proved ? graph::Status::budget : result_.trees.empty() ? graph::Status::infeasible : graph::Status::optimal;
    // Closed subspaces have nothing better than the last of the list.
    result_.bound = proved ? pool_.worst() : std::max(left_open_, pool_.worst());
    result_.seconds = seconds();
    return std::move(result_);
  }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  const NonlocalParser& parser_;
  const NonlocalProblem& problem_;
  Backbone& backbone_;
  const NonlocalOptions& options_;
  int k_;
  TreePool pool_;
  SubspaceBound bound_;
  std::chrono::steady_clock::time_point start_;
  NonlocalResult result_;
  std::vector<double> slacks_;
  double best_met_ = trees::kForbidden;   // in the subspace being bounded
  double left_open_ = trees::kForbidden;  // highest bound of a subspace that the budget left open
  bool spent_ = false;
  int64_t births_ = 0;
};

}  // namespace

NonlocalParser::NonlocalParser(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root,
                               std::unique_ptr<Backbone> backbone)
    : problem_(scores, factors, projective, single_root),
      backbone_(std::move(backbone)) {}

NonlocalParser::NonlocalParser(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root)
    : NonlocalParser(scores, factors, projective, single_root, std::make_unique<FirstOrderBackbone>(projective, single_root)) {}

NonlocalResult NonlocalParser::solve(int k, const NonlocalOptions& options) {
  if (k < 1) throw std::invalid_argument("k must be at least 1, not " + std::to_string(k));
  return BranchAndBound(*this, *backbone_, k, options).run();
}

}  // namespace accord::parses
