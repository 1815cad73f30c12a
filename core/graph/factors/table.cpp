// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace accord::graph {

Table::Table(int variables, std::vector<double> scores) : size_(static_cast<size_t>(variables)), scores_(std::move(scores)) {
  if (variables < 1 || variables > most_variables)
    throw std::invalid_argument("a table has 1 to " + std::to_string(most_variables) + " variables, not " + std::to_string(variables));
  if (scores_.size() != size_t{1} << size_)
    throw std::invalid_argument("a table over " + std::to_string(variables) + " variables needs " + std::to_string(size_t{1} << size_) +
                                " scores, not " + std::to_string(scores_.size()));
  for (const double score : scores_)
    if (!(score < -impossible)) throw std::invalid_argument("scores of a table are finite or -infinity");
  totals_.resize(scores_.size());
}

double Table::add_up(std::span<const double> scores) {
  totals_[0] = 0;
  for (size_t i = 0; i < size_; ++i) {
    const size_t half = size_t{1} << i;
    for (size_t bits = 0; bits < half; ++bits) totals_[half + bits] = totals_[bits] + scores[i];
  }
  double best = impossible;
  for (size_t bits = 0; bits < totals_.size(); ++bits) best = std::max(best, totals_[bits] += scores_[bits]);
  return best;
}

double Table::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const double best = add_up(scores);
  const auto bits = static_cast<size_t>(std::find(totals_.begin(), totals_.end(), best) - totals_.begin());
  for (size_t i = 0; i < size_; ++i) configuration[i] = static_cast<uint8_t>(bits >> i & 1);
  return best;
}

double Table::score(std::span<const uint8_t> configuration) {
  size_t bits = 0;
  for (size_t i = 0; i < size_; ++i) bits |= size_t{configuration[i] != 0} << i;
  return scores_[bits];
}

double Table::marginals(std::span<const double> scores, std::span<double> out) {
  const double best = add_up(scores);
  if (best == impossible) {
    std::fill(out.begin(), out.end(), 0.0);
    return impossible;
  }
  for (double& total : totals_) total = std::exp(total - best);
  for (size_t i = size_; i-- > 0;) {
    const size_t half = size_t{1} << i;
    out[i] = 0;
    for (size_t bits = 0; bits < half; ++bits) {
      out[i] += totals_[half + bits];
      totals_[bits] += totals_[half + bits];
    }
  }
  for (double& sum : out) sum = std::min(1.0, sum / totals_[0]);
  return best + std::log(totals_[0]);
}

double Table::expected_own(std::span<const double> scores) {
  const double best = add_up(scores);
  double expected = 0, sum = 0;
  for (size_t bits = 0; bits < totals_.size() && best > impossible; ++bits) {
    if (scores_[bits] == impossible) continue;
    const double weight = std::exp(totals_[bits] - best);
    expected += weight * scores_[bits];
    sum += weight;
  }
  return sum > 0 ? expected / sum : 0;
}

double Table::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = add_up(scores);
  for (size_t i = size_; i-- > 0;) {
    const size_t half = size_t{1} << i;
    zero[i] = one[i] = impossible;
    for (size_t bits = 0; bits < half; ++bits) {
      zero[i] = std::max(zero[i], totals_[bits]);
      one[i] = std::max(one[i], totals_[half + bits]);
      totals_[bits] = std::max(totals_[bits], totals_[half + bits]);
    }
  }
  return best;
}

// One column per allowed assignment; when the variables are integral the columns cannot but follow.
void Table::rows(RowSink& sink) {
  std::vector<int> all;
  std::vector<std::vector<int>> with(size_);
  for (size_t bits = 0; bits < scores_.size(); ++bits) {
    if (scores_[bits] == impossible) continue;
    all.push_back(sink.column(scores_[bits], false));
    for (size_t i = 0; i < size_; ++i)
      if (bits >> i & 1) with[i].push_back(all.back());
  }
  sink.row(1, all, std::vector<double>(all.size(), 1.0), 1);
  for (size_t i = 0; i < size_; ++i) {
    std::vector<double> coefficients(with[i].size(), 1.0);
    with[i].push_back(static_cast<int>(i));
    coefficients.push_back(-1);
    sink.row(0, with[i], coefficients, 0);
  }
}

}  // namespace accord::graph
