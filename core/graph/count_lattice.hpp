// SPDX-License-Identifier: Apache-2.0
// Sums and maxima over subsets that are scored by their members and by their total.
//
// Set:        all subsets of n items; item i weighs steps_i (a whole number) and scores s_i.
// Score:      sum of the scores of the members + final[total of their steps]; totals outside `final` are not allowed.
// Method:     a path through states (items seen, total so far), forwards and backwards: O(n width) time and memory,
//             width = number of totals. Only sums of positive terms, in the log domain: nothing cancels.
// Counts are the case of steps of one (Cardinality), budgets that of steps = costs and final = 0 (Budget), sums that must lie in an
// interval that of final = -infinity outside (CostInterval).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/log_domain.hpp"

namespace accord::graph {

struct CountProblem {
  std::span<const double> scores;
  std::span<const int32_t> steps;
  std::span<const double> final_scores;  // by total, not empty
};

class CountLattice {
 public:
  // P(item i is a member), returns log of the sum over all subsets.
  double marginals(const CountProblem& problem, std::span<double> out) {
    const double log_sum = run<LogSum>(problem);
    if (log_sum == impossible) {
      std::fill(out.begin(), out.end(), 0.0);
      return impossible;
    }
    walk_back<LogSum>(problem, [&](size_t item, auto&& through) {
      double sum = 0;
      through(true, [&](double value) { sum += std::exp(value - log_sum); });
      out[item] = std::min(1.0, sum);
    });
    return log_sum;
  }

  // The best subset; returns its value. An item whose presence makes no difference is left out.
  double maximize(const CountProblem& problem, std::span<uint8_t> chosen) {
    const double best = run<Maximum>(problem);
    std::fill(chosen.begin(), chosen.end(), uint8_t{0});
    if (best == impossible) return best;
    const size_t items = problem.scores.size(), width = problem.final_scores.size();
    size_t total = 0;
    while (forward_[items * width + total] + problem.final_scores[total] != best) ++total;
    for (size_t i = items; i-- > 0;) {
      if (forward_[(i + 1) * width + total] == forward_[i * width + total]) continue;
      chosen[i] = 1;
      total -= static_cast<size_t>(problem.steps[i]);
    }
    return best;
  }

  // Best value without and with each item, returns the best of all.
  double max_marginals(const CountProblem& problem, std::span<double> zero, std::span<double> one) {
    const double best = run<Maximum>(problem);
    walk_back<Maximum>(problem, [&](size_t item, auto&& through) {
      zero[item] = one[item] = impossible;
      through(false, [&](double value) { zero[item] = std::max(zero[item], value); });
      through(true, [&](double value) { one[item] = std::max(one[item], value); });
    });
    return best;
  }

 private:
  struct LogSum {
    static double add(double a, double b) { return log_add(a, b); }
  };
  struct Maximum {
    static double add(double a, double b) { return std::max(a, b); }
  };

  // Row i of forward_: subsets of the first i items by total. Returns the value of all complete paths.
  template <class Sum>
  double run(const CountProblem& problem) {
    const size_t items = problem.scores.size(), width = problem.final_scores.size();
    forward_.assign((items + 1) * width, impossible);
    forward_[0] = 0;
    for (size_t i = 0; i < items; ++i) {
      const double* from = &forward_[i * width];
      double* to = &forward_[(i + 1) * width];
      const auto step = static_cast<size_t>(problem.steps[i]);
      std::copy(from, from + width, to);
      for (size_t total = step; total < width; ++total) to[total] = Sum::add(to[total], from[total - step] + problem.scores[i]);
    }
    double value = impossible;
    for (size_t total = 0; total < width; ++total) value = Sum::add(value, forward_[items * width + total] + problem.final_scores[total]);
    return value;
  }

  // From the last item to the first, visit(item, through): through(member, use) gives `use` the value of all complete
  // paths through each state before the item, the item being a member or not.
  template <class Sum, typename Visit>
  void walk_back(const CountProblem& problem, Visit&& visit) {
    const size_t items = problem.scores.size(), width = problem.final_scores.size();
    backward_.assign(problem.final_scores.begin(), problem.final_scores.end());
    for (size_t i = items; i-- > 0;) {
      const double* before = &forward_[i * width];
      const auto step = static_cast<size_t>(problem.steps[i]);
      visit(i, [&](bool member, auto&& use) {
        const size_t shift = member ? step : 0;
        const double score = member ? problem.scores[i] : 0.0;
        for (size_t total = 0; total + shift < width; ++total) use(before[total] + score + backward_[total + shift]);
      });
      // Ascending totals read only what this item has not changed yet (a step of zero reads and writes one place).
      for (size_t total = 0; total + step < width; ++total)
        backward_[total] = Sum::add(backward_[total], problem.scores[i] + backward_[total + step]);
    }
  }

  std::vector<double> forward_, backward_;
};

}  // namespace accord::graph
