// SPDX-License-Identifier: Apache-2.0
// A bound of coverage problems that needs no linear program, and the fractional choice that comes with it.
//
// Every concept gives its occurrences a share of its weight, an occurrence splits what it gets over the units that it needs, and units are
// bought in part as closed sets:
//
//   sum of (weights - shares) * caps  +  the most that a budget buys of closed sets,   0 <= shares <= weights, splits of each sum to 1
//
// This holds for all shares, all splits and each budget; at its least it is the value of the linear relaxation with that budget. Shares
// and splits move by projected subgradient steps towards a value that is known to be reached (Polyak 1969). Penalties of pairs are left
// out, which can only raise the bound. One step takes O(n log n) for trees of n units and their occurrences.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/graph/coverage/coverage.hpp"
#include "core/graph/coverage/group_limits.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

class ShareBound {
 public:
  explicit ShareBound(const Coverage& problem);

  double bound() const { return bound_; }                          // no feasible choice has a larger value
  const std::vector<double>& average() const { return average_; }  // of each unit: the fractional choices of the steps, later ones more
  const std::vector<int32_t>& groups() const { return groups_; }   // those that can be part of a choice better than all targets so far

  // Steps towards a value that some feasible choice has.
  void improve(double target, int steps, const Stop& stop);
  // The bound at shares that are the weights of concepts which a choice does not cover.
  void look_at(std::span<const double> amounts);
  // Leaves out groups that no choice better than the target can have.
  void prune(double target);

 private:
  struct Point {  // the relaxation at present shares
    double worth = 0, price = 0, part = 0;
  };

  Point evaluate(size_t row);
  void weigh();
  void find_price(Point& point, std::span<const double> costs, double limit);
  double fraction(const Point& point, size_t unit) const;
  bool step(const Point& point, double target, double speed);
  double slope_of_shares();
  double slope_of_splits();
  void note(double worth);

  const Coverage& problem_;
  GroupLimits limits_of_;
  std::vector<std::vector<double>> rows_;  // costs: one row a budget, and their sum in units of the limits
  std::vector<double> row_limits_;
  size_t tightest_ = 0;
  std::vector<int32_t> groups_;
  std::vector<int32_t> live_;               // occurrences that can be had
  std::vector<std::vector<int32_t>> open_;  // of each group, the units that are not barred
  std::vector<double> caps_;                // no more than all occurrences bring
  std::vector<double> shares_, splits_, best_shares_, best_splits_;
  std::vector<double> weights_, limits_, fractions_, amounts_, share_slope_, split_slope_;
  std::vector<std::pair<double, double>> offers_;  // limit and cost
  double bound_, target_, rounding_ = 0;
  std::vector<double> average_;
  double averaged_ = 0;
};

}  // namespace accord::graph
