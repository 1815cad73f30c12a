// SPDX-License-Identifier: Apache-2.0
#include "core/parses/nonlocal/nonlocal_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/graph/simplex.hpp"

namespace accord::parses {

namespace {

// How far to go. `level` aims at a value below the best bound known, halves its ambition after some steps that brought
// less than half of what was hoped for (the dynamic rule of Nedic & Bertsekas 2001), and is more patient each time:
// smaller steps need more of them to cover the same way.
class StepLengths {
 public:
  enum class Advice { go_on, restart, stop };  // restart: go on from the best weights

  StepLengths(const DescentOptions& options, double halving_start) : options_(options), halving_(halving_start) {}

  Advice observe(double upper, double best, double enough) {
    return options_.step == StepRule::halving ? observe_change(upper) : observe_progress(best, enough);
  }

  double step(double upper, double best, double squared_length) const {
    return options_.step == StepRule::halving ? halving_ : relaxation_ * (upper - best + hope_) / squared_length;
  }

 private:
  Advice observe_change(double upper) {
    if (upper > previous_) halving_ /= 2;
    const double change = previous_ - upper;
    flat_ = change >= 0 && change <= options_.tolerance * (1 + std::fabs(upper)) ? flat_ + 1 : 0;
    previous_ = upper;
    return flat_ >= patience_ ? Advice::stop : Advice::go_on;
  }

  Advice observe_progress(double best, double enough) {
    if (!std::isfinite(hope_)) {
      hope_ = std::isfinite(enough) ? best - enough : 1 + std::fabs(best);
      // A step that aims at a tight bound itself would only approach it; one that goes beyond arrives.
      relaxation_ = std::isfinite(enough) ? 1.5 : 1.0;
      reached_ = best;
      return Advice::go_on;
    }
    Advice advice = Advice::go_on;
    if (reached_ - best >= hope_ / 2) {
      reached_ = best;
      flat_ = 0;
    } else if (++flat_ >= patience_) {
      hope_ /= 2;
      relaxation_ = 1.0;
      patience_ += patience_ / 2;
      reached_ = best;
      flat_ = 0;
      advice = hope_ < options_.tolerance * (1 + std::fabs(best)) ? Advice::stop : Advice::restart;
    }
    hope_ = std::min(hope_, best - enough);
    return advice;
  }

  const DescentOptions& options_;
  double halving_;
  double previous_ = std::numeric_limits<double>::infinity();
  double hope_ = std::numeric_limits<double>::infinity();
  double reached_ = 0;
  double relaxation_ = 1.0;
  int flat_ = 0;
  int patience_ = 3;
};

}  // namespace

void SubspaceBound::enter(const Subspace& subspace, std::span<const double> start) {
  places_.clear();
  reduced_.clear();
  weights_.assign(start.begin(), start.end());
  best_weights_ = weights_;
  base_.assign(problem_.arc_scores().begin(), problem_.arc_scores().end());
  const std::span<const Subspace::State> states = subspace.states();
  for (size_t arc = 0; arc < base_.size(); ++arc)
    if (states[arc] == Subspace::State::out) base_[arc] = trees::kForbidden;
  constant_ = problem_.constant();
  for (size_t factor = 0; factor < problem_.factors(); ++factor) reduce(factor, subspace);
  heads_.assign(problem_.width(), -1);
  best_heads_ = heads_;
  direction_.assign(weights_.size(), 0.0);
  past_ = direction_;
}

void SubspaceBound::reduce(size_t factor, const Subspace& subspace) {
  const std::span<const Arc> arcs = problem_.arcs_of(factor);
  const size_t first_place = places_.size(), first_weight = problem_.first_arc(factor);
  const double score = problem_.factor_score(factor);
  double kept_weight = 0;
  for (size_t i = 0; i < arcs.size(); ++i) {
    const Subspace::State state = subspace.state(arcs[i]);
    if (state == Subspace::State::out) return places_.resize(first_place);
    if (state == Subspace::State::in) continue;
    places_.push_back({arcs[i], problem_.index(arcs[i]), first_weight + i});
    kept_weight += weights_[first_weight + i];
  }
  const size_t left = places_.size() - first_place;
  if (left == 0) constant_ += score;
  if (left == 1) base_[places_.back().index] += score;
  if (left < 2) return places_.resize(first_place);
  reduced_.push_back({score, first_place, places_.size(), first_weight});
  if (score < 0) return;
  for (size_t i = first_place; i < places_.size(); ++i) {
    double& weight = weights_[places_[i].weight];
    weight = kept_weight > 0 ? weight / kept_weight : 1.0 / static_cast<double>(left);
  }
}

double SubspaceBound::linearise(const BoundWeights& weights) {
  linear_ = base_;
  double constant = constant_;
  for (const Reduced& factor : reduced_) {
    const std::span<const Place> places = places_of(factor);
    if (factor.score >= 0) {
      for (const Place& place : places) linear_[place.index] += factor.score * weights[place.weight];
    } else if (const double charge = factor.score * weights[factor.weight]; charge != 0) {
      for (const Place& place : places) linear_[place.index] += charge;
      constant -= charge * static_cast<double>(places.size() - 1);
    }
  }
  return constant;
}

double SubspaceBound::descend(const DescentOptions& options, DescentWatcher& watcher) {
  double largest_inverse = 0;
  for (const Reduced& factor : reduced_) largest_inverse = std::max(largest_inverse, 1 / std::fabs(factor.score));
  StepLengths lengths(options, largest_inverse);
  double best = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < std::max(1, options.iterations) && watcher.may_call(); ++iteration) {
    const double constant = linearise(weights_);
    const double value = backbone_.argmax({linear_.data(), problem_.words()}, heads_);
    if (value == trees::kForbidden) return trees::kForbidden;
    const double upper = value + constant;
    watcher.met(heads_);
    if (upper < best) {
      best = upper;
      best_weights_ = weights_;
      best_heads_ = heads_;
    }
    if (watcher.rounded(best) <= watcher.enough()) break;
    const StepLengths::Advice advice = lengths.observe(upper, best, watcher.enough());
    if (advice == StepLengths::Advice::stop) break;
    const bool restart = advice == StepLengths::Advice::restart;
    if (restart) {
      weights_ = best_weights_;
      heads_ = best_heads_;
    }
    double squared_length = steepest_direction();
    if (squared_length == 0) break;  // no weights are better
    if (options.step == StepRule::level) squared_length = deflect(restart, squared_length);
    move(lengths.step(restart ? best : upper, best, squared_length));
  }
  return watcher.rounded(best);
}

std::vector<trees::ScoredTree> SubspaceBound::kbest(int k) {
  const double constant = linearise(best_weights_);
  std::vector<trees::ScoredTree> ranked = backbone_.kbest({linear_.data(), problem_.words()}, k);
  for (trees::ScoredTree& tree : ranked) tree.score += constant;
  return ranked;
}

void SubspaceBound::add_slacks(std::span<const int32_t> heads, std::span<double> slacks) const {
  for (const Reduced& factor : reduced_) {
    const std::span<const Place> places = places_of(factor);
    double bound = 0;
    if (factor.score < 0) {
      bound = best_weights_[factor.weight] * penalty(factor, heads);
    } else {
      for (const Place& place : places)
        if (contains(heads, place.arc)) bound += factor.score * best_weights_[place.weight];
    }
    const double slack = bound - (present(factor, heads) == places.size() ? factor.score : 0.0);
    for (const Place& place : places) slacks[place.index] += slack;
  }
}

size_t SubspaceBound::present(const Reduced& factor, std::span<const int32_t> heads) const {
  const std::span<const Place> places = places_of(factor);
  return static_cast<size_t>(
      std::count_if(places.begin(), places.end(), [heads](const Place& place) { return contains(heads, place.arc); }));
}

double SubspaceBound::penalty(const Reduced& factor, std::span<const int32_t> heads) const {
  const double arcs = static_cast<double>(factor.last - factor.first);
  return factor.score * (static_cast<double>(present(factor, heads)) - arcs + 1);
}

// The subgradient, less what points out of the weights' set: the projection on the tangent cone keeps every distance
// that the step rule relies on and is shorter, so that steps are longer.
double SubspaceBound::steepest_direction() {
  double squared_length = 0;
  for (const Reduced& factor : reduced_) {
    if (factor.score >= 0) {
      share_direction(factor);
      for (const Place& place : places_of(factor)) squared_length += direction_[place.weight] * direction_[place.weight];
      continue;
    }
    const double downhill = -penalty(factor, heads_), weight = weights_[factor.weight];
    const bool blocked = (weight <= 0 && downhill < 0) || (weight >= 1 && downhill > 0);
    direction_[factor.weight] = blocked ? 0.0 : downhill;
    squared_length += direction_[factor.weight] * direction_[factor.weight];
  }
  return squared_length;
}

// Steps that undo each other are bent towards their common part (Camerini, Fratta & Maffioli 1975).
double SubspaceBound::deflect(bool forget, double squared_length) {
  double agreement = 0, past_length = 0;
  if (forget) std::fill(past_.begin(), past_.end(), 0.0);
  for (size_t i = 0; i < direction_.size(); ++i) {
    agreement += direction_[i] * past_[i];
    past_length += past_[i] * past_[i];
  }
  if (agreement < 0 && past_length > 0) {
    const double bend = -1.5 * agreement / past_length;
    squared_length = 0;
    for (size_t i = 0; i < direction_.size(); ++i) {
      direction_[i] += bend * past_[i];
      squared_length += direction_[i] * direction_[i];
    }
  }
  past_ = direction_;
  return squared_length;
}

// Weight flows from present arcs that have some to the missing ones.
void SubspaceBound::share_direction(const Reduced& factor) {
  size_t missing = 0, giving = 0;
  for (const Place& place : places_of(factor)) {
    if (!contains(heads_, place.arc)) ++missing;
    else if (weights_[place.weight] > 0) ++giving;
  }
  const bool still = missing == 0 || giving == 0;
  const double mean = still ? 0.0 : factor.score * static_cast<double>(giving) / static_cast<double>(giving + missing);
  for (const Place& place : places_of(factor)) {
    const bool is_missing = !contains(heads_, place.arc);
    const bool moves = !still && (is_missing || weights_[place.weight] > 0);
    direction_[place.weight] = !moves ? 0.0 : is_missing ? mean : mean - factor.score;
  }
}

void SubspaceBound::move(double step) {
  for (const Reduced& factor : reduced_) {
    if (factor.score < 0) {
      double& weight = weights_[factor.weight];
      weight = std::clamp(weight + step * direction_[factor.weight], 0.0, 1.0);
      continue;
    }
    scratch_.clear();
    double change = 0;
    for (const Place& place : places_of(factor)) {
      scratch_.push_back(weights_[place.weight] + step * direction_[place.weight]);
      change += std::fabs(direction_[place.weight]);
    }
    if (change == 0) continue;
    projected_.resize(scratch_.size());
    graph::project_on_simplex(scratch_, projected_, sorted_);
    for (size_t i = factor.first; i < factor.last; ++i) weights_[places_[i].weight] = projected_[i - factor.first];
  }
}

}  // namespace accord::parses
