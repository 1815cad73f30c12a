// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/active_set.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/square_matrix.hpp"

namespace accord::graph {

namespace {

constexpr double dependent = 1e-9;   // a Schur complement below this: the configuration lies in the affine hull already
constexpr double negative = -1e-12;  // shares above this count as zero
constexpr double exact = 1e-13;      // a residual below this, relative to the right side, is no residual
constexpr int corrections = 5;       // of a solution by its residual

}  // namespace

void ActiveSet::mark(const Member& member, bool on) {
  marked_.resize(size_, 0);
  for (int32_t variable : member.on) marked_[static_cast<size_t>(variable)] = on;
}

double ActiveSet::overlap(const Member& a) const {
  double count = 0;
  for (int32_t variable : a.on) count += marked_[static_cast<size_t>(variable)];
  return count;
}

void ActiveSet::mix(std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  for (const Member& member : set_)
    if (member.share != 0)
      for (int32_t variable : member.on) z[static_cast<size_t>(variable)] += member.share;
}

// Grows the inverse by the new row of overlaps; false, with nothing changed, when the row depends on the others.
bool ActiveSet::insert(Member& fresh) {
  const size_t k = set_.size(), old = k + 1, now = k + 2;
  mark(fresh, true);
  border_.assign(old, 1.0);
  for (size_t i = 0; i < k; ++i) border_[i + 1] = overlap(set_[i]);
  mark(fresh, false);
  if (!solve(border_, product_)) {
    invert();
    solve(border_, product_);
  }
  const double norm = static_cast<double>(fresh.on.size());
  double schur = norm;
  for (size_t i = 0; i < old; ++i) schur -= border_[i] * product_[i];
  if (schur < dependent) return false;
  if (careful_) {
    border_.push_back(norm);
    matrix_ = with_border(matrix_, border_);
  }
  next_inverse_.resize(now * now);
  for (size_t i = 0; i < old; ++i) {
    const double* row = inverse_.data() + i * old;
    double* larger = next_inverse_.data() + i * now;
    const double factor = product_[i] / schur;
    for (size_t j = 0; j < old; ++j) larger[j] = row[j] + factor * product_[j];
    larger[old] = next_inverse_[old * now + i] = -factor;
  }
  next_inverse_[old * now + old] = 1 / schur;
  inverse_.swap(next_inverse_);
  if (spare_.empty()) {
    set_.emplace_back();
  } else {
    set_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  std::swap(set_.back(), fresh);
  return true;
}

void ActiveSet::remove(size_t index) {
  const size_t old = set_.size() + 1, now = old - 1, gone = index + 1;
  next_inverse_.resize(now * now);
  const double* lost = inverse_.data() + gone * old;
  const double pivot = lost[gone];
  for (size_t i = 0; i < old; ++i) {
    if (i == gone) continue;
    const double* row = inverse_.data() + i * old;
    double* smaller = next_inverse_.data() + (i < gone ? i : i - 1) * now;
    const double factor = row[gone] / pivot;
    for (size_t j = 0; j < gone; ++j) smaller[j] = row[j] - factor * lost[j];
    for (size_t j = gone + 1; j < old; ++j) smaller[j - 1] = row[j] - factor * lost[j];
  }
  inverse_.swap(next_inverse_);
  if (careful_) matrix_ = without(matrix_, old, gone);
  spare_.push_back(std::move(set_[index]));
  set_.erase(set_.begin() + static_cast<std::ptrdiff_t>(index));
}

// The fresh configuration is an affine combination of the set (coefficients in product_, the multiplier first): shift shares
// along that direction, which leaves the point where it is and raises the own score, until one of the set is used up.
void ActiveSet::replace_dependent(Member& fresh) {
  combination_.assign(product_.begin() + 1, product_.end());
  size_t used_up = set_.size();
  double shift = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < set_.size(); ++i)
    if (combination_[i] > 1e-9 && set_[i].share / combination_[i] < shift) shift = set_[i].share / combination_[i], used_up = i;
  if (used_up == set_.size()) return;
  for (size_t i = 0; i < set_.size(); ++i) set_[i].share -= shift * combination_[i];
  fresh.share = shift;
  remove(used_up);
  insert(fresh);
}

void ActiveSet::describe(Factor& factor, Member& member) const {
  member.on.clear();
  for (size_t i = 0; i < size_; ++i)
    if (configuration_[i]) member.on.push_back(static_cast<int32_t>(i));
  member.own = factor.score(configuration_);
}

bool ActiveSet::start(Factor& factor, std::span<const double> target, double weight) {
  for (size_t i = 0; i < size_; ++i) scores_[i] = target[i] / weight;
  if (factor.maximize(scores_, configuration_) == impossible) return false;
  set_.resize(1);
  describe(factor, set_.front());
  set_.front().share = 1;
  const double norm = static_cast<double>(set_.front().on.size());
  inverse_ = {-norm, 1, 1, 0};  // of [0 1; 1 norm]
  if (careful_) matrix_ = {0, 1, 1, norm};
  return true;
}

void ActiveSet::solve_on_hull(std::span<const double> target, double weight) {
  const size_t k = set_.size(), width = k + 1;
  border_.assign(width, 1.0);
  for (size_t i = 0; i < k; ++i) {
    double sum = weight * set_[i].own;
    for (int32_t variable : set_[i].on) sum += target[static_cast<size_t>(variable)];
    border_[i + 1] = sum;
  }
  if (solve(border_, solution_)) return;
  invert();
  solve(border_, solution_);
}

bool ActiveSet::solve(std::span<const double> side, std::vector<double>& solution) const {
  const size_t width = side.size();
  solution.assign(width, 0.0);
  add_product(inverse_, side, 1.0, solution);
  if (!careful_) return true;
  double scale = 1;
  for (const double value : side) scale = std::max(scale, std::fabs(value));
  std::vector<double> residual(width);
  for (int round = 0; round < corrections; ++round) {
    residual.assign(side.begin(), side.end());
    add_product(matrix_, solution, -1.0, residual);
    double worst = 0;
    for (const double value : residual) worst = std::max(worst, std::fabs(value));
    if (worst < exact * scale) return true;
    add_product(inverse_, residual, 1.0, solution);
  }
  return false;
}

// The working set is affinely independent, so there is an inverse.
void ActiveSet::invert() { inverse_ = inverse_of(matrix_, set_.size() + 1); }

// Shares must sum to one; they do not once the inverse has drifted.
bool ActiveSet::sound() const {
  double sum = 0;
  for (size_t i = 1; i < solution_.size(); ++i) sum += solution_[i];
  return std::fabs(sum - 1) < 1e-6;  // false for NaN
}

// True when the solution on the hull is a distribution and was taken; else goes as far as it can and drops the blocker.
bool ActiveSet::move_towards_solution() {
  double step = 1;
  size_t blocking = set_.size();
  for (size_t i = 0; i < set_.size(); ++i) {
    const double wanted = solution_[i + 1];
    if (wanted >= negative) continue;
    const double limit = set_[i].share / (set_[i].share - wanted);
    if (limit < step) step = limit, blocking = i;
  }
  for (size_t i = 0; i < set_.size(); ++i) set_[i].share += step * (solution_[i + 1] - set_[i].share);
  if (blocking == set_.size()) return true;
  set_[blocking].share = 0;
  remove(blocking);
  return false;
}

bool ActiveSet::project(Factor& factor, std::span<const double> target, double weight, std::span<double> z, int steps) {
  if (set_.empty() && !start(factor, target, weight)) return false;
  double scale = 1;
  for (double value : target) scale = std::max(scale, std::fabs(value));
  const double tolerance = 1e-9 * scale;
  finished_ = true;
  for (int step = 0; step < steps; ++step) {
    solve_on_hull(target, weight);
    if (!sound()) {  // rounding has worn the inverse out: begin again from one configuration
      if (!start(factor, target, weight)) return false;
      solve_on_hull(target, weight);
    }
    if (!move_towards_solution()) {
      --step;  // a removal costs no maximisation, and there are finitely many
      continue;
    }
    mix(z);
    for (size_t i = 0; i < size_; ++i) scores_[i] = (target[i] - z[i]) / weight;
    const double level = (solution_[0] + tolerance) / weight;
    const double value = factor.maximize_above(level, scores_, configuration_);
    if (value == impossible) return false;
    if (value <= level) return true;
    describe(factor, fresh_);
    fresh_.share = 0;
    const auto known = std::find_if(set_.begin(), set_.end(), [&](const Member& m) { return m.on == fresh_.on; });
    if (known != set_.end()) return true;
    if (!insert(fresh_)) replace_dependent(fresh_);
  }
  mix(z);
  finished_ = false;
  return true;
}

void ActiveSet::differentiate(std::span<const double> direction, std::span<double> out) const {
  std::vector<double> along(set_.size() + 1, 0.0), moved;
  for (size_t i = 0; i < set_.size(); ++i)
    for (const int32_t variable : set_[i].on) along[i + 1] += direction[static_cast<size_t>(variable)];
  solve(along, moved);
  std::fill(out.begin(), out.end(), 0.0);
  for (size_t i = 0; i < set_.size(); ++i)
    for (const int32_t variable : set_[i].on) out[static_cast<size_t>(variable)] += moved[i + 1];
}

}  // namespace accord::graph
