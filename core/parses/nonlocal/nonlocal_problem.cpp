// SPDX-License-Identifier: Apache-2.0
#include "core/parses/nonlocal/nonlocal_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

namespace accord::parses {

namespace {

std::string name(Arc arc) { return std::to_string(arc.head) + " -> " + std::to_string(arc.dependent); }

// The arcs of a factor, each once: a product does not change when an indicator stands in it twice.
std::vector<Arc> sorted_arcs(const NonlocalFactor& factor, int words) {
  for (const Arc arc : factor.arcs)
    if (arc.head < 0 || arc.head > words || arc.dependent < 1 || arc.dependent > words || arc.head == arc.dependent)
      throw std::invalid_argument("a factor names " + name(arc) + ", which is no arc over " + std::to_string(words) + " words");
  if (!std::isfinite(factor.score)) throw std::invalid_argument("the score of a factor is not a finite number");
  std::vector<Arc> arcs = factor.arcs;
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

// No word of the set has two heads: follow the heads from each word.
bool has_cycle(std::span<const Arc> arcs) {
  for (const Arc start : arcs) {
    int32_t word = start.head;
    for (size_t steps = 0; steps < arcs.size() && word != start.dependent; ++steps) {
      const auto up = std::find_if(arcs.begin(), arcs.end(), [word](Arc arc) { return arc.dependent == word; });
      if (up == arcs.end()) break;
      word = up->head;
    }
    if (word == start.dependent) return true;
  }
  return false;
}

}  // namespace

NonlocalProblem::NonlocalProblem(trees::ArcScores scores, std::span<const NonlocalFactor> factors, bool projective, bool single_root)
    : words_(scores.words),
      projective_(projective),
      single_root_(single_root),
      arc_scores_(scores.data, scores.data + scores.width() * scores.width()) {
  if (const std::ptrdiff_t invalid = trees::find_invalid(scores); invalid >= 0) {
    const auto at = static_cast<size_t>(invalid);
    const Arc arc{static_cast<int32_t>(at / width()), static_cast<int32_t>(at % width())};
    throw std::invalid_argument("the score of arc " + name(arc) + " is NaN or +infinity");
  }
  for (size_t word = 0; word < width(); ++word) {
    arc_scores_[word * width()] = trees::kForbidden;
    arc_scores_[word * width() + word] = trees::kForbidden;
  }
  add_factors(factors);
}

void NonlocalProblem::add_factors(std::span<const NonlocalFactor> factors) {
  std::map<std::vector<Arc>, double> merged;
  for (const NonlocalFactor& factor : factors) merged[sorted_arcs(factor, words_)] += factor.score;
  for (const auto& [arcs, score] : merged) {
    if (!std::isfinite(score)) throw std::invalid_argument("the scores of equal factors add up to infinity");
    if (score == 0.0 || !possible(arcs)) continue;
    if (arcs.empty()) {
      constant_ += score;
    } else if (arcs.size() == 1) {
      double& total = arc_scores_[index(arcs.front())];
      total += score;
      if (!std::isfinite(total)) throw std::invalid_argument("the scores of arc " + name(arcs.front()) + " add up to infinity");
    } else {
      scores_.push_back(score);
      arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
      starts_.push_back(arcs_.size());
    }
  }
}

bool NonlocalProblem::possible(std::span<const Arc> arcs) const {
  for (size_t i = 0; i < arcs.size(); ++i) {
    if (arc_scores_[index(arcs[i])] == trees::kForbidden) return false;
    for (size_t j = 0; j < i; ++j)
      if (exclude(arcs[i], arcs[j])) return false;
  }
  return !has_cycle(arcs);
}

double NonlocalProblem::score(std::span<const int32_t> heads) const {
  double total = constant_ + trees::tree_score({arc_scores_.data(), words_}, heads);
  for (size_t factor = 0; factor < factors(); ++factor) {
    const std::span<const Arc> arcs = arcs_of(factor);
    if (std::all_of(arcs.begin(), arcs.end(), [heads](Arc arc) { return contains(heads, arc); })) total += scores_[factor];
  }
  return total;
}

bool NonlocalProblem::exclude(Arc one, Arc other) const {
  if (one == other) return false;
  if (one.dependent == other.dependent) return true;
  if (one.head == other.dependent && one.dependent == other.head) return true;
  if (single_root_ && one.head == 0 && other.head == 0) return true;
  if (!projective_) return false;
  const auto [a, b] = std::minmax(one.head, one.dependent);
  const auto [c, d] = std::minmax(other.head, other.dependent);
  return (a < c && c < b && b < d) || (c < a && a < d && d < b);
}

Subspace::Subspace(const NonlocalProblem& problem)
    : problem_(&problem),
      states_(problem.width() * problem.width(), State::out),
      heads_left_(problem.width(), 0) {
  for (int32_t head = 0; head <= problem.words(); ++head) {
    for (int32_t dependent = 1; dependent <= problem.words(); ++dependent) {
      const size_t index = problem.index({head, dependent});
      if (problem.arc_scores()[index] == trees::kForbidden) continue;
      states_[index] = State::free;
      ++heads_left_[static_cast<size_t>(dependent)];
    }
  }
  for (int32_t dependent = 1; dependent <= problem.words(); ++dependent) {
    if (heads_left_[static_cast<size_t>(dependent)] == 0) possible_ = false;
    if (heads_left_[static_cast<size_t>(dependent)] == 1) require_last_head(dependent);
  }
  propagate();
}

bool Subspace::require(Arc arc) {
  decide(arc, State::in);
  return propagate();
}

bool Subspace::forbid(Arc arc) {
  decide(arc, State::out);
  return propagate();
}

void Subspace::decide(Arc arc, State state) {
  State& current = states_[problem_->index(arc)];
  if (current == state) return;
  if (current != State::free) {
    possible_ = false;
    return;
  }
  current = state;
  if (state == State::in) {
    pending_.push_back(arc);
  } else if (--heads_left_[static_cast<size_t>(arc.dependent)] == 1) {
    require_last_head(arc.dependent);
  }
}

void Subspace::require_last_head(int32_t dependent) {
  for (int32_t head = 0; head <= problem_->words(); ++head)
    if (state({head, dependent}) == State::free) return decide({head, dependent}, State::in);
}

bool Subspace::propagate() {
  while (possible_ && !pending_.empty()) {
    const Arc arc = pending_.back();
    pending_.pop_back();
    for (int32_t head = 0; head <= problem_->words(); ++head)
      for (int32_t dependent = 1; dependent <= problem_->words(); ++dependent)
        if (head != dependent && problem_->exclude(arc, {head, dependent})) decide({head, dependent}, State::out);
  }
  return possible_;
}

}  // namespace accord::parses
