// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/costs/budget.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/factors/costs/whole_costs.hpp"

namespace accord::graph {

namespace {

constexpr double most_states = 1 << 22;  // of the lattice: 32 MiB

}  // namespace

Budget::Budget(std::vector<double> costs, double limit) : costs_(std::move(costs)), limit_(limit) {
  if (costs_.empty()) throw std::invalid_argument("a budget needs at least one variable");
  if (!std::isfinite(limit) || limit < 0) throw std::invalid_argument("the limit of a budget is a finite number, not negative");
  for (size_t i = 0; i < costs_.size(); ++i)
    if (!std::isfinite(costs_[i]) || costs_[i] < 0)
      throw std::invalid_argument("cost " + std::to_string(i) + " of a budget is not a finite number, not negative");
  units_ = costs_;
  unit_limit_ = limit_ * (1 + CostUnit::rounding);
  if (const auto unit = cost_unit(costs_)) {
    for (size_t i = 0; i < costs_.size(); ++i) units_[i] = unit->units(costs_[i]);
    unit_limit_ = std::min(std::accumulate(units_.begin(), units_.end(), 0.0), unit->most(limit_));
    prepare_lattice();
  }
  tight_ = relaxation_is_hull();
}

void Budget::prepare_lattice() {
  if (static_cast<double>(size() + 1) * (unit_limit_ + 1) > most_states) return;
  final_scores_.assign(static_cast<size_t>(unit_limit_) + 1, 0.0);
  for (const double unit : units_) steps_.push_back(static_cast<int32_t>(std::min(unit, unit_limit_ + 1)));
}

// With equal costs the row reads sum z <= k, which is integral exactly when k is; and a row that always holds is harmless.
bool Budget::relaxation_is_hull() const {
  if (std::accumulate(costs_.begin(), costs_.end(), 0.0) <= limit_) return true;
  const double largest = *std::max_element(costs_.begin(), costs_.end());
  const auto equal = [&](double cost) { return cost == 0 || cost == largest; };
  const double most = limit_ / largest;
  return std::all_of(costs_.begin(), costs_.end(), equal) && most == std::floor(most);
}

double Budget::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  return knapsack_.solve(scores, units_, unit_limit_, configuration);
}

double Budget::score(std::span<const uint8_t> configuration) {
  double total = 0;
  for (size_t i = 0; i < units_.size(); ++i)
    if (configuration[i]) total += units_[i];
  return total <= unit_limit_ ? 0.0 : impossible;
}

double Budget::marginals(std::span<const double> scores, std::span<double> out) {
  return lattice_.marginals({scores, steps_, final_scores_}, out);
}

double Budget::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  if (steps_.empty()) return max_marginals_by_knapsacks(scores, zero, one);
  return lattice_.max_marginals({scores, steps_, final_scores_}, zero, one);
}

// The best of all answers one side of every variable; the other side is a smaller knapsack.
double Budget::max_marginals_by_knapsacks(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  chosen_.resize(size());
  other_.resize(size());
  forced_.assign(scores.begin(), scores.end());
  const double best = maximize(scores, chosen_);
  for (size_t i = 0; i < size(); ++i) {
    (chosen_[i] ? one : zero)[i] = best;
    forced_[i] = impossible;
    if (chosen_[i]) {
      zero[i] = knapsack_.solve(forced_, units_, unit_limit_, other_);
    } else {
      const double room = unit_limit_ - units_[i];
      one[i] = room < 0 ? impossible : scores[i] + knapsack_.solve(forced_, units_, room, other_);
    }
    forced_[i] = scores[i];
  }
  return best;
}

void Budget::project(std::span<const double> target, double, std::span<double> z) {
  double total = 0;
  for (size_t i = 0; i < z.size(); ++i) total += costs_[i] * (z[i] = clip(target[i]));
  if (total <= limit_) return;
  const double threshold = box_threshold(target, costs_, limit_, breakpoints_, 0.0);
  for (size_t i = 0; i < z.size(); ++i) z[i] = clip(target[i] - threshold * costs_[i]);
}

void Budget::rows(RowSink& sink) {
  std::vector<int> columns(size());
  std::iota(columns.begin(), columns.end(), 0);
  sink.row(impossible, columns, costs_, limit_);
}

}  // namespace accord::graph
