#include "core/graph/selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/graph/row_builder.hpp"

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
