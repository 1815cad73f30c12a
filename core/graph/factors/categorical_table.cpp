// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/categorical_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/graph/factors/values/exclusive_values.hpp"

namespace accord::graph {

CategoricalTable::CategoricalTable(const std::vector<int>& values, std::shared_ptr<const std::vector<double>> scores)
    : shared_scores_(std::move(scores)),
      scores_(*shared_scores_) {
  if (values.empty()) throw std::invalid_argument("a table needs at least one variable");
  size_t tuples = 1;
  for (const int count : values) {
    if (count < 1) throw std::invalid_argument("every variable of a table needs a value");
    tuples *= static_cast<size_t>(count);
    if (tuples > most_tuples) throw std::invalid_argument("a table has at most " + std::to_string(most_tuples) + " entries");
    values_.push_back(static_cast<size_t>(count));
    first_.push_back(size_);
    size_ += static_cast<size_t>(count);
  }
  check_score_table(scores_, tuples, "table");
}

template <typename Visit>
void CategoricalTable::for_each_value(size_t tuple, Visit&& visit) const {
  for (size_t k = values_.size(); k-- > 0; tuple /= values_[k]) visit(first_[k] + tuple % values_[k]);
}

// Variable by variable: the totals of all settings of the first ones, each extended by every value of the next.
double CategoricalTable::add_up(std::span<const double> scores) {
  totals_.resize(scores_.size());
  totals_[0] = 0;
  size_t count = 1;
  for (size_t k = 0; k < values_.size(); ++k) {
    for (size_t setting = count; setting-- > 0;) {  // from the last, so that nothing is overwritten before it was read
      const double total = totals_[setting];
      for (size_t value = values_[k]; value-- > 0;) totals_[setting * values_[k] + value] = total + scores[first_[k] + value];
    }
    count *= values_[k];
  }
  double best = impossible;
  for (size_t tuple = 0; tuple < totals_.size(); ++tuple) best = std::max(best, totals_[tuple] += scores_[tuple]);
  return best;
}

double CategoricalTable::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const double best = add_up(scores);
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  const auto tuple = static_cast<size_t>(std::find(totals_.begin(), totals_.end(), best) - totals_.begin());
  for_each_value(tuple, [&](size_t place) { configuration[place] = 1; });
  return best;
}

double CategoricalTable::score(std::span<const uint8_t> configuration) {
  size_t tuple = 0;
  for (size_t k = 0; k < values_.size(); ++k) {
    const size_t chosen = only_value(configuration.subspan(first_[k], values_[k]));
    if (chosen == no_value) return impossible;
    tuple = tuple * values_[k] + chosen;
  }
  return scores_[tuple];
}

double CategoricalTable::marginals(std::span<const double> scores, std::span<double> out) {
  const double best = add_up(scores);
  std::fill(out.begin(), out.end(), 0.0);
  if (best == impossible) return impossible;
  double sum = 0;
  for (size_t tuple = 0; tuple < totals_.size(); ++tuple) {
    const double weight = std::exp(totals_[tuple] - best);
    if (weight == 0) continue;
    sum += weight;
    for_each_value(tuple, [&](size_t place) { out[place] += weight; });
  }
  for (double& mass : out) mass = std::min(1.0, mass / sum);
  return best + std::log(sum);
}

double CategoricalTable::log_marginals(std::span<const double> scores, std::span<double> out) {
  const double best = add_up(scores);
  tops_.assign(size_, impossible);
  std::fill(out.begin(), out.end(), 0.0);
  for (size_t tuple = 0; tuple < totals_.size(); ++tuple)
    for_each_value(tuple, [&](size_t place) { tops_[place] = std::max(tops_[place], totals_[tuple]); });
  double sum = 0;
  for (size_t tuple = 0; tuple < totals_.size() && best > impossible; ++tuple) {
    const double total = totals_[tuple];
    if (total == impossible) continue;
    sum += std::exp(total - best);
    for_each_value(tuple, [&](size_t place) { out[place] += std::exp(total - tops_[place]); });
  }
  for (size_t place = 0; place < size_; ++place) out[place] = tops_[place] == impossible ? impossible : tops_[place] + std::log(out[place]);
  return best == impossible ? impossible : best + std::log(sum);
}

double CategoricalTable::expected_own(std::span<const double> scores) {
  const double best = add_up(scores);
  double expected = 0, sum = 0;
  for (size_t tuple = 0; tuple < totals_.size() && best > impossible; ++tuple) {
    if (scores_[tuple] == impossible) continue;
    const double weight = std::exp(totals_[tuple] - best);
    expected += weight * scores_[tuple];
    sum += weight;
  }
  return sum > 0 ? expected / sum : 0;
}

double CategoricalTable::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = add_up(scores);
  std::fill(one.begin(), one.end(), impossible);
  for (size_t tuple = 0; tuple < totals_.size(); ++tuple)
    for_each_value(tuple, [&](size_t place) { one[place] = std::max(one[place], totals_[tuple]); });
  for (size_t k = 0; k < values_.size(); ++k) best_of_others(one.subspan(first_[k], values_[k]), zero.subspan(first_[k], values_[k]));
  return best;
}

void CategoricalTable::rows(RowSink& sink) {
  std::vector<int> all;
  std::vector<std::vector<int>> with(size_);
  for (size_t tuple = 0; tuple < scores_.size(); ++tuple) {
    if (scores_[tuple] == impossible) continue;
    all.push_back(sink.column(scores_[tuple], false));
    for_each_value(tuple, [&](size_t place) { with[place].push_back(all.back()); });
  }
  sink.row(1, all, std::vector<double>(all.size(), 1.0), 1);
  for (size_t place = 0; place < size_; ++place) {
    std::vector<double> coefficients(with[place].size(), 1.0);
    with[place].push_back(static_cast<int>(place));
    coefficients.push_back(-1);
    sink.row(0, with[place], coefficients, 0);
  }
}

}  // namespace accord::graph
