// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace accord::graph {

void Pair::set_score(double score) {
  if (!std::isfinite(score)) throw std::invalid_argument("the score of a pair must be a finite number");
  score_ = score;
}

double Pair::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const std::array<double, 4> values = {0, scores[0], scores[1], scores[0] + scores[1] + score_};
  const auto best = static_cast<unsigned>(std::max_element(values.begin(), values.end()) - values.begin());
  configuration[0] = best & 1;
  configuration[1] = best >> 1;
  return values[best];
}

double Pair::score(std::span<const uint8_t> configuration) { return configuration[0] && configuration[1] ? score_ : 0.0; }

double Pair::marginals(std::span<const double> scores, std::span<double> out) {
  const double both = scores[0] + scores[1] + score_;
  const double top = std::max({0.0, scores[0], scores[1], both});
  const double none = std::exp(-top), first = std::exp(scores[0] - top), second = std::exp(scores[1] - top);
  const double joint = std::exp(both - top), total = none + first + second + joint;
  out[0] = (first + joint) / total;
  out[1] = (second + joint) / total;
  return top + std::log(total);
}

void Pair::part_marginals(std::span<const double> scores, std::span<double> out) {
  const double both = scores[0] + scores[1] + score_;
  const double top = std::max({0.0, scores[0], scores[1], both});
  const double joint = std::exp(both - top);
  out[0] = joint / (std::exp(-top) + std::exp(scores[0] - top) + std::exp(scores[1] - top) + joint);
}

double Pair::expected_own(std::span<const double> scores) {
  double joint = 0;
  part_marginals(scores, {&joint, 1});
  return score_ * joint;
}

double Pair::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double both = scores[0] + scores[1] + score_;
  zero[0] = std::max(0.0, scores[1]);
  zero[1] = std::max(0.0, scores[0]);
  one[0] = std::max(scores[0], both);
  one[1] = std::max(scores[1], both);
  return std::max(zero[0], one[0]);
}

void Pair::project(std::span<const double> target, double weight, std::span<double> z) {
  const double first = target[0], second = target[1];
  const double reward = std::max(0.0, weight * score_), penalty = std::max(0.0, -weight * score_);  // one of them is 0
  const double to_first = std::clamp((second - first + reward) / 2, 0.0, reward);
  const double back = std::clamp((first + second - 1) / 2, 0.0, penalty);
  z[0] = std::clamp(first + to_first - back, 0.0, 1.0);
  z[1] = std::clamp(second + (reward - to_first) - back, 0.0, 1.0);
}

void Pair::rows(RowSink& sink) {
  const int both = sink.column(score_, false);
  const std::array<int, 2> with_first = {both, 0}, with_second = {both, 1};
  const std::array<int, 3> all = {both, 0, 1};
  const std::array<double, 2> below = {1, -1};
  const std::array<double, 3> overlap = {-1, 1, 1};
  sink.row(impossible, with_first, below, 0);
  sink.row(impossible, with_second, below, 0);
  sink.row(impossible, all, overlap, 1);
}

}  // namespace accord::graph
