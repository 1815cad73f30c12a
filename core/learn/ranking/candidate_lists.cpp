// SPDX-License-Identifier: Apache-2.0
#include "core/learn/ranking/candidate_lists.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/learn/lbfgs.hpp"
#include "core/parallel.hpp"

namespace accord::learn {

namespace {

// Softmax of the scores in place; returns the log of their sum. Scores of -infinity have probability 0.
double softmax(std::span<double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& one : scores) sum += one = std::exp(one - top);
  for (double& one : scores) one /= sum;
  return top + std::log(sum);
}

// The loss of a list; `scores` become the derivatives of the loss with respect to them.
double list_loss(std::span<double> scores, std::span<const double> costs, ListLoss loss, std::vector<double>& best) {
  if (loss == ListLoss::risk) {
    softmax(scores);
    double expected = 0;
    for (size_t c = 0; c < scores.size(); ++c) expected += scores[c] * costs[c];
    for (size_t c = 0; c < scores.size(); ++c) scores[c] *= costs[c] - expected;
    return expected;
  }
  best.clear();
  for (size_t c = 0; c < scores.size(); ++c)
    if (costs[c] == 0) best.push_back(scores[c]);
  if (best.empty()) throw std::invalid_argument("lists: one candidate of each list costs 0");
  if (loss == ListLoss::margin)
    for (size_t c = 0; c < scores.size(); ++c) scores[c] += costs[c];
  const double value = softmax(scores) - softmax(best);
  for (size_t c = 0, b = 0; c < scores.size(); ++c)
    if (costs[c] == 0) scores[c] -= best[b++];
  return value;
}

}  // namespace

void CandidateLists::check() const {
  const auto need = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const auto count = static_cast<int64_t>(costs.size());
  need(!lists.empty() && lists.front() == 0 && lists.back() == count && std::is_sorted(lists.begin(), lists.end()),
       "lists: starts of lists do not fit the candidates");
  for (size_t i = 0; i + 1 < lists.size(); ++i) need(lists[i] < lists[i + 1], "lists: a list has at least one candidate");
  need(starts.size() == costs.size() + 1 && starts.front() == 0 && starts.back() == static_cast<int64_t>(features.size()) &&
           values.size() == features.size() && std::is_sorted(starts.begin(), starts.end()),
       "lists: starts of candidates do not fit their entries");
  for (const int32_t feature : features) need(feature >= 0 && static_cast<size_t>(feature) < width, "lists: an entry of no feature");
  for (const float value : values) need(std::isfinite(value), "lists: a value is a finite number");
  for (const double cost : costs) need(std::isfinite(cost) && cost >= 0, "lists: a cost is a finite number that is not negative");
}

double CandidateLists::score(size_t candidate, std::span<const double> weights) const {
  double sum = 0;
  for (auto i = static_cast<size_t>(starts[candidate]); i < static_cast<size_t>(starts[candidate + 1]); ++i)
    sum += weights[static_cast<size_t>(features[i])] * static_cast<double>(values[i]);
  return sum;
}

double list_objective(const CandidateLists& lists, std::span<const double> weights, ListLoss loss, double l2, std::span<double> gradient,
                      int threads) {
  std::vector<double> slopes(lists.candidates()), losses(lists.size());
  std::vector<std::vector<double>> best(static_cast<size_t>(thread_count(threads, lists.size())));
  parallel_for(lists.size(), threads, [&](int worker, size_t list) {
    const auto begin = static_cast<size_t>(lists.lists[list]), end = static_cast<size_t>(lists.lists[list + 1]);
    for (size_t c = begin; c < end; ++c) slopes[c] = lists.score(c, weights);
    losses[list] = list_loss(std::span(slopes).subspan(begin, end - begin), std::span(lists.costs).subspan(begin, end - begin), loss,
                             best[static_cast<size_t>(worker)]);
  });
  double value = 0;
  for (const double one : losses) value += one;
  for (size_t k = 0; k < weights.size(); ++k) {
    value += l2 / 2 * weights[k] * weights[k];
    gradient[k] = l2 * weights[k];
  }
  for (size_t c = 0; c < lists.candidates(); ++c) {
    if (slopes[c] == 0) continue;
    for (auto i = static_cast<size_t>(lists.starts[c]); i < static_cast<size_t>(lists.starts[c + 1]); ++i)
      gradient[static_cast<size_t>(lists.features[i])] += slopes[c] * static_cast<double>(lists.values[i]);
  }
  return value;
}

std::vector<double> fit_lists(const CandidateLists& lists, ListLoss loss, double l2, int iterations, int threads,
                              const std::function<bool()>& stop) {
  lists.check();
  std::vector<double> weights(lists.width);
  const auto evaluate = [&](std::span<const double> at, std::span<double> gradient) {
    return list_objective(lists, at, loss, l2, gradient, threads);
  };
  LbfgsSettings settings;
  settings.iterations = iterations;
  minimize_lbfgs(weights, evaluate, settings, [&](const LbfgsReport&) { return !stop(); });
  return weights;
}

ListMira::ListMira(CandidateLists lists, double longest) : lists_(std::move(lists)), longest_(longest) {
  lists_.check();
  if (!(longest > 0)) throw std::invalid_argument("lists: the longest step is more than 0");
  weights_.resize(lists_.width);
  sums_.resize(lists_.width);
}

double ListMira::pass(std::span<const int64_t> order) {
  double mistakes = 0;
  std::vector<std::pair<size_t, double>> difference;
  for (const int64_t each : order) {
    const auto list = static_cast<size_t>(each);
    if (list >= lists_.size()) throw std::invalid_argument("lists: the order names a list that is not there");
    size_t top = 0, best = 0, first = 0;
    double top_score = 0, best_score = 0, first_score = 0;
    bool started = false, found = false;
    for (auto c = static_cast<size_t>(lists_.lists[list]); c < static_cast<size_t>(lists_.lists[list + 1]); ++c) {
      const double score = lists_.score(c, weights_), raised = score + lists_.costs[c];
      if (!started || raised > top_score) top = c, top_score = raised;
      if (!started || score > first_score) first = c, first_score = score;
      if (lists_.costs[c] == 0 && (!found || score > best_score)) best = c, best_score = score, found = true;
      started = true;
    }
    ++seen_;
    mistakes += lists_.costs[first];
    if (!found || lists_.costs[top] == 0) continue;
    difference.clear();
    auto a = static_cast<size_t>(lists_.starts[best]), b = static_cast<size_t>(lists_.starts[top]);
    const auto a_end = static_cast<size_t>(lists_.starts[best + 1]), b_end = static_cast<size_t>(lists_.starts[top + 1]);
    double norm = 0;
    while (a < a_end || b < b_end) {
      const int32_t left = a < a_end ? lists_.features[a] : INT32_MAX, right = b < b_end ? lists_.features[b] : INT32_MAX;
      const int32_t feature = std::min(left, right);
      double value = 0;
      if (left == feature) value += static_cast<double>(lists_.values[a++]);
      if (right == feature) value -= static_cast<double>(lists_.values[b++]);
      if (value != 0) difference.emplace_back(static_cast<size_t>(feature), value), norm += value * value;
    }
    if (norm == 0) continue;
    const double step = std::min(longest_, (top_score - best_score) / norm);
    for (const auto& [feature, value] : difference) {
      weights_[feature] += step * value;
      sums_[feature] += step * value * (seen_ - 1);
    }
  }
  return mistakes;
}

std::vector<double> ListMira::mean() const {
  std::vector<double> mean(weights_);
  if (seen_ > 0)
    for (size_t k = 0; k < mean.size(); ++k) mean[k] -= sums_[k] / seen_;
  return mean;
}

}  // namespace accord::learn
