// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/length_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace accord::compressions {

namespace {

constexpr double rounding = 1e-13;  // relative to the sizes that are added up

}  // namespace

LengthSearch::LengthSearch(Programme& programme, std::vector<int> costs, double magnitude)
    : programme_(programme),
      costs_(std::move(costs)),
      total_(std::accumulate(costs_.begin() + 1, costs_.end(), 0)),
      magnitude_(magnitude) {}

Answer LengthSearch::find(const Terms& terms, Window window, const LengthSettings& settings) {
  terms_ = terms;
  questions_ = 0;
  window = {std::max(window.low, 0), std::min(window.high, total_)};
  if (window.low > window.high) return {};
  if (settings.steps == LengthSettings::Steps::exact && (window.low > 0 || window.high < total_)) return exact(terms, window);
  return relaxed(terms, window, settings);
}

Answer LengthSearch::settle(const Line& line, Window window) const {
  Answer answer;
  answer.found = line.value != forbidden;
  answer.within = answer.found && window.holds(line.cost);
  answer.compression = line.compression;
  answer.value = line.value;
  answer.cost = line.cost;
  answer.questions = questions_;
  return answer;
}

Answer LengthSearch::exact(const Terms& terms, Window window) {
  const std::span<const double> by_cost = programme_.best_by_cost(terms, costs_, window.low, window.high);
  const auto best = std::max_element(by_cost.begin() + window.low, by_cost.begin() + window.high + 1);
  if (*best == forbidden) return {};
  Line line;
  line.value = *best;
  line.cost = static_cast<int>(best - by_cost.begin());
  programme_.trace_cost(line.cost, line.compression);
  Answer answer = settle(line, window);
  answer.proved = true;
  answer.bound = answer.value;
  return answer;
}

LengthSearch::Line LengthSearch::ask(double reward) {
  ++questions_;
  additions_.assign(terms_.additions.begin(), terms_.additions.end());
  for (size_t word = 1; word < additions_.size(); ++word) additions_[word] += reward * costs_[word];
  Line line;
  if (programme_.best({additions_, terms_.fates}, line.compression) == forbidden) return line;
  line.value = line.compression.score;
  for (size_t word = 1; word < costs_.size(); ++word) {
    if (!line.compression.kept[word]) continue;
    line.value += terms_.additions[word];
    line.cost += costs_[word];
  }
  return line;
}

// What a compression that is the best under a reward says about those of the target length.
void LengthSearch::notice(const Line& line, int target, double reward) {
  if (line.cost == target && line.value > exact_length_.value) exact_length_ = line;
  const double bound = line.value + reward * (line.cost - target);
  if (bound < bound_) bound_ = bound, reward_ = reward;
}

void LengthSearch::sort_in(Line line, int target, Line& shorter, Line& longer) {
  if (line.cost < target && (shorter.value == forbidden || line.cost >= shorter.cost)) shorter = std::move(line);
  else if (line.cost > target && (longer.value == forbidden || line.cost <= longer.cost)) longer = std::move(line);
}

// A compression on the other side of the target, by rewards that grow until one comes up or there is certainly none.
bool LengthSearch::bracket(int target, Line& other) {
  const double sign = other.cost > target ? -1 : 1;
  for (double reward = size_;; reward *= 4) {
    const bool last = reward >= largest_;
    Line line = ask(sign * std::min(reward, largest_));
    notice(line, target, sign * std::min(reward, largest_));
    const bool reached = sign < 0 ? line.cost <= target : line.cost >= target;
    if (reached || last) {
      other = std::move(line);
      return reached;
    }
  }
}

void LengthSearch::intersect(int target, Line& shorter, Line& longer, int most) {
  while (questions_ < most && exact_length_.value == forbidden) {
    const double reward = (shorter.value - longer.value) / (longer.cost - shorter.cost);
    Line line = ask(reward);
    notice(line, target, reward);
    if (line.cost <= shorter.cost || line.cost >= longer.cost) return;  // no compression lies above the two
    sort_in(std::move(line), target, shorter, longer);
  }
}

void LengthSearch::bisect(int target, Line& shorter, Line& longer, int most) {
  double low = -largest_, high = largest_;
  while (questions_ < most && exact_length_.value == forbidden) {
    const double reward = low + (high - low) / 2;
    if (reward <= low || reward >= high) return;
    Line line = ask(reward);
    notice(line, target, reward);
    (line.cost < target ? low : high) = reward;
    sort_in(std::move(line), target, shorter, longer);
  }
}

void LengthSearch::descend(int target, Line& shorter, Line& longer, int most) {
  double reward = 0, last = bound_;
  const double step = size_ / std::max(1, total_);
  for (int rises = 0; questions_ < most && exact_length_.value == forbidden;) {
    Line line = ask(reward);
    notice(line, target, reward);
    const double bound = line.value + reward * (line.cost - target);
    if (bound > last) ++rises;
    last = bound;
    reward += step / (1 + rises) * (target - line.cost);
    sort_in(std::move(line), target, shorter, longer);
  }
}

Answer LengthSearch::relaxed(const Terms& terms, Window window, const LengthSettings& settings) {
  using Steps = LengthSettings::Steps;
  Line first = ask(0.0);
  if (first.value == forbidden) return {};
  if (window.holds(first.cost)) {
    Answer answer = settle(first, window);
    answer.proved = true;
    answer.bound = answer.value;
    return answer;
  }
  const int target = first.cost > window.high ? window.high : window.low;
  begin(first);
  Line other = first, shorter, longer;
  if (!bracket(target, other)) return {};
  sort_in(std::move(first), target, shorter, longer);
  sort_in(std::move(other), target, shorter, longer);
  if (settings.steps == Steps::bisection) bisect(target, shorter, longer, settings.questions);
  else if (settings.steps == Steps::subgradient) descend(target, shorter, longer, settings.questions);
  else intersect(target, shorter, longer, settings.questions);
  Answer answer = conclude(target, shorter, longer, window);
  if (answer.proved || !settings.close_gaps) return answer;
  Answer closed = exact(terms, window);
  closed.reward = reward_;
  return closed;
}

void LengthSearch::begin(const Line& first) {
  size_ = magnitude_;
  for (const double addition : terms_.additions) size_ = std::max(size_, std::fabs(addition));
  if (size_ == 0) size_ = 1;
  largest_ = 8.0 * size_ * static_cast<double>(costs_.size());
  exact_length_ = {};
  bound_ = first.value;
  reward_ = 0;
}

// The compression of the target length; otherwise one in the window; otherwise the nearest.
Answer LengthSearch::conclude(int target, const Line& shorter, const Line& longer, Window window) const {
  const Line& inner = target == window.high ? shorter : longer;
  const Line& nearest = target - shorter.cost <= longer.cost - target ? shorter : longer;
  const bool hit = exact_length_.value != forbidden;
  Answer answer = settle(hit ? exact_length_ : window.holds(inner.cost) ? inner : nearest, window);
  answer.reward = reward_;
  const double error = rounding * (size_ + std::fabs(bound_) + std::fabs(reward_) * total_);
  answer.proved = answer.within && bound_ - answer.value <= error;
  answer.bound = answer.proved ? answer.value : answer.within ? std::max(bound_, answer.value) : bound_;
  return answer;
}

}  // namespace accord::compressions
