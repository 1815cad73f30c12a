// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/dual_simplex.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

constexpr double feasible = 1e-9;        // violations up to here count as none
constexpr double smallest_entry = 1e-7;  // entries that may enter the basis
constexpr double zero_entry = 1e-11;     // entries of a row of the tableau that are taken for zero
constexpr double tie = 1e-10;            // ratios that are as good as equal
constexpr int most_updates = 100;

}  // namespace

DualSimplex::DualSimplex(const RowMatrix& matrix) : matrix_(matrix) {
  const size_t all = matrix.width() + matrix.height();
  now_.low = matrix.low;
  now_.high = matrix.high;
  now_.low.insert(now_.low.end(), matrix.row_low.begin(), matrix.row_low.end());
  now_.high.insert(now_.high.end(), matrix.row_high.begin(), matrix.row_high.end());
  now_.cost = matrix.scores;
  now_.cost.resize(all, 0.0);
  now_.place.assign(all, -1);
  now_.value.assign(all, 0.0);
  alpha_.assign(all, 0.0);
  is_touched_.assign(all, 0);
  for (size_t j = 0; j < width(); ++j) now_.value[j] = matrix.scores[j] > 0 ? now_.high[j] : now_.low[j];
  recompute_values();
  for (size_t i = 0; i < matrix.height(); ++i) {
    double norm = 1;
    for (const MatrixEntry& entry : matrix.rows[i]) norm += entry.value * entry.value;
    norms_.push_back(norm);
  }
}

void DualSimplex::set_bounds(size_t column, double low, double high) {
  now_.low[column] = low;
  now_.high[column] = high;
}

// Negative: below the lower bound; positive: above the upper one.
double DualSimplex::violation(size_t variable) const {
  const double value = now_.value[variable];
  if (value < now_.low[variable] - feasible) return value - now_.low[variable];
  if (value > now_.high[variable] + feasible) return value - now_.high[variable];
  return 0;
}

int32_t DualSimplex::leaving() const {
  int32_t chosen = -1;
  double largest = 0;
  const auto look = [&](size_t variable, double norm) {
    const double off = violation(variable);
    if (off != 0 && off * off > largest * norm) largest = off * off / norm, chosen = static_cast<int32_t>(variable);
  };
  for (const int32_t j : now_.basic) look(static_cast<size_t>(j), 1.0);
  for (size_t i = 0; i < matrix_.height(); ++i)
    if (now_.place[width() + i] < 0) look(width() + i, norms_[i]);
  return chosen;
}

void DualSimplex::add_row_entries(size_t row, double factor) {
  for (const MatrixEntry& entry : matrix_.rows[row]) {
    const auto j = static_cast<size_t>(entry.index);
    if (!is_touched_[j]) is_touched_[j] = 1, touched_.push_back(entry.index);
    alpha_[j] += factor * entry.value;
  }
}

// The leaving variable as a sum over all others: alpha of each; columns in the basis keep what rounding leaves of them.
void DualSimplex::find_row(size_t leaving) {
  for (const int32_t v : touched_) alpha_[static_cast<size_t>(v)] = 0, is_touched_[static_cast<size_t>(v)] = 0;
  touched_.clear();
  const size_t size = now_.basic.size();
  rho_.assign(size, 0.0);
  if (leaving < width()) {
    const std::span<const double> row = now_.inverse.row(static_cast<size_t>(now_.place[leaving]));
    std::copy(row.begin(), row.end(), rho_.begin());
  } else {
    for (const MatrixEntry& entry : matrix_.rows[leaving - width()]) {
      const int32_t p = now_.place[static_cast<size_t>(entry.index)];
      if (p < 0) continue;
      const std::span<const double> row = now_.inverse.row(static_cast<size_t>(p));
      for (size_t r = 0; r < size; ++r) rho_[r] += entry.value * row[r];
    }
    add_row_entries(leaving - width(), 1.0);
  }
  for (size_t r = 0; r < size; ++r) {
    if (std::fabs(rho_[r]) < zero_entry) rho_[r] = 0;
    if (rho_[r] == 0) continue;
    const auto i = static_cast<size_t>(now_.equal[r]);
    alpha_[width() + i] = rho_[r];
    is_touched_[width() + i] = 1;
    touched_.push_back(static_cast<int32_t>(width() + i));
    add_row_entries(i, -rho_[r]);
  }
}

// The variable whose reduced cost reaches zero where the step ends, -1 where none does. Those that are passed before it are flipped.
int32_t DualSimplex::entering(size_t leaving, double sign) {
  breakpoints_.clear();
  flipped_.clear();
  for (const int32_t v : touched_) {
    const auto j = static_cast<size_t>(v);
    if (is_basic(j) || now_.low[j] == now_.high[j]) continue;
    const double slope = sign * alpha_[j];
    if (std::fabs(slope) < zero_entry * 10) continue;
    const bool at_low = now_.value[j] == now_.low[j];
    if (at_low != (slope > 0)) continue;
    breakpoints_.push_back({std::max(0.0, -now_.cost[j] / slope), v, slope});
  }
  if (breakpoints_.empty()) return -1;
  std::sort(breakpoints_.begin(), breakpoints_.end(),
            [](const Breakpoint& a, const Breakpoint& b) { return a.ratio != b.ratio ? a.ratio < b.ratio : a.variable < b.variable; });
  double left = std::fabs(violation(leaving));  // of the violation, after the flips so far
  size_t last = 0;
  while (last < breakpoints_.size()) {
    const auto j = static_cast<size_t>(breakpoints_[last].variable);
    left -= std::fabs(breakpoints_[last].alpha) * (now_.high[j] - now_.low[j]);
    if (left <= feasible) break;
    ++last;
  }
  if (last == breakpoints_.size()) return -1;
  // Of those that are about equal, and of shorter steps where the numbers are small, the one with the largest entry.
  size_t chosen = last;
  for (size_t k = last + 1; k < breakpoints_.size() && breakpoints_[k].ratio <= breakpoints_[last].ratio + tie; ++k)
    if (std::fabs(breakpoints_[k].alpha) > std::fabs(breakpoints_[chosen].alpha)) chosen = k;
  for (size_t k = last; k-- > 0;) {
    const bool equal = breakpoints_[k].ratio >= breakpoints_[last].ratio - tie;
    if (!equal && std::fabs(breakpoints_[chosen].alpha) >= smallest_entry) break;
    if (std::fabs(breakpoints_[k].alpha) > std::fabs(breakpoints_[chosen].alpha)) chosen = k;
  }
  const double ratio = breakpoints_[chosen].ratio;
  fall_ = std::fabs(violation(leaving)) * ratio;
  for (size_t k = 0; k < last && breakpoints_[k].ratio <= ratio; ++k) {
    if (k == chosen) continue;
    const auto j = static_cast<size_t>(breakpoints_[k].variable);
    flipped_.push_back(j);
    fall_ -= std::fabs(breakpoints_[k].alpha) * (now_.high[j] - now_.low[j]) * (ratio - breakpoints_[k].ratio);
  }
  return breakpoints_[chosen].variable;
}

// Moves a variable that is not basic: at once in the slacks of other rows, and as a burden on the equality rows.
void DualSimplex::move(size_t variable, double by) {
  now_.value[variable] += by;
  if (variable >= width()) {
    moved_[static_cast<size_t>(now_.place[variable])] += by;
    return;
  }
  for (const MatrixEntry& entry : matrix_.columns[variable]) {
    const size_t slack = width() + static_cast<size_t>(entry.index);
    if (now_.place[slack] < 0) now_.value[slack] += entry.value * by;
    else moved_[static_cast<size_t>(now_.place[slack])] -= entry.value * by;
  }
}

void DualSimplex::finish_moves() {
  moved_places_.clear();
  for (size_t r = 0; r < moved_.size(); ++r)
    if (moved_[r] != 0) moved_places_.push_back({static_cast<int32_t>(r), moved_[r]});
  for (size_t p = 0; p < now_.basic.size(); ++p) {
    const std::span<const double> row = now_.inverse.row(p);
    double by = 0;
    for (const MatrixEntry& entry : moved_places_) by += row[static_cast<size_t>(entry.index)] * entry.value;
    if (by == 0) continue;
    const auto j = static_cast<size_t>(now_.basic[p]);
    now_.value[j] += by;
    for (const MatrixEntry& entry : matrix_.columns[j]) {
      const size_t slack = width() + static_cast<size_t>(entry.index);
      if (now_.place[slack] < 0) now_.value[slack] += entry.value * by;
    }
  }
}

// Variables that are not basic go to the bound that their reduced cost prefers.
void DualSimplex::settle() {
  moved_.assign(now_.basic.size(), 0.0);
  bool any = false;
  now_.objective = 0;
  for (size_t v = 0; v < now_.value.size(); ++v) {
    if (is_basic(v)) continue;
    const double low = now_.low[v], high = now_.high[v], cost = now_.cost[v];
    double wanted = cost > 0 ? high : cost < 0 ? low : std::fabs(now_.value[v] - low) <= std::fabs(high - now_.value[v]) ? low : high;
    if (std::isinf(wanted)) wanted = std::isinf(low) ? high : low;
    if (wanted != now_.value[v]) {
      const double by = wanted - now_.value[v];
      move(v, by);
      now_.value[v] = wanted;
      any = true;
    }
    now_.objective += cost * wanted;
  }
  if (any) finish_moves();
}

void DualSimplex::recompute_values() {
  for (size_t i = 0; i < matrix_.height(); ++i)
    if (now_.place[width() + i] < 0) now_.value[width() + i] = 0;
  for (const int32_t j : now_.basic) now_.value[static_cast<size_t>(j)] = 0;
  moved_.assign(now_.basic.size(), 0.0);
  for (size_t r = 0; r < now_.equal.size(); ++r) moved_[r] = now_.value[width() + static_cast<size_t>(now_.equal[r])];
  for (size_t j = 0; j < width(); ++j) {
    const double value = now_.value[j];
    if (now_.place[j] >= 0 || value == 0) continue;
    now_.value[j] = 0;
    move(j, value);
  }
  finish_moves();
}

// The inverse, the values and the reduced costs afresh; false where the kernel has no inverse.
bool DualSimplex::refresh() {
  const size_t size = now_.basic.size();
  std::vector<double> kernel(size * size, 0.0);
  for (size_t p = 0; p < size; ++p)
    for (const MatrixEntry& entry : matrix_.columns[static_cast<size_t>(now_.basic[p])]) {
      const int32_t r = now_.place[width() + static_cast<size_t>(entry.index)];
      if (r >= 0) kernel[static_cast<size_t>(r) * size + p] = entry.value;
    }
  if (!now_.inverse.invert(std::move(kernel), size)) return false;
  now_.updates = 0;
  std::fill(now_.cost.begin() + static_cast<ptrdiff_t>(width()), now_.cost.end(), 0.0);
  std::copy(matrix_.scores.begin(), matrix_.scores.end(), now_.cost.begin());
  for (size_t r = 0; r < size; ++r) {
    double multiplier = 0;
    for (size_t p = 0; p < size; ++p) multiplier += matrix_.scores[static_cast<size_t>(now_.basic[p])] * now_.inverse.row(p)[r];
    if (std::fabs(multiplier) < 1e-14) continue;
    const auto i = static_cast<size_t>(now_.equal[r]);
    now_.cost[width() + i] = multiplier;
    for (const MatrixEntry& entry : matrix_.rows[i]) now_.cost[static_cast<size_t>(entry.index)] -= multiplier * entry.value;
  }
  for (const int32_t j : now_.basic) now_.cost[static_cast<size_t>(j)] = 0;
  recompute_values();
  settle();
  return true;
}

void DualSimplex::find_column(size_t entering) {
  const size_t size = now_.basic.size();
  column_.assign(size, 0.0);
  if (entering >= width()) {
    const auto r = static_cast<size_t>(now_.place[entering]);
    for (size_t p = 0; p < size; ++p) column_[p] = now_.inverse.row(p)[r];
    return;
  }
  moved_places_.clear();
  for (const MatrixEntry& entry : matrix_.columns[entering]) {
    const int32_t r = now_.place[width() + static_cast<size_t>(entry.index)];
    if (r >= 0) moved_places_.push_back({r, entry.value});
  }
  for (size_t p = 0; p < size; ++p) {
    const std::span<const double> row = now_.inverse.row(p);
    for (const MatrixEntry& entry : moved_places_) column_[p] += row[static_cast<size_t>(entry.index)] * entry.value;
  }
}

void DualSimplex::update_inverse(size_t leaving, size_t entering) {
  std::vector<int32_t>&basic = now_.basic, &equal = now_.equal, &place = now_.place;
  const bool column_leaves = leaving < width(), column_enters = entering < width();
  const auto as_row = [&](size_t slack) { return static_cast<int32_t>(slack - width()); };
  if (column_leaves && column_enters) {
    const int32_t p = place[leaving];
    now_.inverse.replace_column(static_cast<size_t>(p), column_);
    basic[static_cast<size_t>(p)] = static_cast<int32_t>(entering);
    place[entering] = p;
    place[leaving] = -1;
  } else if (column_enters) {
    now_.inverse.grow(column_, rho_, alpha_[entering]);
    place[entering] = place[leaving] = static_cast<int32_t>(basic.size());
    basic.push_back(static_cast<int32_t>(entering));
    equal.push_back(as_row(leaving));
  } else if (column_leaves) {
    const auto p = static_cast<size_t>(place[leaving]), r = static_cast<size_t>(place[entering]);
    now_.inverse.shrink(p, r);
    basic[p] = basic.back();
    place[static_cast<size_t>(basic[p])] = static_cast<int32_t>(p);
    equal[r] = equal.back();
    place[width() + static_cast<size_t>(equal[r])] = static_cast<int32_t>(r);
    basic.pop_back();
    equal.pop_back();
    place[leaving] = place[entering] = -1;
  } else {
    const int32_t r = place[entering];
    now_.inverse.replace_row(static_cast<size_t>(r), rho_);
    equal[static_cast<size_t>(r)] = as_row(leaving);
    place[leaving] = r;
    place[entering] = -1;
  }
  ++now_.updates;
}

void DualSimplex::step(size_t leaving, size_t entering, double sign) {
  const double target = sign > 0 ? now_.low[leaving] : now_.high[leaving];
  const double length = std::max(0.0, -now_.cost[entering] / (sign * alpha_[entering]));
  find_column(entering);
  moved_.assign(now_.basic.size(), 0.0);
  double start = now_.value[leaving];
  for (const size_t j : flipped_) {
    const double to = now_.value[j] == now_.low[j] ? now_.high[j] : now_.low[j], by = to - now_.value[j];
    start += alpha_[j] * by;
    move(j, by);
    now_.value[j] = to;
  }
  move(entering, (target - start) / alpha_[entering]);
  finish_moves();
  now_.value[leaving] = target;
  for (const int32_t v : touched_) {
    const auto j = static_cast<size_t>(v);
    if (!is_basic(j)) now_.cost[j] += sign * length * alpha_[j];
  }
  now_.cost[entering] = 0;
  now_.cost[leaving] = -sign * length;
  update_inverse(leaving, entering);
  ++steps_;
}

DualSimplex::Outcome DualSimplex::solve(double cut_off, int64_t steps) {
  settle();
  int recoveries = 0;
  for (const int64_t end = steps_ + steps; steps_ < end;) {
    if (now_.updates >= most_updates && !refresh()) return Outcome::limit;
    if (now_.objective <= cut_off) return Outcome::cut_off;
    const int32_t out = leaving();
    if (out < 0) {
      if (now_.updates == 0 || recoveries++ > 0) return Outcome::optimal;
      recompute_values();
      continue;
    }
    const auto gone = static_cast<size_t>(out);
    const double sign = violation(gone) < 0 ? 1 : -1;
    find_row(gone);
    const int32_t in = entering(gone, sign);
    if (in < 0 && proves_infeasible(gone)) return Outcome::infeasible;
    if (in < 0 || std::fabs(alpha_[static_cast<size_t>(in)]) < smallest_entry) {
      if (now_.updates == 0 || !refresh()) return Outcome::limit;
      continue;
    }
    step(gone, static_cast<size_t>(in), sign);
    now_.objective -= fall_;
  }
  return Outcome::limit;
}

}  // namespace accord::graph
