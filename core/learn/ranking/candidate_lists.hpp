// SPDX-License-Identifier: Apache-2.0
// Lists of candidates as sparse rows of features, and linear models that rank them.
//
// Score of a candidate: sum over its features of weight times value. p is the softmax of the scores of a list, `cost` says how much worse
// a candidate is than the best one of its list, which costs 0.
//
//   likelihood:  - sum over lists of log p(candidates that cost 0)
//   margin:      the same with cost added to each score: softmax-margin (Gimpel & Smith 2010)
//   risk:        sum over lists of the cost to be expected: sum over candidates of p times cost
//
// Each has l2 |w|^2 / 2 besides. Likelihood and margin are convex where one candidate of each list costs 0.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace accord::learn {

enum class ListLoss { likelihood, margin, risk };

struct CandidateLists {
  size_t width = 0;             // number of features
  std::vector<int64_t> lists;   // candidates of list i are [lists[i], lists[i + 1])
  std::vector<int64_t> starts;  // entries of candidate c are [starts[c], starts[c + 1]), their features in rising order
  std::vector<int32_t> features;
  std::vector<float> values;
  std::vector<double> costs;  // of candidates

  size_t candidates() const { return costs.size(); }
  size_t size() const { return lists.empty() ? 0 : lists.size() - 1; }
  void check() const;  // std::invalid_argument where the parts do not fit together
  double score(size_t candidate, std::span<const double> weights) const;
};

// The objective and its gradient; `threads` does not change the result.
double list_objective(const CandidateLists& lists, std::span<const double> weights, ListLoss loss, double l2, std::span<double> gradient,
                      int threads);

// Weights that minimise the objective, by L-BFGS. `stop` is asked after each iteration.
std::vector<double> fit_lists(const CandidateLists& lists, ListLoss loss, double l2, int iterations, int threads,
                              const std::function<bool()>& stop);

// Steps by mistakes: where a worse candidate scores within its cost of the best one, the weights move just far enough, at most
// `longest` times the difference (MIRA, Crammer et al. 2006). The result is the mean of the weights over all lists seen.
class ListMira {
 public:
  ListMira(CandidateLists lists, double longest);
  // One pass over these lists in this order; returns the sum of the costs of the candidates that came out on top.
  double pass(std::span<const int64_t> order);
  std::vector<double> mean() const;

 private:
  CandidateLists lists_;
  double longest_;
  std::vector<double> weights_, sums_;  // sums_: each change times the number of lists seen before it
  double seen_ = 0;
};

}  // namespace accord::learn
