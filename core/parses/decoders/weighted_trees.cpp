// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/weighted_trees.hpp"

#include <algorithm>
#include <cmath>

#include "core/trees/shape.hpp"

namespace accord::parses {

bool WeightedTrees::lists(const PartLayout& layout) const {
  double choices = 1;
  for (int word = 1; word <= layout.words(); ++word) choices *= layout.entering(word);
  return choices <= settings_.listed;
}

void WeightedTrees::list(const PartLayout& layout) {
  heads_.clear();
  std::vector<int> choice(width_, 0);
  std::vector<int32_t> heads(width_, -1);
  for (size_t word = 1;;) {
    for (size_t m = 1; m < width_; ++m) heads[m] = layout.head(layout.first_entering(static_cast<int>(m)) + choice[m]);
    const bool wanted = trees::is_tree(heads, single_root_) && (!projective_ || trees::is_projective(heads));
    if (wanted) heads_.insert(heads_.end(), heads.begin(), heads.end());
    for (word = 1; word < width_ && ++choice[word] == layout.entering(static_cast<int>(word)); ++word) choice[word] = 0;
    if (word == width_) return;
  }
}

// False when the walks hardly end and few trees, drawn at greater cost, must do.
bool WeightedTrees::draw_by_walks(const PartLayout& layout, uint64_t seed) {
  constexpr int64_t steps_per_word = 40;
  const auto wanted = static_cast<size_t>(settings_.draws);
  heads_.resize(wanted * width_);
  walks_.prepare(layout, weights_, single_root_, marginals_);
  int64_t steps = steps_per_word * layout.words() * settings_.draws;
  size_t drawn = 0;
  for (size_t k = 0; k < wanted && steps > 0; ++k) {
    RandomStream random(seed, k);
    drawn += walks_.draw(random, steps, std::span(heads_).subspan(drawn * width_, width_));
  }
  heads_.resize(drawn * width_);
  if (static_cast<double>(drawn) >= 2 * settings_.least) return true;
  constexpr int steady = 10;
  heads_.resize(steady * width_);
  space_->sample({dense_.data(), layout.words()}, steady, seed, heads_);
  return false;
}

bool WeightedTrees::draw(const PartLayout& layout, uint64_t seed) {
  const auto cell = [&](size_t arc) {
    const int number = static_cast<int>(arc);
    return static_cast<size_t>(layout.head(number)) * width_ + static_cast<size_t>(layout.dependent(number));
  };
  dense_.assign(width_ * width_, trees::kForbidden);
  dense_marginals_.resize(dense_.size());
  marginals_.resize(weights_.size());
  for (size_t arc = 0; arc < weights_.size(); ++arc) dense_[cell(arc)] = weights_[arc];
  drawn_ = space_->marginals({dense_.data(), layout.words()}, dense_marginals_);
  for (size_t arc = 0; arc < weights_.size(); ++arc) marginals_[arc] = dense_marginals_[cell(arc)];
  if (!projective_) return draw_by_walks(layout, seed);
  heads_.resize(static_cast<size_t>(settings_.draws) * width_);
  space_->sample({dense_.data(), layout.words()}, settings_.draws, seed, heads_);
  return true;
}

void WeightedTrees::score(const PartLayout& layout, std::span<const double> scores) {
  slots_.clear();
  starts_.assign(1, 0);
  logs_.clear();
  for (size_t k = 0; k < trees(); ++k) {
    layout.parts_of(std::span(heads_).subspan(k * width_, width_), listed_);
    double log = 0;
    for (const size_t slot : listed_) {
      log += scores[slot] - (slot < weights_.size() ? weights_[slot] : 0.0);
      slots_.push_back(static_cast<uint32_t>(slot));
    }
    logs_.push_back(log);
    starts_.push_back(slots_.size());
  }
  top_ = *std::max_element(logs_.begin(), logs_.end());
}

double WeightedTrees::worth(double power) const {
  double sum = 0, squares = 0;
  for (const double log : logs_) {
    const double weight = std::exp(power * (log - top_));
    sum += weight;
    squares += weight * weight;
  }
  return sum * sum / squares;
}

double WeightedTrees::largest_power() const {
  if (worth(1) >= settings_.least) return 1;
  double low = 0, high = 1;
  for (int step = 0; step < 20; ++step) {
    const double middle = (low + high) / 2;
    (worth(middle) < settings_.least ? high : low) = middle;
  }
  return low;
}

double WeightedTrees::share(const PartLayout& layout, double power) {
  shares_.assign(layout.size(), 0.0);
  plain_.assign(weights_.size(), 0.0);
  double total = 0, mean = 0;
  for (size_t k = 0; k < trees(); ++k) {
    const double count = std::exp(power * (logs_[k] - top_));
    total += count;
    mean += count * logs_[k];
    for (const uint32_t slot : slots_of(k)) {
      shares_[slot] += count;
      if (slot < plain_.size()) plain_[slot] += 1;
    }
  }
  for (double& share : shares_) share /= total;
  for (double& share : plain_) share /= static_cast<double>(trees());
  return power * top_ + std::log(total / static_cast<double>(trees())) + (1 - power) * mean / total;
}

void WeightedTrees::scale_weights(double factor) {
  for (double& weight : weights_) weight *= factor;
}

double WeightedTrees::take(const PartLayout& layout, std::span<double> posteriors) {
  const double mean = share(layout, power_);
  std::copy(shares_.begin(), shares_.end(), posteriors.begin());
  const double one = 1.0 / static_cast<double>(trees());  // draw more for each arc: none vanishes
  for (int word = 1; word <= layout.words(); ++word) {
    const auto first = static_cast<size_t>(layout.first_entering(word)), last = first + static_cast<size_t>(layout.entering(word));
    double total = 0;
    for (size_t arc = first; arc < last; ++arc) total += posteriors[arc] = marginals_[arc] * (shares_[arc] + one) / (plain_[arc] + one);
    for (size_t arc = first; arc < last; ++arc) posteriors[arc] /= total;
  }
  return drawn_ + mean;
}

double WeightedTrees::run(const PartLayout& layout, std::span<const double> scores, std::span<const double> weights,
                          std::span<double> posteriors) {
  constexpr double missing = 0.1;  // of log Z, at most
  width_ = static_cast<size_t>(layout.words()) + 1;
  power_ = 1;
  if (lists(layout)) {
    weights_.clear();
    list(layout);
    score(layout, scores);
    const double mean = share(layout, 1);
    std::copy(shares_.begin(), shares_.end(), posteriors.begin());
    return mean + std::log(static_cast<double>(trees()));
  }
  weights_.assign(weights.begin(), weights.end());
  draw(layout, 0);
  score(layout, scores);
  const double first = take(layout, posteriors), first_worth = worth(1);
  const std::span<const double> larger = scores.subspan(weights_.size());
  if (std::all_of(larger.begin(), larger.end(), [](double value) { return value == 0; })) return first;
  first_.assign(posteriors.begin(), posteriors.end());
  double best = 0;
  const double log_partition = run_rounds(layout, scores, posteriors, best);
  if (first_worth < best || first < log_partition - missing) return log_partition;
  power_ = 1;
  std::copy(first_.begin(), first_.end(), posteriors.begin());
  return first;
}

double WeightedTrees::run_rounds(const PartLayout& layout, std::span<const double> scores, std::span<double> posteriors, double& best) {
  constexpr double flat = 0.25;    // so that no tree is left out that only larger parts make good
  constexpr double unseen = 0.03;  // keeps arcs that few of the draws have from moving far
  constexpr int halvings = 8;
  double log_partition = 0;
  best = -1;
  scale_weights(flat);
  for (int round = 0; round < settings_.rounds && best < settings_.enough; ++round) {
    for (int halved = 0; !draw(layout, static_cast<uint64_t>(round) + 1) && halved < halvings; ++halved) scale_weights(0.5);
    score(layout, scores);
    const double power = largest_power(), value = power < 1 ? power : worth(1);
    if (value > best) {
      best = value;
      power_ = power;
      log_partition = take(layout, posteriors);
    } else {
      share(layout, power);
    }
    for (size_t arc = 0; arc < weights_.size(); ++arc) weights_[arc] += std::log((shares_[arc] + unseen) / (plain_[arc] + unseen));
  }
  return log_partition;
}

}  // namespace accord::parses
