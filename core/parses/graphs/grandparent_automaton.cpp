// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/grandparent_automaton.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/graph/log_domain.hpp"
#include "core/graph/row_builder.hpp"
#include "core/graph/score_table.hpp"

namespace accord::parses {

namespace {

// log(1 + exp(x)) without overflow.
double soft_plus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

}  // namespace

GrandparentAutomaton::GrandparentAutomaton(int heads, int modifiers, std::span<const double> grandparent)
    : heads_(static_cast<size_t>(heads)),
      modifiers_(static_cast<size_t>(modifiers)) {
  if (heads < 1 || modifiers < 0) throw std::invalid_argument("a grandparent automaton needs a head and no negative count");
  table_.resize(heads_ * (modifiers_ + 1));
  totals_.resize(heads_);
  set_scores(grandparent);
}

void GrandparentAutomaton::set_scores(std::span<const double> grandparent) {
  const size_t width = modifiers_ + 2;
  graph::check_score_table(grandparent, heads_ * width, "grandparent");
  for (size_t g = 0; g < heads_; ++g)
    for (size_t j = 1; j < width; ++j) table_[g * (width - 1) + j - 1] = grandparent[g * width + j];
}

graph::OwnRange GrandparentAutomaton::own_range() const {
  graph::OwnRange range{-graph::impossible, graph::impossible};
  for (size_t g = 0; g < heads_; ++g) {
    if (own_end(g) == graph::impossible) continue;
    double lowest = own_end(g), highest = own_end(g);
    for (size_t j = 0; j < modifiers_; ++j) {
      if (own(g, j) == graph::impossible) continue;
      (own(g, j) < 0 ? lowest : highest) += own(g, j);
    }
    range = {std::min(range.lowest, lowest), std::max(range.highest, highest)};
  }
  return range.lowest <= range.highest ? range : graph::OwnRange{0, 0};
}

void GrandparentAutomaton::best_totals(std::span<const double> scores) {
  for (size_t g = 0; g < heads_; ++g) {
    double total = scores[g] + own_end(g);
    for (size_t j = 0; j < modifiers_; ++j) total += std::max(0.0, gain(scores, g, j));
    totals_[g] = total;
  }
}

double GrandparentAutomaton::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  best_totals(scores);
  const auto best = std::max_element(totals_.begin(), totals_.end());
  if (*best == graph::impossible) return graph::impossible;
  const auto head = static_cast<size_t>(best - totals_.begin());
  configuration[head] = 1;
  for (size_t j = 0; j < modifiers_; ++j) configuration[heads_ + j] = gain(scores, head, j) > 0;
  return *best;
}

double GrandparentAutomaton::score(std::span<const uint8_t> configuration) {
  const auto heads = configuration.first(heads_);
  if (std::count(heads.begin(), heads.end(), uint8_t{1}) != 1) return graph::impossible;
  const auto head = static_cast<size_t>(std::find(heads.begin(), heads.end(), uint8_t{1}) - heads.begin());
  double total = own_end(head);
  for (size_t j = 0; j < modifiers_; ++j)
    if (configuration[heads_ + j]) total += own(head, j);
  return total;
}

double GrandparentAutomaton::marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (size_t g = 0; g < heads_; ++g) {
    totals_[g] = scores[g] + own_end(g);
    for (size_t j = 0; j < modifiers_; ++j) totals_[g] += soft_plus(gain(scores, g, j));
  }
  const double best = *std::max_element(totals_.begin(), totals_.end());
  if (best == graph::impossible) return graph::impossible;
  double sum = 0;
  for (const double total : totals_) sum += std::exp(total - best);
  for (size_t g = 0; g < heads_; ++g) {
    out[g] = std::exp(totals_[g] - best) / sum;
    for (size_t j = 0; j < modifiers_; ++j) out[heads_ + j] += out[g] * graph::sigmoid(gain(scores, g, j));
  }
  for (double& probability : out) probability = std::min(probability, 1.0);
  return best + std::log(sum);
}

double GrandparentAutomaton::expected_own(std::span<const double> scores) {
  std::vector<double> probabilities(size());
  if (marginals(scores, probabilities) == graph::impossible) return 0;
  double expected = 0;
  for (size_t g = 0; g < heads_; ++g) {
    if (probabilities[g] == 0) continue;
    double given = own_end(g);
    for (size_t j = 0; j < modifiers_; ++j)
      if (own(g, j) > graph::impossible) given += own(g, j) * graph::sigmoid(gain(scores, g, j));
    expected += probabilities[g] * given;
  }
  return expected;
}

void GrandparentAutomaton::part_marginals(std::span<const double> scores, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<double> probabilities(size());
  if (marginals(scores, probabilities) == graph::impossible) return;
  for (size_t g = 0; g < heads_; ++g) {
    const std::span<double> row = out.subspan(g * (modifiers_ + 2), modifiers_ + 2);
    for (size_t j = 0; j < modifiers_; ++j) row[j + 1] = probabilities[g] * graph::sigmoid(gain(scores, g, j));
    row.back() = probabilities[g];
  }
}

double GrandparentAutomaton::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  std::fill(zero.begin(), zero.end(), graph::impossible);
  std::fill(one.begin(), one.end(), graph::impossible);
  best_totals(scores);
  double best = graph::impossible, second = graph::impossible;  // the best heads
  for (size_t g = 0; g < heads_; ++g) {
    one[g] = totals_[g];
    second = std::max(second, std::min(best, totals_[g]));
    best = std::max(best, totals_[g]);
    for (size_t j = 0; j < modifiers_; ++j) {
      // The total holds max(0, gain); exchange it for the one choice or the other.
      const double difference = gain(scores, g, j);
      one[heads_ + j] = std::max(one[heads_ + j], totals_[g] + std::min(0.0, difference));
      zero[heads_ + j] = std::max(zero[heads_ + j], totals_[g] - std::max(0.0, difference));
    }
  }
  // When two heads tie for the best, second = best, and either answer is the same.
  for (size_t g = 0; g < heads_; ++g) zero[g] = totals_[g] == best ? second : best;
  return best;
}

void GrandparentAutomaton::rows(graph::RowSink& sink) {
  graph::RowBuilder row(sink);
  for (size_t g = 0; g < heads_; ++g) {
    if (own_end(g) == graph::impossible) row.add(static_cast<int>(g), 1).equals(0);
    else sink.add_score(static_cast<int>(g), own_end(g));
  }
  std::vector<int> both;
  for (size_t j = 0; j < modifiers_; ++j) {
    both.clear();
    for (size_t g = 0; g < heads_; ++g) {
      if (own(g, j) == graph::impossible) continue;
      both.push_back(sink.column(own(g, j), false));
      row.add(both.back(), 1).add(static_cast<int>(g), -1).at_most(0);
    }
    row.add(both, 1).add(static_cast<int>(heads_ + j), -1).equals(0);
  }
  for (size_t g = 0; g < heads_; ++g) row.add(static_cast<int>(g), 1);
  row.equals(1);
}

}  // namespace accord::parses
