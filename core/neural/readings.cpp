// SPDX-License-Identifier: Apache-2.0
#include "core/neural/readings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace accord::neural {

TagReadings::TagReadings(std::vector<int32_t> rows, size_t tasks) : tasks_(tasks) {
  if (tasks == 0 || rows.empty() || rows.size() % tasks != 0) throw std::invalid_argument("readings must have a class for each task");
  std::vector<std::vector<int32_t>> sorted;
  for (size_t at = 0; at < rows.size(); at += tasks)
    sorted.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.begin() + static_cast<std::ptrdiff_t>(at + tasks));
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw std::invalid_argument("a reading stands twice");
  for (const std::vector<int32_t>& row : sorted) {
    if (*std::min_element(row.begin(), row.end()) < 0) throw std::invalid_argument("a reading has no class for some task");
    if (rows_.empty() || row[0] != rows_[rows_.size() - tasks]) groups_.emplace_back(size(), size());
    rows_.insert(rows_.end(), row.begin(), row.end());
    groups_.back().second = size();
  }
}

int32_t TagReadings::largest(size_t task) const {
  int32_t found = -1;
  for (size_t reading = 0; reading < size(); ++reading) found = std::max(found, at(reading, task));
  return found;
}

void TagReadings::add_up(Scores scores, std::vector<double>& sums) const {
  sums.assign(size(), 0.0);
  double top = -std::numeric_limits<double>::infinity();
  for (size_t reading = 0; reading < sums.size(); ++reading) {
    for (size_t task = 0; task < tasks_; ++task) sums[reading] += static_cast<double>(scores[task][static_cast<size_t>(at(reading, task))]);
    top = std::max(top, sums[reading]);
  }
  for (double& sum : sums) sum -= top;
}

size_t TagReadings::choose(Scores scores, std::vector<double>& sums) const {
  add_up(scores, sums);
  const auto best_of = [&](const std::pair<size_t, size_t>& group) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(group.first),
               end = sums.begin() + static_cast<std::ptrdiff_t>(group.second);
    return static_cast<size_t>(std::max_element(begin, end) - sums.begin());
  };
  const size_t best = static_cast<size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  // Another group can win only if all of its readings together may be as probable as the best reading alone.
  bool close = false;
  for (const auto& group : groups_)
    close = close || ((best < group.first || best >= group.second) &&
                      sums[best_of(group)] + std::log(static_cast<double>(group.second - group.first)) >= 0.0);
  if (!close) return best;
  size_t chosen = best;
  double most = -1.0;
  for (const auto& group : groups_) {
    double total = 0;
    for (size_t reading = group.first; reading < group.second; ++reading) total += std::exp(sums[reading]);
    if (total > most) most = total, chosen = best_of(group);
  }
  return chosen;
}

void TagReadings::logs(Scores scores, size_t task, std::vector<double>& sums, std::span<float> out) const {
  add_up(scores, sums);
  std::vector<double> shares(out.size(), 0.0);
  double total = 0;
  for (size_t reading = 0; reading < sums.size(); ++reading) {
    const double share = std::exp(sums[reading]);
    shares[static_cast<size_t>(at(reading, task))] += share;
    total += share;
  }
  for (size_t one = 0; one < out.size(); ++one) out[one] = static_cast<float>(std::log(shares[one]) - std::log(total));
}

}  // namespace accord::neural
