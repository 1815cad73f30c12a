// SPDX-License-Identifier: Apache-2.0
// Thresholds: the one number that solves a projection on a simplex or on a box cut by a hyperplane.
//
// Simplex:  z_i = max(0, a_i - t) with sum z_i = 1. Only entries within 1 of the largest can stay positive; those are
//           sorted: O(n + m log m), m their number. (Held, Wolfe & Crowder 1974.)
// Box:      z_i = clip(a_i - t c_i) to [0, 1] with sum c_i z_i = total. As t grows each z_i leaves 1 at (a_i - 1) / c_i and
//           reaches 0 at a_i / c_i; the sum is piecewise linear between these breakpoints, which are sorted:
//           O(n log n). (Pardalos & Kovoor 1990 do it in O(n) with medians; sorting is faster at the sizes met here.)
// Buffers are the caller's, so that factors allocate nothing once warm.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace accord::graph {

inline double clip(double value) { return std::clamp(value, 0.0, 1.0); }

// z := the point of the simplex nearest to `point`, which is not empty.
inline void project_on_simplex(std::span<const double> point, std::span<double> z, std::vector<double>& near_top) {
  // Differences to the largest entry: rounding then does not depend on how far away the point lies.
  const double top = *std::max_element(point.begin(), point.end());
  near_top.clear();
  for (const double value : point)
    if (value - top > -1) near_top.push_back(value - top);
  std::sort(near_top.begin(), near_top.end(), std::greater<>());
  double sum = 0, threshold = -1;
  for (size_t count = 0; count < near_top.size() && near_top[count] > threshold; ++count) {
    sum += near_top[count];
    threshold = (sum - 1) / static_cast<double>(count + 1);
  }
  for (size_t i = 0; i < z.size(); ++i) z[i] = std::max(0.0, (point[i] - top) - threshold);
}

// Where one entry changes its regime as the threshold grows.
struct Breakpoint {
  double threshold;
  double slope;  // by how much the sum falls faster per unit of threshold from here on
};

// The t >= least with sum c_i clip(a_i - t c_i) = total, for c_i >= 0 and 0 <= total <= the sum at `least`. A caller who knows that the
// answer is not negative says so: entries that are at 0 there are left out, and the others have at most one breakpoint below it.
inline double box_threshold(std::span<const double> point, std::span<const double> costs, double total,
                            std::vector<Breakpoint>& breakpoints, double least = -std::numeric_limits<double>::infinity()) {
  breakpoints.clear();
  double sum = 0, slope = 0;
  for (size_t i = 0; i < point.size(); ++i) {
    if (costs[i] <= 0 || point[i] <= least * costs[i]) continue;
    const double square = costs[i] * costs[i], start = (point[i] - 1) / costs[i];
    if (start > least) {
      sum += costs[i];
      breakpoints.push_back({start, square});
    } else {
      sum += costs[i] * (point[i] - least * costs[i]);
      slope += square;
    }
    breakpoints.push_back({point[i] / costs[i], -square});
  }
  if (slope > 0) breakpoints.push_back({least, std::exchange(slope, 0.0)});
  if (breakpoints.empty()) return std::max(least, 0.0);
  std::sort(breakpoints.begin(), breakpoints.end(), [](const Breakpoint& a, const Breakpoint& b) { return a.threshold < b.threshold; });
  size_t next = 0;
  for (; next + 1 < breakpoints.size(); ++next) {
    slope += breakpoints[next].slope;
    const double fall = slope > 0 ? slope * (breakpoints[next + 1].threshold - breakpoints[next].threshold) : 0.0;
    if (sum - fall <= total) break;
    sum -= fall;
  }
  // The answer lies in [from, to]; the sum is taken anew there, free of the rounding of the walk.
  const double from = breakpoints[next].threshold;
  const double to = breakpoints[std::min(next + 1, breakpoints.size() - 1)].threshold;
  double fixed = 0, moving = 0;
  for (size_t i = 0; i < point.size(); ++i) {
    if (costs[i] <= 0 || point[i] <= least * costs[i] || point[i] / costs[i] <= from) continue;  // at 0
    const bool at_one = (point[i] - 1) / costs[i] >= to;
    fixed += costs[i] * (at_one ? 1.0 : point[i]);
    if (!at_one) moving += costs[i] * costs[i];
  }
  return moving > 0 ? std::clamp((fixed - total) / moving, from, to) : from;
}

}  // namespace accord::graph
