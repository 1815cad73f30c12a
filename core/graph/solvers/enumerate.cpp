// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/enumerate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "core/graph/log_domain.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

class Enumeration {
 public:
  Enumeration(const FactorGraph& graph, int limit, const Stop& stop, const Progress& progress)
      : graph_(graph),
        stop_(stop),
        progress_(progress),
        assignment_(graph.variables(), 0) {
    order_variables();
    const auto free = std::count(graph.evidence().begin(), graph.evidence().end(), int8_t{-1});
    if (free > limit)
      throw std::invalid_argument(std::to_string(free) + " free variables are too many to enumerate (limit " + std::to_string(limit) + ")");
    place_factors();
    log_ones_.assign(order_.size(), impossible);
  }

  Solution run() {
    Solution result;
    for (size_t r = 0; r < graph_.variables(); ++r)
      if (decided_alone(graph_, r)) assignment_[r] = value_alone(graph_, r);
    const double value = completed(0);
    const double log_sum = value == impossible ? impossible : visit(0, value);
    if (stopped_) return unfinished();
    if (log_sum == impossible) {
      result.status = Status::infeasible;
      result.bound = impossible;
      return result;
    }
    result.status = Status::optimal;
    result.assignment = best_;
    result.value = result.bound = graph_.value(best_);
    result.entropy = std::max(0.0, log_sum - weighted_ / mass_);
    result.posteriors.assign(graph_.variables(), 0.0);
    for (size_t depth = 0; depth < order_.size(); ++depth)
      result.posteriors[order_[depth]] = std::min(1.0, std::exp(log_ones_[depth] - log_sum));
    result.log_partition = log_sum;
    add_alone(result);
    return result;
  }

 private:
  Solution unfinished() const {
    Solution result;
    result.assignment = best_;
    if (!best_.empty()) result.value = best_value_;
    result.posteriors.assign(graph_.variables(), 0.5);
    result.iterations = 1;
    for (size_t r = 0; r < graph_.variables(); ++r)
      if (decided_alone(graph_, r)) result.posteriors[r] = value_alone(graph_, r);
    result.bound = scale_of(graph_).ceiling;
    settle_bound(graph_, constant_of(graph_), result);
    return result;
  }

  void order_variables() {
    std::vector<uint8_t> seen(graph_.variables(), 0);
    for (const int32_t variable : graph_.edge_variables()) {
      const auto r = static_cast<size_t>(variable);
      if (graph_.evidence()[r] < 0 && !seen[r]) order_.push_back(r);
      seen[r] = 1;
    }
  }

  // Variables that no factor touches are independent of all others; evidence adds its scores.
  void add_alone(Solution& result) const {
    CarefulSum log_sum;
    log_sum.add(result.log_partition);
    if (graph_.constant() != 0) log_sum.add(graph_.constant());
    for (size_t r = 0; r < graph_.variables(); ++r) {
      if (!decided_alone(graph_, r)) continue;
      const double score = graph_.scores()[r];
      const bool free = graph_.evidence()[r] < 0;
      result.posteriors[r] = free ? sigmoid(score) : graph_.evidence()[r];
      log_sum.add(free ? softplus(score) : graph_.evidence()[r] * score);
      if (free) result.entropy += softplus(-std::fabs(score)) + std::fabs(score) * sigmoid(-std::fabs(score));
    }
    result.log_partition = log_sum.value();
  }

  // A factor is evaluated once its last free variable is set; without free variables, before the first.
  void place_factors() {
    std::vector<size_t> set_after(graph_.variables(), 0);
    for (size_t depth = 0; depth < order_.size(); ++depth) set_after[order_[depth]] = depth + 1;
    completed_.resize(order_.size() + 1);
    for (size_t s = 0; s < graph_.factors(); ++s) {
      size_t last = 0;
      for (int32_t r : graph_.variables_of(s)) last = std::max(last, set_after[static_cast<size_t>(r)]);
      completed_[last].push_back(s);
    }
  }

  double completed(size_t depth) {
    double total = 0;
    for (size_t s : completed_[depth]) {
      const std::span<const int32_t> variables = graph_.variables_of(s);
      local_.resize(variables.size());
      for (size_t i = 0; i < variables.size(); ++i) local_[i] = assignment_[static_cast<size_t>(variables[i])];
      total += graph_.factor(s).score(local_);
      if (total == impossible) return impossible;
    }
    return total;
  }

  // The mean of the values under their own weights, for the entropy; weights are relative to the largest so far.
  void weigh(double value) {
    if (value > top_) {
      const double scale = std::exp(top_ - value);
      mass_ *= scale;
      weighted_ *= scale;
      top_ = value;
    }
    const double weight = std::exp(value - top_);
    mass_ += weight;
    weighted_ += weight * value;
  }

  bool stops() {
    tell(progress_, 1, best_value_, -impossible);
    if (!stopped_) stopped_ = asked_to(stop_);
    return stopped_;
  }

  // Log of the sum over all completions of the first `depth` variables, whose value so far is given.
  double visit(size_t depth, double value) {
    if ((order_.size() - depth) % 8 == 0 && stops()) return impossible;  // now and then: a node costs less than the question
    if (depth == order_.size()) {
      if (best_.empty() || value > best_value_) {
        best_value_ = value;
        best_ = assignment_;
      }
      weigh(value);
      return value;
    }
    const size_t r = order_[depth];
    double sums[2] = {impossible, impossible};
    for (uint8_t on : {0, 1}) {
      assignment_[r] = on;
      const double extended = value + (on ? graph_.scores()[r] : 0.0) + completed(depth + 1);
      if (extended > impossible) sums[on] = visit(depth + 1, extended);
    }
    log_ones_[depth] = log_add(log_ones_[depth], sums[1]);
    return log_add(sums[0], sums[1]);
  }

  const FactorGraph& graph_;
  const Stop& stop_;
  const Progress& progress_;
  bool stopped_ = false;
  std::vector<size_t> order_;                   // free variables, in the order in which they are set
  std::vector<std::vector<size_t>> completed_;  // [depth]: factors complete when `depth` variables are set
  std::vector<uint8_t> assignment_;
  std::vector<uint8_t> local_;
  std::vector<uint8_t> best_;
  double best_value_ = impossible;
  double top_ = impossible, mass_ = 0, weighted_ = 0;
  std::vector<double> log_ones_;  // [depth]: log of the sum over assignments with order_[depth] on
};

}  // namespace

Solution enumerate(const FactorGraph& graph, int limit, const Stop& stop, const Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Solution result = Enumeration(graph, limit, stop, progress).run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace accord::graph
