// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/program_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "core/graph/programs/branching_gains.hpp"
#include "core/graph/programs/dual_simplex.hpp"
#include "core/graph/programs/greedy_points.hpp"
#include "core/graph/programs/row_propagation.hpp"

namespace accord::graph {

namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr double integral = 1e-6;                        // distance from a whole number that counts as none
constexpr double worth_a_restart = 0.2;                  // share of columns that are newly fixed
constexpr int64_t steps_a_node = 2000;                   // of the simplex method
constexpr int64_t steps_a_trial = 15;                    // of a branch that is only tried
constexpr double share_of_trials = 0.5;                  // of all steps, beside the first thousand
constexpr int reliable = 3;                              // trials of a column before its gains are believed
constexpr size_t most_trials = 8;                        // columns that are tried at a node
constexpr int patience = 5;                              // trials without a better branch
constexpr int64_t greedy_nodes = 50, greedy_every = 16;  // points are rounded at the first nodes, then at some

struct ProgramNode {
  double bound = no_bound;
  int64_t number = 0;
  std::vector<int32_t> fixed;  // columns that are on; ~column: off
  int32_t branched = -1;       // the column of the last branch, its side and fraction: for what it gains
  bool up = false;
  double fraction = 0;

  bool operator<(const ProgramNode& other) const { return bound != other.bound ? bound < other.bound : number < other.number; }
};

class ProgramSearch {
 public:
  ProgramSearch(const RowMatrix& matrix, double best, const ProgramSearchSettings& settings)
      : matrix_(matrix),
        settings_(settings),
        best_(best),
        simplex_(matrix),
        rows_(matrix),
        gains_(matrix.width()),
        greedy_(matrix) {}

  ProgramSearchResult run() {
    ProgramNode root;
    if (!start(root)) return finish();
    std::optional<ProgramNode> next = std::move(root);
    while (next || !open_.empty()) {
      if (!next) {
        if (closes(open_.top().bound)) break;
        next = open_.top();
        open_.pop();
        enter(*next);
      }
      if (result_.nodes >= settings_.nodes || asked_to(settings_.stop) || simplex_.kernel() > settings_.kernel) {
        open_.push(std::move(*next));
        result_.end = ProgramSearchResult::End::stopped;
        return finish();
      }
      next = visit(std::move(*next));
      if (settings_.told) settings_.told(result_.nodes, open_bound(next));
    }
    result_.end = ProgramSearchResult::End::complete;
    return finish();
  }

 private:
  double cut_off() const { return best_ + settings_.slack; }
  bool closes(double bound) const { return bound - 2 * result_.margin <= cut_off(); }

  double open_bound(const std::optional<ProgramNode>& next) const {
    return std::max({closed_, open_.empty() ? -no_bound : open_.top().bound, next ? next->bound : -no_bound});
  }

  ProgramSearchResult finish() {
    if (!open_.empty()) closed_ = std::max(closed_, open_.top().bound);
    result_.bound = closed_;
    return std::move(result_);
  }

  void close(const ProgramNode& node) { closed_ = std::max(closed_, node.bound); }

  // The root: whether there is anything to search.
  bool start(ProgramNode& root) {
    result_.end = ProgramSearchResult::End::complete;
    rows_.look_at_all();
    if (!rows_.propagate() || !relax(root)) return false;
    if (!may_go_on()) return true;  // stopped, or too large: the search says so
    greedy();
    dive(root, true);
    dive(root, false);
    if (closes(root.bound)) {
      close(root);
      return false;
    }
    if (!fix_by_costs()) return false;
    result_.low = rows_.low();
    result_.high = rows_.high();
    size_t fixed = 0;
    for (size_t j = 0; j < matrix_.width(); ++j) fixed += rows_.is_fixed(j);
    rows_.forget();
    if (settings_.restarts && static_cast<double>(fixed) > worth_a_restart * static_cast<double>(matrix_.width())) {
      closed_ = root.bound;
      result_.end = ProgramSearchResult::End::restart;
      return false;
    }
    return true;
  }

  void synchronise() {
    for (size_t j = 0; j < matrix_.width(); ++j) simplex_.set_bounds(j, rows_.low()[j], rows_.high()[j]);
  }

  bool may_go_on() const { return simplex_.kernel() <= settings_.kernel && !asked_to(settings_.stop); }

  // Lowers the bound of a node by its relaxation; false where nothing below it is of interest.
  bool relax(ProgramNode& node) {
    synchronise();
    DualSimplex::Outcome outcome = DualSimplex::Outcome::limit;
    for (int64_t left = steps_a_node; left > 0 && outcome == DualSimplex::Outcome::limit && may_go_on(); left -= 100)
      outcome = simplex_.solve(cut_off(), 100);
    solved_ = outcome == DualSimplex::Outcome::optimal;
    if (outcome == DualSimplex::Outcome::infeasible) return false;
    relaxed_ = simplex_.bound();
    node.bound = std::min(node.bound, relaxed_);
    result_.margin = std::max(result_.margin, simplex_.margin());
    if (!closes(node.bound)) return true;
    close(node);
    return false;
  }

  double fraction(size_t j) const { return simplex_.value(j) - std::floor(simplex_.value(j)); }
  bool is_open(size_t j) const { return matrix_.integral[j] && !rows_.is_fixed(j); }
  bool is_fractional(size_t j) const { return is_open(j) && fraction(j) > integral && fraction(j) < 1 - integral; }

  // Fixes columns that would cost more than can be won elsewhere; false where nothing is left.
  bool fix_by_costs() {
    const double to_win = relaxed_ + 2 * result_.margin - cut_off();
    if (!(to_win < no_bound)) return true;
    const std::span<const double> costs = simplex_.costs();
    for (size_t j = 0; j < matrix_.width(); ++j) {
      if (!is_open(j) || std::fabs(costs[j]) * (rows_.high()[j] - rows_.low()[j]) < to_win) continue;
      rows_.fix(j, costs[j] > 0 ? rows_.high()[j] : rows_.low()[j]);
    }
    return rows_.propagate();
  }

  void propose() {
    point_.resize(matrix_.width());
    for (size_t j = 0; j < matrix_.width(); ++j) point_[j] = matrix_.integral[j] ? std::round(simplex_.value(j)) : simplex_.value(j);
    best_ = std::max(best_, settings_.propose(point_));
  }

  void greedy() {
    point_.resize(matrix_.width());
    for (size_t j = 0; j < matrix_.width(); ++j) point_[j] = simplex_.value(j);
    if (greedy_.round(point_, simplex_.costs(), rows_.low(), rows_.high())) best_ = std::max(best_, settings_.propose(point_));
  }

  // From the present relaxation down to one point: columns are rounded one after the other, the simplex method follows.
  void dive(const ProgramNode& root, bool upwards) {
    const DualSimplex::State before = simplex_.state();
    const size_t length = rows_.changed().size();
    ProgramNode node = root;
    for (size_t depth = 0; depth < matrix_.width() && !asked_to(settings_.stop); ++depth) {
      int32_t chosen = -1;
      double largest = -1;
      for (size_t j = 0; j < matrix_.width(); ++j) {
        if (!is_fractional(j)) continue;
        const double worth = upwards ? fraction(j) : std::fabs(fraction(j) - 0.5);
        if (worth > largest) largest = worth, chosen = static_cast<int32_t>(j);
      }
      if (chosen < 0) {
        propose();
        break;
      }
      const auto j = static_cast<size_t>(chosen);
      const double value = upwards || fraction(j) > 0.5 ? rows_.high()[j] : rows_.low()[j];
      const size_t mark = rows_.changed().size();
      rows_.fix(j, value);
      if (rows_.propagate() && relax_quietly(node)) continue;
      rows_.undo(mark);
      rows_.fix(j, value == rows_.high()[j] ? rows_.low()[j] : rows_.high()[j]);
      if (!rows_.propagate() || !relax_quietly(node)) break;
    }
    rows_.undo(length);
    simplex_.restore(before);
    relaxed_ = simplex_.bound();
  }

  bool relax_quietly(ProgramNode& node) {
    const double closed = closed_;
    const bool open = relax(node);
    closed_ = closed;
    return open && solved_;
  }

  // Bounds as a node has them.
  void enter(const ProgramNode& node) {
    rows_.undo(0);
    for (const int32_t literal : node.fixed) {
      const auto j = static_cast<size_t>(literal < 0 ? ~literal : literal);
      if (!rows_.is_fixed(j)) rows_.fix(j, literal < 0 ? matrix_.low[j] : matrix_.high[j]);
    }
  }

  // The child to go on with, if any.
  std::optional<ProgramNode> visit(ProgramNode node) {
    ++result_.nodes;
    const double before = node.bound;
    bool first = true;
    while (true) {
      if (!rows_.propagate()) return std::nullopt;
      const bool open = relax(node);
      if (first && node.branched >= 0 && before < no_bound && solved_)
        gains_.note(static_cast<size_t>(node.branched), node.up, node.fraction, std::max(0.0, before - node.bound));
      first = false;
      if (!open) return std::nullopt;
      if (result_.nodes < greedy_nodes || result_.nodes % greedy_every == 0) greedy();
      const size_t mark = rows_.changed().size();
      if (!fix_by_costs()) return std::nullopt;
      if (moved_since(mark)) continue;
      const int32_t column = branching_column(node);
      if (column == again) continue;
      if (column == nothing) {
        propose();
        if (closes(node.bound)) {
          close(node);
          return std::nullopt;
        }
        const int32_t any = open_column();
        return any < 0 ? std::nullopt : branch(std::move(node), static_cast<size_t>(any));
      }
      return branch(std::move(node), static_cast<size_t>(column));
    }
  }

  // Whether a column was fixed at another value than the relaxation has.
  bool moved_since(size_t mark) const {
    for (size_t k = mark; k < rows_.changed().size(); ++k) {
      const auto j = static_cast<size_t>(rows_.changed()[k]);
      if (std::fabs(simplex_.value(j) - rows_.low()[j]) > integral) return true;
    }
    return false;
  }

  int32_t open_column() const {
    for (size_t j = 0; j < matrix_.width(); ++j)
      if (is_open(j)) return static_cast<int32_t>(j);
    return nothing;
  }

  // The column to branch on; `nothing` where all are integral, `again` where a column could be fixed.
  int32_t branching_column(const ProgramNode& node) {
    candidates_.clear();
    for (size_t j = 0; j < matrix_.width(); ++j)
      if (is_fractional(j)) candidates_.emplace_back(gains_.worth(j, fraction(j)), static_cast<int32_t>(j));
    if (candidates_.empty()) return nothing;
    std::sort(candidates_.begin(), candidates_.end(),
              [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    int32_t chosen = candidates_.front().second;
    double best = -1;
    size_t trials = 0;
    int unlucky = 0;
    std::optional<DualSimplex::State> state;
    for (const auto& [guess, column] : candidates_) {
      const auto j = static_cast<size_t>(column);
      double worth = guess;
      if (gains_.reliability(j) < reliable && trials < most_trials && unlucky < patience && solved_ && may_try()) {
        ++trials;
        if (!state) state = simplex_.state();
        const double share = fraction(j);
        double side[2] = {0, 0};
        for (const bool up : {false, true}) {
          const std::optional<double> bound = tried(j, up);
          simplex_.restore(*state);
          if (!bound) {
            rows_.fix(j, up ? rows_.low()[j] : rows_.high()[j]);
            return again;
          }
          side[up] = std::max(0.0, node.bound - *bound);
          gains_.note(j, up, share, side[up]);
        }
        worth = BranchingGains::worth(side[0], side[1]);
        unlucky = worth > best ? 0 : unlucky + 1;
      }
      if (worth > best) best = worth, chosen = column;
    }
    return chosen;
  }

  bool may_try() const {
    return static_cast<double>(trial_steps_) < 1000 + share_of_trials * static_cast<double>(simplex_.steps() - trial_steps_);
  }

  // The bound after some steps on one side of a column; nothing where that side is of no interest.
  std::optional<double> tried(size_t j, bool up) {
    const double value = up ? rows_.high()[j] : rows_.low()[j];
    const int64_t before = simplex_.steps();
    simplex_.set_bounds(j, value, value);
    const DualSimplex::Outcome outcome = simplex_.solve(cut_off(), steps_a_trial);
    trial_steps_ += simplex_.steps() - before;
    if (outcome == DualSimplex::Outcome::infeasible) return std::nullopt;
    const double bound = simplex_.bound();
    if (closes(bound)) {
      closed_ = std::max(closed_, bound);
      return std::nullopt;
    }
    return bound;
  }

  std::optional<ProgramNode> branch(ProgramNode node, size_t j) {
    node.fixed.clear();
    for (const int32_t column : rows_.changed())
      node.fixed.push_back(rows_.low()[static_cast<size_t>(column)] > matrix_.low[static_cast<size_t>(column)] ? column : ~column);
    const double share = fraction(j);
    const bool up = share >= 0.5 || simplex_.value(j) >= 1 - integral;
    ProgramNode other = node;
    for (ProgramNode* child : {&node, &other}) {
      child->number = ++created_;
      child->up = child == &node ? up : !up;
      child->branched = static_cast<int32_t>(j);
      child->fraction = share;
      child->fixed.push_back(child->up ? static_cast<int32_t>(j) : ~static_cast<int32_t>(j));
    }
    open_.push(std::move(other));
    rows_.fix(j, up ? rows_.high()[j] : rows_.low()[j]);
    return node;
  }

  static constexpr int32_t nothing = -1, again = -2;

  const RowMatrix& matrix_;
  const ProgramSearchSettings& settings_;
  double best_;
  DualSimplex simplex_;
  RowPropagation rows_;
  BranchingGains gains_;
  GreedyPoints greedy_;
  ProgramSearchResult result_;
  std::priority_queue<ProgramNode> open_;
  double closed_ = -no_bound;
  double relaxed_ = no_bound;  // the bound that goes with the reduced costs
  bool solved_ = false;        // whether the last relaxation was
  int64_t created_ = 0, trial_steps_ = 0;
  std::vector<double> point_;
  std::vector<std::pair<double, int32_t>> candidates_;
};

}  // namespace

ProgramSearchResult search_program(const RowMatrix& matrix, double best, const ProgramSearchSettings& settings) {
  return ProgramSearch(matrix, best, settings).run();
}

}  // namespace accord::graph
