// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/graph/row_builder.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

namespace {

// log(1 + exp(score))
double log_either(double score) { return std::max(score, 0.0) + std::log1p(std::exp(-std::fabs(score))); }

double probability(double log_odds) {
  return log_odds >= 0 ? 1 / (1 + std::exp(-log_odds)) : std::exp(log_odds) / (1 + std::exp(log_odds));
}

}  // namespace

Selection::Selection(size_t inputs, bool direct) : inputs_(inputs), direct_(direct) {
  if (inputs == 0 && !direct) throw std::invalid_argument("a selection needs an input or a direct selector");
}

double Selection::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  // What a selector gains over none; the inputs' own maxima are common to all.
  double best = 0, common = 0;
  size_t chosen = size();
  for (size_t h = 0; h < inputs_; ++h) {
    const double free = std::max(scores[input(h)], 0.0);
    common += free;
    configuration[input(h)] = scores[input(h)] > 0;
    const double gain = scores[selector(h)] + std::max(scores[input(h)] + scores[output()], 0.0) - free;
    if (gain > best) best = gain, chosen = selector(h);
  }
  if (direct_ && scores[0] + scores[output()] > best) best = scores[0] + scores[output()], chosen = 0;
  std::fill_n(configuration.begin(), direct_ + inputs_, uint8_t{0});
  configuration[output()] = 0;
  if (chosen == size()) return common;
  configuration[chosen] = 1;
  if (chosen < direct_) {
    configuration[output()] = 1;
  } else {
    const size_t selected = input(chosen - direct_);
    configuration[selected] = configuration[output()] = scores[selected] + scores[output()] > 0;
  }
  return common + best;
}

double Selection::score(std::span<const uint8_t> configuration) {
  size_t on = 0;
  bool expected = false;
  for (size_t i = 0; i < direct_ + inputs_; ++i) {
    if (!configuration[i]) continue;
    ++on;
    expected = i < direct_ || configuration[i + inputs_];
  }
  return on <= 1 && static_cast<bool>(configuration[output()]) == expected ? 0.0 : impossible;
}

double Selection::marginals(std::span<const double> scores, std::span<double> out) {
  // Relative to no selector, for which all inputs are free.
  choices_.assign(direct_ + inputs_ + 1, 0.0);
  double common = 0;
  if (direct_) choices_[0] = scores[0] + scores[output()];
  for (size_t h = 0; h < inputs_; ++h) {
    const double free = log_either(scores[input(h)]);
    common += free;
    choices_[selector(h)] = scores[selector(h)] + log_either(scores[input(h)] + scores[output()]) - free;
  }
  const double top = *std::max_element(choices_.begin(), choices_.end());
  double total = 0;
  for (double& choice : choices_) total += choice = std::exp(choice - top);
  for (double& choice : choices_) choice /= total;
  out[output()] = direct_ ? choices_[0] : 0.0;
  for (size_t i = 0; i < direct_ + inputs_; ++i) out[i] = choices_[i];
  for (size_t h = 0; h < inputs_; ++h) {
    double elsewhere = 1 - choices_[selector(h)];
    if (elsewhere < 0.5) {  // the difference would lose small numbers; this is so for one selector at most
      elsewhere = 0;
      for (size_t i = 0; i < choices_.size(); ++i)
        if (i != selector(h)) elsewhere += choices_[i];
    }
    const double selected = choices_[selector(h)] * probability(scores[input(h)] + scores[output()]);
    out[input(h)] = selected + elsewhere * probability(scores[input(h)]);
    out[output()] += selected;
  }
  return common + top + std::log(total);
}

// Nearest to the targets, less both prices: minimises over u, v >= 0, s = u + v and t = target of the selector - its price,
//   (s - t)^2 / 2 + (u - b)_+^2 / 2 + (v - 1 + b)_+^2 / 2 + price of the output * u,   b: target of the input.
Selection::Share Selection::share(std::span<const double> target, size_t h, double price, double selector_price) const {
  constexpr Slope none{0, 0};
  const auto alike = [&](double value, Slope slope) { return value > 0 ? Share{value, value, slope, slope} : Share{0, 0, none, none}; };
  if (h == inputs_) return direct_ ? alike(target[0] - selector_price - price, {1, -1}) : Share{0, 0, none, none};
  const double t = target[selector(h)] - selector_price, b = target[input(h)];
  if (price < 0) {  // the input follows the output up
    const double most = b - price;
    if (t - price <= b) return alike(t - price, {1, -1});
    if (t <= most) return alike((t - price + b) / 2, {0.5, -0.5});
    const bool selected = t > 0, both = most > 0;
    return {selected ? t : 0, both ? most : 0, selected ? Slope{1, 0} : none, both ? Slope{0, -1} : none};
  }
  const double room = 1 - b;  // of a selector whose input is off
  if (room + price < 0) return alike(t - price, {1, -1});
  if (t > room + 2 * price) return {t - price, t - 2 * price - room, {1, -1}, {1, -2}};
  const double selected = t <= room ? t : (t + room) / 2;
  if (selected <= 0) return {0, 0, none, none};
  return {selected, 0, {t <= room ? 1 : 0.5, 0}, none};
}

Selection::Share Selection::total(std::span<const double> target, double price, double selector_price) const {
  Share sum{0, 0, {0, 0}, {0, 0}};
  for (size_t h = 0; h <= inputs_; ++h) {
    const Share one = share(target, h, price, selector_price);
    sum.selected += one.selected;
    sum.both += one.both;
    sum.selected_slope += one.selected_slope;
    sum.both_slope += one.both_slope;
  }
  return sum;
}

namespace {

constexpr double relative_rounding = 1e-13;  // of sums of targets, relative to the largest

// The zero of a falling piecewise linear function, which gives its value and its slope, between low and high: Newton's steps, and
// the middle where these leave what is known to hold it.
template <typename Function>
double falling_zero(double start, double low, double high, double enough, Function&& function) {
  constexpr int most = 60;
  double at = start;
  for (int step = 0; step < most && high - low > enough; ++step) {
    const auto [value, slope] = function(at);
    if (std::fabs(value) < enough) return at;
    (value > 0 ? low : high) = at;
    const double next = slope < 0 ? at - value / slope : low - 1;
    at = next > low && next < high ? next : (low + high) / 2;
  }
  return at;
}

}  // namespace

double Selection::selector_price(std::span<const double> target, double price, double start) const {
  if (total(target, price, 0).selected <= 1) return 0;
  double high = 0;
  for (size_t i = 0; i < direct_ + inputs_; ++i) high = std::max(high, target[i] + std::fabs(price));
  return falling_zero(std::clamp(start, 0.0, high), 0, high, relative_rounding * (1 + high), [&](double selecting) {
    const Share sum = total(target, price, selecting);
    return std::pair(sum.selected - 1, -sum.selected_slope.by_target);
  });
}

// With the output free of charge. False when its target cannot be met then: `missing`, how far it is above what can be, or below.
bool Selection::project_freely(std::span<const double> target, std::span<double> z, double& missing) {
  const std::span<double> selectors = z.first(direct_ + inputs_);
  double sum = 0;
  for (size_t i = 0; i < selectors.size(); ++i) sum += selectors[i] = std::max(0.0, target[i]);
  if (sum > 1) project_on_simplex(target.first(selectors.size()), selectors, near_top_);
  double least = direct_ ? z[0] : 0.0, most = least;
  for (size_t h = 0; h < inputs_; ++h) {
    const double selected = z[selector(h)], wanted = target[input(h)];
    z[input(h)] = clip(wanted);
    least += std::max(0.0, selected - std::max(0.0, 1 - wanted));
    most += std::min(selected, std::max(0.0, wanted));
  }
  z[output()] = target[output()];
  missing = target[output()] > most ? target[output()] - most : std::min(0.0, target[output()] - least);
  return missing == 0;
}

// Whether the nearest configuration is the nearest point of the hull: no other lies further in the direction of the target.
bool Selection::project_on_vertex(std::span<const double> target, std::span<double> z) {
  scores_.assign(target.begin(), target.end());
  configuration_.resize(size());
  for (double& score : scores_) score -= 0.5;
  maximize(scores_, configuration_);
  double here = 0, scale = 1;
  for (size_t i = 0; i < size(); ++i) {
    z[i] = configuration_[i];
    scores_[i] = target[i] - z[i];
    here += scores_[i] * z[i];
    scale = std::max(scale, std::fabs(target[i]));
  }
  return maximize(scores_, configuration_) <= here + relative_rounding * scale;
}

void Selection::project(std::span<const double> target, double, std::span<double> z) {
  // Targets move little from call to call: the prices of the last one are near.
  double missing = 0;
  const auto [last_price, last_selecting] = std::exchange(last_prices_, {0.0, 0.0});
  if (project_freely(target, z, missing)) return;
  const double least = std::min(0.0, -missing), most = std::max(0.0, -missing);
  const bool warm = last_price > least && last_price < most && last_price != 0;
  double start = last_selecting;
  for (size_t i = 0; i < direct_ + inputs_ && !warm; ++i)
    if (z[i] > 0) start = std::max(0.0, target[i] - z[i]);  // what selectors cost when the output is free
  if (!warm && project_on_vertex(target, z)) return;
  // The output ends up beyond its target by its price, or short of it where that is negative.
  const auto beyond = [&](double price) {
    const double selecting = start = selector_price(target, price, start);
    const Share sum = total(target, price, selecting);
    double slope = sum.both_slope.by_price;
    if (selecting > 0) slope -= sum.both_slope.by_target * sum.selected_slope.by_price / sum.selected_slope.by_target;
    return std::pair(sum.both - target[output()] - price, slope - 1);
  };
  double scale = 1;
  for (const double value : target) scale = std::max(scale, std::fabs(value));
  const double price = falling_zero(warm ? last_price : -missing / 2, least, most, 10 * relative_rounding * scale, beyond);
  const double selecting = selector_price(target, price, start);
  last_prices_ = {price, selecting};
  if (direct_) z[0] = share(target, inputs_, price, selecting).selected;
  z[output()] = direct_ ? z[0] : 0.0;
  for (size_t h = 0; h < inputs_; ++h) {
    const Share one = share(target, h, price, selecting);
    z[selector(h)] = one.selected;
    z[input(h)] = std::clamp(target[input(h)], one.both, std::max(one.both, 1 - (one.selected - one.both)));
    z[output()] += one.both;
  }
}

void Selection::rows(RowSink& sink) {
  RowBuilder row(sink);
  std::vector<int> both;
  for (size_t h = 0; h < inputs_; ++h) {
    const int on = sink.column(0.0, false);
    const int chosen = static_cast<int>(selector(h)), given = static_cast<int>(input(h));
    row.add(on, 1).add(chosen, -1).at_most(0);
    row.add(on, 1).add(given, -1).at_most(0);
    row.add(on, -1).add(chosen, 1).add(given, 1).at_most(1);
    both.push_back(on);
  }
  row.add(static_cast<int>(output()), 1).add(both, -1);
  if (direct_) row.add(0, -1);
  row.equals(0);
  for (size_t i = 0; i < direct_ + inputs_; ++i) row.add(static_cast<int>(i), 1);
  row.at_most(1);
}

}  // namespace accord::graph
