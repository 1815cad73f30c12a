// SPDX-License-Identifier: Apache-2.0
#include "core/learn/ranking/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace accord::learn {

namespace {

constexpr double kUnits = 0x1p60;  // of the first sum of weights

double log_sum(const std::vector<double>& logs) {
  double top = -std::numeric_limits<double>::infinity();
  for (const double one : logs) top = std::max(top, one);
  if (std::isinf(top)) return top;
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - top);
  return top + std::log(sum);
}

}  // namespace

void PairExamples::check() const {
  const size_t count = weights.size();
  const auto need = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  need(margins.size() == count && starts.size() == count + 1, "boosting: a weight, a margin and a start for each example");
  need(features < (1u << 30), "boosting: too many features");
  need(starts.front() == 0 && starts.back() == static_cast<int64_t>(entries.size()) && std::is_sorted(starts.begin(), starts.end()),
       "boosting: starts of examples do not fit their entries");
  need(!lists.empty() && lists.front() == 0 && lists.back() == static_cast<int64_t>(count) && std::is_sorted(lists.begin(), lists.end()),
       "boosting: starts of lists do not fit the examples");
  for (const int32_t entry : entries) need(entry >= 0 && static_cast<size_t>(entry) < 2 * features, "boosting: an entry of no feature");
  for (size_t e = 0; e < count; ++e) {
    need(std::isfinite(weights[e]) && weights[e] >= 0, "boosting: a weight is a finite number that is not negative");
    need(std::isfinite(margins[e]), "boosting: a margin is a finite number");
  }
}

Boosting::Boosting(PairExamples examples, RankLoss loss, double smoothing, bool sparse)
    : examples_(std::move(examples)),
      loss_(loss),
      smoothing_(smoothing),
      sparse_(sparse) {
  examples_.check();
  if (!(smoothing >= 0 && smoothing < 1)) throw std::invalid_argument("boosting: smoothing is in [0, 1)");
  list_of_.resize(examples_.size());
  for (size_t list = 0; list + 1 < examples_.lists.size(); ++list)
    for (int64_t e = examples_.lists[list]; e < examples_.lists[list + 1]; ++e)
      list_of_[static_cast<size_t>(e)] = static_cast<int32_t>(list);
  if (loss_ == RankLoss::exponential) {
    std::vector<double> logs;
    for (size_t e = 0; e < examples_.size(); ++e) logs.push_back(std::log(examples_.weights[e]) - examples_.margins[e]);
    shift_ = log_sum(logs);
    if (std::isinf(shift_)) shift_ = 0;  // no example weighs anything
    unit_ = std::exp(shift_) / kUnits;
  } else {
    unit_ = static_cast<double>(std::max<size_t>(examples_.lists.size(), 1)) / kUnits;
  }
  transpose();
  units_.resize(examples_.size());
  sums_.resize(2 * examples_.features);
  while (leaves_ < std::max<size_t>(examples_.features, 1)) leaves_ *= 2;
  gains_.resize(examples_.features);
  winners_.assign(2 * leaves_, -1);
  marked_.resize(examples_.features);
  list_marked_.resize(examples_.lists.size());
  list_losses_.resize(examples_.lists.size());
  weigh_all();
  sum_all();
}

void Boosting::transpose() {
  owner_starts_.assign(2 * examples_.features + 1, 0);
  for (const int32_t entry : examples_.entries) ++owner_starts_[static_cast<size_t>(entry) + 1];
  for (size_t i = 1; i < owner_starts_.size(); ++i) owner_starts_[i] += owner_starts_[i - 1];
  owners_.resize(examples_.entries.size());
  std::vector<int64_t> next(owner_starts_.begin(), owner_starts_.end() - 1);
  for (size_t e = 0; e < examples_.size(); ++e)
    for (int64_t i = examples_.starts[e]; i < examples_.starts[e + 1]; ++i)
      owners_[static_cast<size_t>(next[static_cast<size_t>(examples_.entries[static_cast<size_t>(i)])]++)] = static_cast<int32_t>(e);
}

Boosting::Units Boosting::exponential_units(size_t example) const {
  const double weight = examples_.weights[example];
  if (weight == 0) return 0;
  return std::llrint(std::exp(std::log(weight) - examples_.margins[example] - shift_) * kUnits);
}

void Boosting::weigh_list(size_t list) {
  const auto begin = static_cast<size_t>(examples_.lists[list]), end = static_cast<size_t>(examples_.lists[list + 1]);
  double top = 0;
  for (size_t e = begin; e < end; ++e) top = std::max(top, -examples_.margins[e]);
  double sum = std::exp(-top);
  for (size_t e = begin; e < end; ++e) sum += std::exp(-examples_.margins[e] - top);
  loss_sum_ -= list_losses_[list];
  list_losses_[list] = top + std::log(sum);
  loss_sum_ += list_losses_[list];
  for (size_t e = begin; e < end; ++e) {
    const Units units = std::llrint(std::exp(-examples_.margins[e] - top) / sum / unit_);
    if (sparse_) change(e, units);
    else units_[e] = units;
  }
}

void Boosting::weigh_all() {
  const bool sparse = sparse_;
  sparse_ = false;
  if (loss_ == RankLoss::logarithmic)
    for (size_t list = 0; list + 1 < examples_.lists.size(); ++list) weigh_list(list);
  else
    for (size_t e = 0; e < examples_.size(); ++e) units_[e] = exponential_units(e);
  sparse_ = sparse;
}

void Boosting::sum_all() {
  std::fill(sums_.begin(), sums_.end(), 0);
  total_ = 0;
  for (size_t e = 0; e < examples_.size(); ++e) {
    total_ += units_[e];
    for (int64_t i = examples_.starts[e]; i < examples_.starts[e + 1]; ++i)
      sums_[static_cast<size_t>(examples_.entries[static_cast<size_t>(i)])] += units_[e];
  }
  for (size_t k = 0; k < examples_.features; ++k) gains_[k] = gain(k);
  if (!sparse_) return;
  for (size_t k = 0; k < examples_.features; ++k) winners_[leaves_ + k] = static_cast<int32_t>(k);
  for (size_t node = leaves_ - 1; node > 0; --node) {
    const int32_t a = winners_[2 * node], b = winners_[2 * node + 1];
    winners_[node] = b < 0 || (a >= 0 && gains_[static_cast<size_t>(a)] >= gains_[static_cast<size_t>(b)]) ? a : b;
  }
}

void Boosting::change(size_t example, Units units) {
  const Units difference = units - units_[example];
  if (difference == 0) return;
  units_[example] = units;
  total_ += difference;
  for (int64_t i = examples_.starts[example]; i < examples_.starts[example + 1]; ++i) {
    const auto entry = static_cast<size_t>(examples_.entries[static_cast<size_t>(i)]);
    sums_[entry] += difference;
    touch(entry / 2);
  }
}

double Boosting::gain(size_t feature) const {
  return std::abs(std::sqrt(static_cast<double>(sums_[2 * feature])) - std::sqrt(static_cast<double>(sums_[2 * feature + 1])));
}

void Boosting::touch(size_t feature) {
  if (marked_[feature]) return;
  marked_[feature] = 1;
  marks_.push_back(static_cast<int32_t>(feature));
}

// Gains of the features whose sums changed, and their matches in the tournament.
void Boosting::settle() {
  for (const int32_t mark : marks_) {
    const auto feature = static_cast<size_t>(mark);
    marked_[feature] = 0;
    const double now = gain(feature);
    if (now == gains_[feature]) continue;
    gains_[feature] = now;
    for (size_t node = (leaves_ + feature) / 2; node > 0; node /= 2) {
      const int32_t a = winners_[2 * node], b = winners_[2 * node + 1];
      winners_[node] = b < 0 || (a >= 0 && gains_[static_cast<size_t>(a)] >= gains_[static_cast<size_t>(b)]) ? a : b;
    }
  }
  marks_.clear();
}

size_t Boosting::best() const {
  if (sparse_) return static_cast<size_t>(winners_[1]);
  return static_cast<size_t>(std::max_element(gains_.begin(), gains_.end()) - gains_.begin());
}

double Boosting::step_of(size_t feature) const {
  const double more = smoothing_ * static_cast<double>(total_);
  const double positive = std::max(static_cast<double>(sums_[2 * feature]) + more, 1.0);  // a sum below a unit counts as one
  const double negative = std::max(static_cast<double>(sums_[2 * feature + 1]) + more, 1.0);
  return 0.5 * std::log(positive / negative);
}

int64_t Boosting::move(size_t feature, double step) {
  int64_t work = 0;
  for (const size_t sign : {size_t{0}, size_t{1}}) {
    const double by = sign == 0 ? step : -step;
    for (int64_t i = owner_starts_[2 * feature + sign]; i < owner_starts_[2 * feature + sign + 1]; ++i) {
      const auto example = static_cast<size_t>(owners_[static_cast<size_t>(i)]);
      examples_.margins[example] += by;
      if (!sparse_) continue;
      if (loss_ == RankLoss::exponential) {
        work += size_of(example);
        change(example, exponential_units(example));
      } else if (const auto list = static_cast<size_t>(list_of_[example]); !list_marked_[list]) {
        list_marked_[list] = 1;
        touched_lists_.push_back(static_cast<int32_t>(list));
      }
    }
  }
  for (const int32_t each : touched_lists_) {
    const auto list = static_cast<size_t>(each);
    list_marked_[list] = 0;
    work += examples_.starts[static_cast<size_t>(examples_.lists[list + 1])] - examples_.starts[static_cast<size_t>(examples_.lists[list])];
    weigh_list(list);
  }
  touched_lists_.clear();
  return sparse_ ? work : entries();
}

size_t Boosting::run(size_t rounds) {
  for (size_t round = 0; round < rounds; ++round) {
    if (examples_.features == 0) return round;
    const size_t feature = best();
    const double step = gains_[feature] > 0 ? step_of(feature) : 0.0;
    if (step == 0) return round;
    const int64_t work = move(feature, step);
    if (sparse_) {
      settle();
    } else {
      weigh_all();
      sum_all();
    }
    log_.push_back({static_cast<int32_t>(feature), step, loss(), work});
  }
  return rounds;
}

double Boosting::loss() const { return loss_ == RankLoss::exponential ? total() : loss_sum_; }

double Boosting::errors() const {
  double sum = 0;
  for (size_t e = 0; e < examples_.size(); ++e)
    if (examples_.margins[e] <= 0) sum += examples_.weights[e];
  return sum;
}

double Boosting::sum(size_t feature, bool positive) const {
  return static_cast<double>(sums_.at(2 * feature + (positive ? 0 : 1))) * unit_;
}

}  // namespace accord::learn
