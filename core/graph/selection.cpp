#include "core/graph/selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
    double elsewhere = 0;  // rather than 1 - P(selector), which would lose small numbers
    for (size_t i = 0; i < choices_.size(); ++i)
      if (i != selector(h)) elsewhere += choices_[i];
    const double selected = choices_[selector(h)] * probability(scores[input(h)] + scores[output()]);
    out[input(h)] = selected + elsewhere * probability(scores[input(h)]);
    out[output()] += selected;
  }
  return common + top + std::log(total);
}

// Nearest to the targets, less both prices: minimises over u, v >= 0, s = u + v and t = target of the selector - its price,
//   (s - t)^2 / 2 + (u - b)_+^2 / 2 + (v - 1 + b)_+^2 / 2 + price of the output * u,   b: target of the input.
Selection::Share Selection::share(std::span<const double> target, size_t h, double output_price, double selector_price) const {
  if (h == inputs_) {
    const double direct = direct_ ? std::max(0.0, target[0] - selector_price - output_price) : 0.0;
    return {direct, direct};
  }
  const double t = target[selector(h)] - selector_price, b = target[input(h)];
  if (output_price < 0) {  // the input follows the output up
    const double reward = -output_price, most = b + reward;
    if (t > most) return {std::max(t, 0.0), std::max(most, 0.0)};
    const double both = std::max(0.0, t + reward <= b ? t + reward : (t + reward + b) / 2);
    return {both, both};
  }
  const double room = 1 - b;  // of a selector whose input is off
  if (room + output_price < 0) {
    const double both = std::max(0.0, t - output_price);
    return {both, both};
  }
  if (t > room + 2 * output_price) return {t - output_price, t - 2 * output_price - room};
  return {std::max(0.0, t <= room ? t : (t + room) / 2), 0.0};
}

Selection::Share Selection::total(std::span<const double> target, double output_price, double selector_price) const {
  Share sum{0, 0};
  for (size_t h = 0; h <= inputs_; ++h) {
    const Share one = share(target, h, output_price, selector_price);
    sum.selected += one.selected;
    sum.both += one.both;
  }
  return sum;
}

namespace {

// A zero of a falling piecewise linear function that is positive at `low` and not at `high`: false position, after Illinois.
template <typename Function>
double falling_zero(double low, double at_low, double high, double at_high, Function&& function) {
  constexpr int most = 100;
  constexpr double enough = 1e-13;
  int side = 0;
  for (int step = 0; step < most && high - low > enough * (1 + std::fabs(low)); ++step) {
    if (at_high == 0) return high;
    const double middle = step % 10 == 9 ? (low + high) / 2 : low + (high - low) * (at_low / (at_low - at_high));
    const double value = function(middle);
    if (std::fabs(value) < enough) return middle;
    if (value > 0) {
      low = middle, at_low = value;
      if (side == 1) at_high /= 2;
      side = 1;
    } else {
      high = middle, at_high = value;
      if (side == -1) at_low /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
}

}  // namespace

double Selection::selector_price(std::span<const double> target, double output_price) const {
  const auto excess = [&](double price) { return total(target, output_price, price).selected - 1; };
  const double free = excess(0);
  if (free <= 0) return 0;
  double high = 0;
  for (size_t i = 0; i < direct_ + inputs_; ++i) high = std::max(high, target[i] + std::fabs(output_price));
  return falling_zero(0, free, high, -1, excess);
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

void Selection::project(std::span<const double> target, double, std::span<double> z) {
  double missing = 0;
  if (project_freely(target, z, missing)) return;
  // The output ends up short of its target, or beyond it, by its price.
  const double sign = missing > 0 ? -1 : 1, most = std::fabs(missing);
  const auto still_missing = [&](double price) {
    const double both = total(target, sign * price, selector_price(target, sign * price)).both;
    return -sign * (target[output()] - both) - price;
  };
  const double price = sign * falling_zero(0, most, most, still_missing(most), still_missing);
  const double selecting = selector_price(target, price);
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
