// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/cardinality.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace accord::graph {

Cardinality::Cardinality(std::vector<double> count_scores) : count_scores_(std::move(count_scores)) {
  if (count_scores_.size() < 2) throw std::invalid_argument("a cardinality needs scores for 0 and for 1 at least");
  for (const double score : count_scores_)
    if (!(score < -impossible)) throw std::invalid_argument("scores of counts are finite or -infinity");
  const auto allowed = [](double score) { return score > impossible; };
  const auto first = std::find_if(count_scores_.begin(), count_scores_.end(), allowed);
  if (first != count_scores_.end()) {
    const auto last = std::find_if(count_scores_.rbegin(), count_scores_.rend(), allowed).base();
    low_ = static_cast<size_t>(first - count_scores_.begin());
    high_ = static_cast<size_t>(last - count_scores_.begin()) - 1;
    concave_ = std::all_of(first, last, allowed);
    interval_ = std::all_of(first, last, [&](double score) { return score == *first; });
    for (size_t count = low_; concave_ && count + 2 <= high_; ++count) concave_ = slope(count + 1) <= slope(count);
  }
  ones_.assign(size(), 1.0);
  steps_.assign(size(), 1);
}

void Cardinality::sort_by_score(std::span<const double> scores) {
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  prefix_.assign(1, 0.0);
  for (const uint32_t item : order_) prefix_.push_back(prefix_.back() + scores[item]);
}

double Cardinality::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  sort_by_score(scores);
  double best = impossible;
  size_t best_count = 0;
  for (size_t count = 0; count < count_scores_.size(); ++count) {
    const double value = prefix_[count] + count_scores_[count];
    if (value > best) best = value, best_count = count;
  }
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  for (size_t rank = 0; rank < best_count; ++rank) configuration[order_[rank]] = 1;
  return best;
}

double Cardinality::score(std::span<const uint8_t> configuration) {
  const auto on = std::count_if(configuration.begin(), configuration.end(), [](uint8_t v) { return v != 0; });
  return count_scores_[static_cast<size_t>(on)];
}

// Weights of the counts by adding one item at a time, O(n^2), in the log domain.
void Cardinality::part_marginals(std::span<const double> scores, std::span<double> out) {
  std::vector<double> counts(scores.size() + 1, impossible);
  counts[0] = 0;
  for (size_t i = 0; i < scores.size(); ++i)
    for (size_t k = i + 1; k > 0; --k) {
      const double with = counts[k - 1] + scores[i], without = counts[k], top = std::max(with, without);
      if (top > impossible) counts[k] = top + std::log(std::exp(with - top) + std::exp(without - top));
    }
  double best = impossible, sum = 0;
  for (size_t k = 0; k < counts.size(); ++k) best = std::max(best, counts[k] + count_scores_[k]);
  std::fill(out.begin(), out.end(), 0.0);
  if (best == impossible) return;
  for (size_t k = 0; k < counts.size(); ++k) sum += out[k] = std::exp(counts[k] + count_scores_[k] - best);
  for (double& probability : out) probability /= sum;
}

double Cardinality::expected_own(std::span<const double> scores) {
  std::vector<double> probabilities(parts());
  part_marginals(scores, probabilities);
  double expected = 0;
  for (size_t k = 0; k < probabilities.size(); ++k)
    if (probabilities[k] > 0) expected += probabilities[k] * count_scores_[k];
  return expected;
}

double Cardinality::marginals(std::span<const double> scores, std::span<double> out) {
  return lattice_.marginals({scores, steps_, std::span(count_scores_).first(high_ + 1)}, out);
}

// The best set of a given count without the item of rank r: the first ones, or one more than these less the item. With it:
// the first ones if they reach r, else one fewer and the item. Running maxima over counts from both ends answer all r.
double Cardinality::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  sort_by_score(scores);
  const size_t items = size();
  // suffix_[2r], suffix_[2r + 1]: best over counts above r of the first `count` items, of the first `count` + 1 items.
  suffix_.assign(2 * (items + 1), impossible);
  for (size_t r = items; r-- > 0;) {
    suffix_[2 * r] = std::max(suffix_[2 * r + 2], count_scores_[r + 1] + prefix_[r + 1]);
    if (r + 1 < items) suffix_[2 * r + 1] = std::max(suffix_[2 * r + 3], count_scores_[r + 1] + prefix_[r + 2]);
  }
  double reaching = impossible;   // best over counts up to r of the first `count` items
  double one_fewer = impossible;  // best over counts 1..r of the first `count` - 1 items
  for (size_t r = 0; r < items; ++r) {
    reaching = std::max(reaching, count_scores_[r] + prefix_[r]);
    if (r > 0) one_fewer = std::max(one_fewer, count_scores_[r] + prefix_[r - 1]);
    const uint32_t item = order_[r];
    // Past an item that is impossible all others are too: no larger set can do without it.
    const double beyond = scores[item] == impossible ? impossible : suffix_[2 * r + 1] - scores[item];
    zero[item] = std::max(reaching, beyond);
    one[item] = std::max(suffix_[2 * r], one_fewer + scores[item]);
  }
  return std::max(reaching, suffix_[2 * items - 2]);
}

void Cardinality::project(std::span<const double> target, double weight, std::span<double> z) {
  const auto clip_at = [&](double threshold) {
    double sum = 0;
    for (size_t i = 0; i < z.size(); ++i) sum += z[i] = clip(target[i] - threshold);
    return sum;
  };
  // The first count whose next step the slope of the scores no longer pays for; slopes fall, so this can be bisected.
  size_t count = low_, above = high_;
  while (count < above) {
    const size_t middle = (count + above) / 2;
    if (clip_at(-weight * slope(middle)) > static_cast<double>(middle + 1)) count = middle + 1;
    else above = middle;
  }
  if (count < high_ && clip_at(-weight * slope(count)) >= static_cast<double>(count)) return;
  clip_at(box_threshold(target, ones_, static_cast<double>(count), breakpoints_));
}

void Cardinality::rows(RowSink& sink) {
  std::vector<int> columns(size());
  std::iota(columns.begin(), columns.end(), 0);
  std::vector<double> coefficients(size(), 1.0);
  if (interval_) {
    sink.row(static_cast<double>(low_), columns, coefficients, static_cast<double>(high_));
    sink.add_constant(count_scores_[low_]);
    return;
  }
  std::vector<int> indicators;
  for (size_t count = 0; count < count_scores_.size(); ++count) {
    if (count_scores_[count] == impossible) continue;
    // A mixture of counts never beats the count between them when the scores are concave, and must be forbidden if not.
    indicators.push_back(sink.column(count_scores_[count], !concave_));
    columns.push_back(indicators.back());
    coefficients.push_back(-static_cast<double>(count));
  }
  sink.row(1, indicators, std::vector<double>(indicators.size(), 1.0), 1);
  sink.row(0, columns, coefficients, 0);
}

}  // namespace accord::graph
