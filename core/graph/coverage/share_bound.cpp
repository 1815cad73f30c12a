// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/share_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace accord::graph {

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double rounding_share = 1e-13;  // of the sums that a bound is made of
}  // namespace

ShareBound::ShareBound(const Coverage& problem)
    : problem_(problem),
      limits_of_(problem),
      open_(problem.groups()),
      caps_(problem.concepts()),
      weights_(problem.units()),
      limits_(problem.units()),
      fractions_(problem.units()),
      amounts_(problem.concepts()),
      share_slope_(problem.concepts()),
      split_slope_(problem.needs_total()),
      bound_(infinite),
      target_(-infinite),
      average_(problem.units()) {
  for (size_t k = 0; k < problem.occurrences(); ++k) {
    const auto needs = problem.needs(k);
    const auto c = static_cast<size_t>(problem.concept_of(k));
    if (std::any_of(needs.begin(), needs.end(), [&](int32_t unit) { return problem.is_barred(static_cast<size_t>(unit)); })) continue;
    live_.push_back(static_cast<int32_t>(k));
    caps_[c] += problem.count(k);
  }
  for (size_t c = 0; c < caps_.size(); ++c) caps_[c] = std::min(caps_[c], problem.cap(c)), shares_.push_back(problem.weight(c) / 2);
  splits_.resize(problem.needs_total());
  for (int32_t k : live_) {
    const auto needs = problem.needs(static_cast<size_t>(k));
    for (size_t i = 0; i < needs.size(); ++i)
      splits_[problem.first_need(static_cast<size_t>(k)) + i] = 1.0 / static_cast<double>(needs.size());
  }
  for (size_t g = 0; g < problem.groups(); ++g) {
    for (int32_t unit : problem.units_of(g))
      if (!problem.is_barred(static_cast<size_t>(unit))) open_[g].push_back(unit);
    if (!open_[g].empty()) groups_.push_back(static_cast<int32_t>(g));
  }
  for (size_t b = 0; b < problem.budgets(); ++b) {
    std::vector<double> row(problem.units());
    for (size_t u = 0; u < row.size(); ++u) row[u] = problem.cost(b, u);
    rows_.push_back(std::move(row));
    row_limits_.push_back(problem.slack_limit(b));
  }
  if (problem.budgets() != 1) {  // all budgets as one; without any, everything can be bought
    std::vector<double> row(problem.units());
    double limit = 0;
    for (size_t u = 0; u < row.size(); ++u) row[u] = problem.price(u);
    for (size_t b = 0; b < problem.budgets(); ++b) limit += problem.slack_limit(b) / (problem.limit(b) > 0 ? problem.limit(b) : 1.0);
    rows_.push_back(std::move(row));
    row_limits_.push_back(limit);
  }
  best_shares_ = shares_, best_splits_ = splits_;
  double least = infinite;
  for (size_t row = 0; row < rows_.size(); ++row) {
    const double worth = evaluate(row).worth;
    if (worth < least) least = worth, tightest_ = row;
    note(worth);
  }
}

void ShareBound::note(double worth) { bound_ = std::min(bound_, std::max(worth + rounding_, target_)); }

void ShareBound::weigh() {
  for (int32_t g : groups_)
    for (int32_t unit : open_[static_cast<size_t>(g)]) weights_[static_cast<size_t>(unit)] = problem_.score(static_cast<size_t>(unit));
  for (int32_t k : live_) {
    const auto occurrence = static_cast<size_t>(k);
    const double worth = shares_[static_cast<size_t>(problem_.concept_of(occurrence))] * problem_.count(occurrence);
    const auto needs = problem_.needs(occurrence);
    const size_t first = problem_.first_need(occurrence);
    for (size_t i = 0; i < needs.size(); ++i) weights_[static_cast<size_t>(needs[i])] += worth * splits_[first + i];
  }
}

// The largest price at which what is worth more than the price can be paid; `part` says how much of what is worth just that is bought.
void ShareBound::find_price(Point& point, std::span<const double> costs, double limit) {
  offers_.clear();
  double total = 0;
  for (int32_t g : groups_)
    for (int32_t unit : open_[static_cast<size_t>(g)]) {
      const auto u = static_cast<size_t>(unit);
      if (limits_[u] > 0 && costs[u] > 0) offers_.emplace_back(limits_[u], costs[u]), total += costs[u];
    }
  point.price = 0, point.part = 1;
  if (total <= limit) return;
  const auto dearer = [](const auto& a, const auto& b) { return a.first > b.first; };
  size_t low = 0, high = offers_.size();
  double left = limit;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    std::nth_element(offers_.begin() + static_cast<std::ptrdiff_t>(low), offers_.begin() + static_cast<std::ptrdiff_t>(middle),
                     offers_.begin() + static_cast<std::ptrdiff_t>(high), dearer);
    double sum = 0;
    for (size_t k = low; k < middle; ++k) sum += offers_[k].second;
    if (sum <= left) left -= sum, low = middle;
    else high = middle;
  }
  point.price = offers_[low].first;
  double above = 0, at = 0;
  for (const auto& [price, cost] : offers_) above += price > point.price ? cost : 0, at += price == point.price ? cost : 0;
  point.part = at > 0 ? std::clamp((limit - above) / at, 0.0, 1.0) : 1.0;
}

ShareBound::Point ShareBound::evaluate(size_t row) {
  weigh();
  for (int32_t g : groups_) limits_of_.find(open_[static_cast<size_t>(g)], weights_, rows_[row], limits_);
  Point point;
  find_price(point, rows_[row], row_limits_[row]);
  double sum = point.price * row_limits_[row], sizes = sum;
  for (size_t c = 0; c < caps_.size(); ++c) sum += (problem_.weight(c) - shares_[c]) * caps_[c];
  sizes = sum;
  for (int32_t g : groups_)
    for (int32_t unit : open_[static_cast<size_t>(g)]) {
      const auto u = static_cast<size_t>(unit);
      if (limits_[u] <= point.price) continue;
      sum += weights_[u] - point.price * rows_[row][u];
      sizes += std::fabs(weights_[u]) + point.price * rows_[row][u];
    }
  rounding_ = rounding_share * sizes;
  point.worth = sum;
  return point;
}

double ShareBound::fraction(const Point& point, size_t unit) const {
  if (limits_[unit] <= 0) return 0;
  return limits_[unit] > point.price ? 1.0 : limits_[unit] == point.price ? point.part : 0.0;
}

// In units of the weights, and without directions that leave the range.
double ShareBound::slope_of_shares() {
  std::fill(amounts_.begin(), amounts_.end(), 0.0);
  for (int32_t k : live_) {
    const auto occurrence = static_cast<size_t>(k);
    const auto needs = problem_.needs(occurrence);
    const size_t first = problem_.first_need(occurrence);
    double held = needs.empty() ? 1.0 : 0.0;
    for (size_t i = 0; i < needs.size(); ++i) held += splits_[first + i] * fractions_[static_cast<size_t>(needs[i])];
    amounts_[static_cast<size_t>(problem_.concept_of(occurrence))] += problem_.count(occurrence) * held;
  }
  double norm = 0;
  for (size_t c = 0; c < amounts_.size(); ++c) {
    const double slope = amounts_[c] - caps_[c], weight = problem_.weight(c);
    const bool leaves = (shares_[c] <= 0 && slope > 0) || (shares_[c] >= weight && slope < 0);
    share_slope_[c] = leaves ? 0.0 : weight * slope;
    norm += share_slope_[c] * share_slope_[c];
  }
  return norm;
}

double ShareBound::slope_of_splits() {
  double norm = 0;
  for (int32_t k : live_) {
    const auto occurrence = static_cast<size_t>(k);
    const auto needs = problem_.needs(occurrence);
    if (needs.size() < 2) continue;
    const size_t first = problem_.first_need(occurrence);
    double mean = 0;
    for (int32_t unit : needs) mean += fractions_[static_cast<size_t>(unit)] / static_cast<double>(needs.size());
    const double worth = shares_[static_cast<size_t>(problem_.concept_of(occurrence))] * problem_.count(occurrence);
    for (size_t i = 0; i < needs.size(); ++i) {
      double slope = worth * (fractions_[static_cast<size_t>(needs[i])] - mean);
      if (splits_[first + i] <= 0 && slope > 0) slope = 0;
      split_slope_[first + i] = slope;
      norm += slope * slope;
    }
  }
  return norm;
}

bool ShareBound::step(const Point& point, double target, double speed) {
  for (int32_t g : groups_)
    for (int32_t unit : open_[static_cast<size_t>(g)]) fractions_[static_cast<size_t>(unit)] = fraction(point, static_cast<size_t>(unit));
  const double norm = slope_of_shares() + slope_of_splits();
  if (norm <= 0 || point.worth <= target) return false;
  const double length = speed * (point.worth - target) / norm;
  for (int32_t k : live_) {
    const auto needs = problem_.needs(static_cast<size_t>(k));
    if (needs.size() < 2) continue;
    const std::span<double> splits = std::span(splits_).subspan(problem_.first_need(static_cast<size_t>(k)), needs.size());
    double sum = 0;
    for (size_t i = 0; i < splits.size(); ++i)
      sum += splits[i] = std::max(0.0, splits[i] - length * split_slope_[problem_.first_need(static_cast<size_t>(k)) + i]);
    for (double& split : splits) split = sum > 0 ? split / sum : 1.0 / static_cast<double>(splits.size());
  }
  for (size_t c = 0; c < shares_.size(); ++c)
    shares_[c] = std::clamp(shares_[c] - length * problem_.weight(c) * share_slope_[c], 0.0, problem_.weight(c));
  return true;
}

void ShareBound::improve(double target, int steps, const Stop& stop) {
  target_ = std::max(target_, target);
  double speed = 1;
  int since = 0;
  for (int number = 1; number <= steps && !(stop && stop()); ++number) {
    const Point point = evaluate(tightest_);
    const bool better = !std::isfinite(bound_) || point.worth < bound_ - 1e-3 * (bound_ - target);
    since = better ? 0 : since + 1;
    if (point.worth < bound_) best_shares_ = shares_, best_splits_ = splits_;
    note(point.worth);
    if (since == 10) {  // the target is too far: go back to the best shares with shorter steps
      speed /= 2, since = 0;
      shares_ = best_shares_, splits_ = best_splits_;
      continue;
    }
    const bool moved = step(point, target, speed);
    averaged_ += number;
    for (int32_t g : groups_)
      for (int32_t unit : open_[static_cast<size_t>(g)]) {
        const auto u = static_cast<size_t>(unit);
        average_[u] += (fractions_[u] - average_[u]) * (number / averaged_);
      }
    if (!moved) break;
  }
  shares_ = best_shares_, splits_ = best_splits_;
  for (size_t row = 0; row < rows_.size(); ++row) note(evaluate(row).worth);
}

void ShareBound::look_at(std::span<const double> amounts) {
  const std::vector<double> kept = shares_;
  for (size_t c = 0; c < shares_.size(); ++c) shares_[c] = amounts[c] < caps_[c] ? problem_.weight(c) : 0.0;
  for (size_t row = 0; row < rows_.size(); ++row) note(evaluate(row).worth);
  shares_ = kept;
}

void ShareBound::prune(double target) {
  target_ = std::max(target_, target);
  const Point point = evaluate(tightest_);
  const double loss = point.worth + rounding_ - target;  // what a group may cost at most
  if (!(loss > 0)) return;
  std::vector<double> best(problem_.units());
  std::erase_if(groups_, [&](int32_t g) {
    const auto& units = open_[static_cast<size_t>(g)];
    if (!problem_.is_forest(static_cast<size_t>(g))) return false;
    double most = -infinite;
    for (int32_t unit : units) best[static_cast<size_t>(unit)] = 0;
    for (size_t k = units.size(); k-- > 0;) {
      const auto u = static_cast<size_t>(units[k]);
      best[u] += weights_[u] - point.price * rows_[tightest_][u];
      if (problem_.required_by(u).empty()) most = std::max(most, best[u]);
      else if (best[u] > 0) best[static_cast<size_t>(problem_.required_by(u).front())] += best[u];
    }
    if (most > 0 || most + loss >= 0) return false;
    for (int32_t unit : units) average_[static_cast<size_t>(unit)] = 0, fractions_[static_cast<size_t>(unit)] = 0;
    return true;
  });
  std::vector<uint8_t> stays(problem_.groups());
  for (int32_t g : groups_) stays[static_cast<size_t>(g)] = 1;
  std::erase_if(live_, [&](int32_t k) {
    const auto needs = problem_.needs(static_cast<size_t>(k));
    return !needs.empty() && !stays[static_cast<size_t>(problem_.group_of(static_cast<size_t>(needs.front())))];
  });
}

}  // namespace accord::graph
