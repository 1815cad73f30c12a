// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/enumerate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace accord::graph {

namespace {

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == impossible ? a : a + std::log1p(std::exp(b - a));
}

class Enumeration {
 public:
  Enumeration(const FactorGraph& graph, int limit, const Stop& stop) : graph_(graph), stop_(stop), assignment_(graph.variables(), 0) {
    order_variables();
    if (static_cast<int64_t>(order_.size()) > limit)
      throw std::invalid_argument(std::to_string(order_.size()) + " free variables are too many to enumerate (limit " +
                                  std::to_string(limit) + ")");
    place_factors();
    log_ones_.assign(order_.size(), impossible);
  }

  Solution run() {
    Solution result;
    double value = 0;
    for (size_t r = 0; r < graph_.variables(); ++r) {
      if (graph_.evidence()[r] != 1) continue;
      assignment_[r] = 1;
      value += graph_.scores()[r];
    }
    value += completed(0);
    const double log_sum = value == impossible ? impossible : visit(0, value);
    if (log_sum == impossible) {
      result.status = Status::infeasible;
      result.bound = impossible;
      return result;
    }
    result.status = Status::optimal;
    result.assignment = best_;
    result.value = result.bound = graph_.value(best_);
    result.log_partition = log_sum;
    result.entropy = std::max(0.0, log_sum - weighted_ / mass_);
    for (int8_t evidence : graph_.evidence()) result.posteriors.push_back(evidence == 1 ? 1.0 : 0.0);
    for (size_t depth = 0; depth < order_.size(); ++depth)
      result.posteriors[order_[depth]] = std::min(1.0, std::exp(log_ones_[depth] - log_sum));
    return result;
  }

 private:
  void order_variables() {
    std::vector<uint8_t> seen(graph_.variables(), 0);
    const auto add = [&](size_t r) {
      if (graph_.evidence()[r] < 0 && !seen[r]) order_.push_back(r);
      seen[r] = 1;
    };
    for (int32_t r : graph_.edge_variables()) add(static_cast<size_t>(r));
    for (size_t r = 0; r < graph_.variables(); ++r) add(r);
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

  // Log of the sum over all completions of the first `depth` variables, whose value so far is given.
  double visit(size_t depth, double value) {
    if ((order_.size() - depth) % 8 == 0 && asked_to(stop_)) return impossible;  // now and then: a node costs less than the question
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

Solution enumerate(const FactorGraph& graph, int limit, const Stop& stop) {
  const auto begin = std::chrono::steady_clock::now();
  Solution result = Enumeration(graph, limit, stop).run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace accord::graph
