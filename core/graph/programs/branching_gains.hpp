// SPDX-License-Identifier: Apache-2.0
// How much a bound falls when a column is rounded down or up, learned from the branches of a search (pseudo-costs; Achterberg, Koch &
// Martin 2005, "Branching rules revisited").
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace accord::graph {

class BranchingGains {
 public:
  explicit BranchingGains(size_t columns) : sums_(columns), counts_(columns) {}

  // The bound fell by `gain` when a column of this fraction was rounded up or down.
  void note(size_t column, bool up, double fraction, double gain) {
    const double rate = gain / std::max(up ? 1 - fraction : fraction, 1e-6);
    sums_[column][up] += rate;
    ++counts_[column][up];
    total_[up] += rate;
    ++total_count_[up];
  }

  int reliability(size_t column) const { return std::min(counts_[column][0], counts_[column][1]); }

  double gain(size_t column, bool up, double fraction) const {
    const int count = counts_[column][up];
    const double rate = count > 0 ? sums_[column][up] / count : total_count_[up] > 0 ? total_[up] / total_count_[up] : 1.0;
    return rate * (up ? 1 - fraction : fraction);
  }

  // Both sides count: a branch is worth what its poorer side gains, mostly.
  static double worth(double down, double up) { return std::max(down, 1e-9) * std::max(up, 1e-9); }
  double worth(size_t column, double fraction) const { return worth(gain(column, false, fraction), gain(column, true, fraction)); }

 private:
  std::vector<std::array<double, 2>> sums_;
  std::vector<std::array<int, 2>> counts_;
  std::array<double, 2> total_ = {0, 0};
  std::array<int, 2> total_count_ = {0, 0};
};

}  // namespace accord::graph
