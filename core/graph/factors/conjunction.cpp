// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/conjunction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/graph/indicator_rows.hpp"
#include "core/graph/log_domain.hpp"

namespace accord::graph {

namespace {

// Of independent variables: log of the probability that all are on, and that not all but `left_out` are. The second is a sum of
// positive terms, by the first variable that is off: nothing is lost where it is small.
double log_all_on(std::span<const double> scores) {
  double sum = 0;
  for (const double score : scores) sum -= softplus(-score);
  return sum;
}

double log_not_all_on(std::span<const double> scores, size_t left_out) {
  double before = 0, peak = impossible, sum = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (i == left_out) continue;
    const double term = before - softplus(scores[i]);
    before -= softplus(-scores[i]);
    if (term == impossible) continue;
    if (term > peak) sum *= std::exp(peak - term), peak = term;
    sum += std::exp(term - peak);
  }
  return peak == impossible ? impossible : peak + std::log(sum);
}

double total(std::span<const double> scores) { return std::accumulate(scores.begin(), scores.end(), 0.0); }

}  // namespace

Conjunction::Conjunction(size_t size, double score) : size_(size), score_(score) {
  if (size == 0) throw std::invalid_argument("a conjunction needs variables");
  if (!std::isfinite(score)) throw std::invalid_argument("the score of a conjunction must be a finite number");
}

double Conjunction::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  // Each variable by its own score; if that turns all on and the score is negative, the cheapest may go.
  double apart = 0, cheapest = std::numeric_limits<double>::infinity();
  bool all = true;
  size_t place = 0;
  for (size_t i = 0; i < size_; ++i) {
    configuration[i] = scores[i] > 0;
    all = all && scores[i] > 0;
    apart += std::max(0.0, scores[i]);
    if (scores[i] < cheapest) cheapest = scores[i], place = i;
  }
  if (all) {
    if (cheapest + score_ >= 0) return apart + score_;
    configuration[place] = 0;
    return apart - cheapest;
  }
  const double together = total(scores) + score_;
  if (together <= apart) return apart;
  std::fill(configuration.begin(), configuration.end(), uint8_t{1});
  return together;
}

double Conjunction::score(std::span<const uint8_t> configuration) {
  return std::all_of(configuration.begin(), configuration.end(), [](uint8_t on) { return on != 0; }) ? score_ : 0.0;
}

double Conjunction::marginals(std::span<const double> scores, std::span<double> out) {
  const double together = log_all_on(scores) + score_, apart = log_not_all_on(scores, size_);
  const double top = std::max(together, apart), sum = std::exp(together - top) + std::exp(apart - top);
  double log_partition = top + std::log(sum);
  for (size_t i = 0; i < size_; ++i) {
    const double with = log_not_all_on(scores, i) - softplus(-scores[i]);
    out[i] = std::min(1.0, (std::exp(together - top) + std::exp(with - top)) / sum);
    log_partition += softplus(scores[i]);
  }
  return log_partition;
}

void Conjunction::part_marginals(std::span<const double> scores, std::span<double> out) {
  const double together = log_all_on(scores) + score_, apart = log_not_all_on(scores, size_), top = std::max(together, apart);
  out[0] = std::exp(together - top) / (std::exp(together - top) + std::exp(apart - top));
}

double Conjunction::expected_own(std::span<const double> scores) {
  double joint = 0;
  part_marginals(scores, {&joint, 1});
  return score_ * joint;
}

double Conjunction::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  double apart = 0, cheapest = std::numeric_limits<double>::infinity(), second = cheapest;
  size_t off = 0;  // variables that are off by their own scores
  for (const double score : scores) {
    apart += std::max(0.0, score);
    off += score <= 0;
    second = std::min(second, std::max(cheapest, score));
    cheapest = std::min(cheapest, score);
  }
  const double together = total(scores) + score_;
  double best = impossible;
  for (size_t i = 0; i < size_; ++i) {
    const double others = apart - std::max(0.0, scores[i]);
    zero[i] = others;
    // With i on, some other variable stays off: for free when one is off anyway, else at the price of the cheapest of them.
    const double price = off > (scores[i] <= 0 ? 1 : 0) ? 0.0 : scores[i] == cheapest ? second : cheapest;
    one[i] = std::max(scores[i] + others - price, together);
    best = std::max({best, zero[i], one[i]});
  }
  return best;
}

void Conjunction::rows(RowSink& sink) {
  std::vector<int> variables(size_);
  std::iota(variables.begin(), variables.end(), 0);
  emit_conjunction(sink, variables, score_);
}

}  // namespace accord::graph
