// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/costs/value_search.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

constexpr int64_t first_dive = 256, longest_dive = 1 << 14;  // dead ends
constexpr int64_t first_help = 2000;                         // nodes
struct Decision {
  int32_t variable, value;
  bool equal;
};

struct OpenNode {
  double lower;
  int64_t number;
  std::vector<Decision> path;

  // The top of a priority queue: the least bound, then the longest path, which is nearest to a setting.
  bool operator<(const OpenNode& other) const {
    if (lower != other.lower) return lower > other.lower;
    if (path.size() != other.path.size()) return path.size() < other.path.size();
    return number > other.number;
  }
};

class HybridSearch {
 public:
  HybridSearch(SoftConsistency& state, const ValueSearchSettings& settings)
      : state_(state),
        settings_(settings),
        root_(state.mark()),
        upper_(settings.upper) {}

  ValueSearchResult run() {
    open_.push({state_.lower(), 0, {}});
    int64_t dive = settings_.upper < forbidden ? 1 : first_dive;
    while (!open_.empty() && !stopped_ && open_.top().lower < limit()) {
      OpenNode node = open_.top();
      open_.pop();
      start(node);
      if (!state_.propagate() || refused()) continue;
      replayed_ += static_cast<int64_t>(node.path.size());
      dive_from(std::move(node.path), dive);
      const double share = static_cast<double>(replayed_) / static_cast<double>(result_.nodes + 1);
      if (share > 0.1 && dive < longest_dive) dive *= 2;
      if (share < 0.05 && dive > 1) dive /= 2;
      tell();
      take_help();
    }
    state_.undo(root_);
    result_.lower = open_.empty() ? forbidden : open_.top().lower;
    result_.complete = !(result_.lower < limit());
    result_.lower = std::min(result_.lower, std::max(state_.lower(), limit()));
    return std::move(result_);
  }

 private:
  struct Level {
    SoftConsistency::Mark mark;
    size_t path;
    double lower;
    Decision decision;
  };

  double limit() const { return upper_ - settings_.slack; }

  void start(const OpenNode& node) {
    state_.undo(root_);
    state_.set_limit(limit());
    state_.choose_precision();
    for (const Decision& decision : node.path) apply(decision);
  }

  void apply(const Decision& decision) {
    const auto i = static_cast<size_t>(decision.variable);
    if (!decision.equal) state_.remove(i, decision.value);
    else if (state_.has(i, decision.value)) state_.assign(i, decision.value);
    else state_.clear(i);
  }

  void dive_from(std::vector<Decision> path, int64_t dead_ends) {
    path_ = std::move(path);
    levels_.clear();
    for (int64_t seen = 0;;) {
      const int32_t variable = choose();
      bool open = variable >= 0;
      if (open) {
        const int32_t value = state_.best_value(static_cast<size_t>(variable));
        levels_.push_back({state_.mark(), path_.size(), state_.lower(), {variable, value, true}});
        open = descend(levels_.back().decision);
        if (!open) last_conflict_ = variable;
      } else {
        keep();
      }
      while (!open && !levels_.empty()) {
        ++seen;
        open = turn();
      }
      if (!open) return;
      if (seen >= dead_ends || halted()) return put_back();
    }
  }

  bool descend(const Decision& decision) {
    ++result_.nodes;
    path_.push_back(decision);
    apply(decision);
    return state_.propagate() && !refused();
  }

  bool refused() const { return settings_.refuse && settings_.refuse(state_); }

  // The other branch of the last level.
  bool turn() {
    const Level level = levels_.back();
    levels_.pop_back();
    state_.undo(level.mark);
    path_.resize(level.path);
    if (!(level.lower < limit())) return false;
    ++result_.nodes;
    append_refused(path_, level.decision);
    for (size_t k = level.path; k < path_.size(); ++k) apply(path_[k]);
    return state_.propagate() && !refused();
  }

  // The decisions of the branch beside a decision: its value is out, and so are the values that no decision of the path sets apart from it.
  void append_refused(std::vector<Decision>& path, const Decision& decision) const {
    const std::vector<int32_t>& classes = settings_.classes;
    const size_t length = path.size();
    path.push_back({decision.variable, decision.value, false});
    if (classes.empty()) return;
    const auto named = [&](int32_t value) {
      for (size_t k = 0; k < length; ++k)
        if (path[k].equal && path[k].value == value) return true;
      return false;
    };
    if (named(decision.value)) return;
    for (int32_t b = 0; b < static_cast<int32_t>(classes.size()); ++b)
      if (b != decision.value && classes[static_cast<size_t>(b)] == classes[static_cast<size_t>(decision.value)] && !named(b))
        path.push_back({decision.variable, b, false});
  }

  void put_back() {
    open_.push({state_.lower(), ++created_, path_});
    for (const Level& level : levels_) {
      if (!(level.lower < limit())) continue;
      OpenNode node{level.lower, ++created_, {path_.begin(), path_.begin() + static_cast<ptrdiff_t>(level.path)}};
      append_refused(node.path, level.decision);
      open_.push(std::move(node));
    }
  }

  int32_t choose() const {
    if (last_conflict_ >= 0 && state_.left(static_cast<size_t>(last_conflict_)) > 1) return last_conflict_;
    int32_t chosen = -1;
    double least = forbidden;
    for (size_t i = 0; i < state_.variables(); ++i) {
      if (state_.left(i) < 2) continue;
      const double score = static_cast<double>(state_.left(i)) / state_.weight(i);
      if (score < least) least = score, chosen = static_cast<int32_t>(i);
    }
    return chosen;
  }

  // Every variable has a value, and the lower bound is the cost.
  void keep() {
    std::vector<ValueSearchResult::Kept>& best = result_.best;
    const double cost = state_.lower();
    const auto after = std::upper_bound(best.begin(), best.end(), cost, [](double c, const auto& kept) { return c < kept.cost; });
    const auto place = best.insert(after, {cost, state_.setting()});
    if (settings_.found) settings_.found(place->setting, cost);
    if (best.size() > settings_.count) best.pop_back();
    if (best.size() == settings_.count) upper_ = best.back().cost;
    state_.set_limit(limit());
  }

  bool halted() {
    if (result_.nodes >= settings_.nodes) stopped_ = true;
    if (result_.nodes >= next_look_) {
      next_look_ = result_.nodes + 16;
      stopped_ = stopped_ || asked_to(settings_.stop);
    }
    return stopped_;
  }

  void take_help() {
    if (!settings_.improved || result_.nodes < next_help_) return;
    upper_ = std::min(upper_, settings_.improved(result_.nodes - helped_));
    helped_ = result_.nodes;
    next_help_ = helped_ + helped_ / 4;
  }

  void tell() {
    if (!settings_.told) return;
    settings_.told(result_.nodes, open_.empty() ? upper_ : std::min(upper_, open_.top().lower));
  }

  SoftConsistency& state_;
  const ValueSearchSettings& settings_;
  const SoftConsistency::Mark root_;
  double upper_;
  std::priority_queue<OpenNode> open_;
  std::vector<Decision> path_;
  std::vector<Level> levels_;
  ValueSearchResult result_;
  int64_t created_ = 0, replayed_ = 0, next_look_ = 0, helped_ = 0, next_help_ = first_help;
  int32_t last_conflict_ = -1;
  bool stopped_ = false;
};

}  // namespace

ValueSearchResult search_values(SoftConsistency& state, const ValueSearchSettings& settings) { return HybridSearch(state, settings).run(); }

}  // namespace accord::graph
