// SPDX-License-Identifier: Apache-2.0
#include "core/learn/grouped_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/learn/proximal.hpp"
#include "core/text/hash.hpp"
#include "core/vectorise.hpp"

namespace accord::learn {

namespace {

constexpr double smallest_multiplier = 1e-9;  // folded in below

}  // namespace

GroupedTable::GroupedTable(int width, int cells, Shrinking shrinking)
    : width_(static_cast<size_t>(width)),
      shrinking_(shrinking),
      cells_(static_cast<size_t>(cells)),
      slots_(1024) {}

int64_t GroupedTable::find(uint64_t key) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = key & mask;; at = (at + 1) & mask) {
    if (slots_[at].row == 0) return -1;
    if (slots_[at].key == key) return static_cast<int64_t>(slots_[at].row) - 1;
  }
}

size_t GroupedTable::insert(uint64_t key, int cell) {
  if (const int64_t found = find(key); found >= 0) return static_cast<size_t>(found);
  if (row_cells_.size() * 10 > slots_.size() * 6) rebuild(slots_.size() * 2);
  row_keys_.push_back(key);
  row_cells_.push_back(cell);
  row_pending_.push_back(pending_);
  weights_.resize(weights_.size() + width_);
  const size_t mask = slots_.size() - 1;
  size_t at = key & mask;
  while (slots_[at].row != 0) at = (at + 1) & mask;
  slots_[at] = {key, static_cast<uint32_t>(row_cells_.size())};
  return row_cells_.size() - 1;
}

void GroupedTable::rebuild(size_t slots) {
  slots_.assign(slots, {});
  const size_t mask = slots - 1;
  for (size_t row = 0; row < row_keys_.size(); ++row) {
    size_t at = row_keys_[row] & mask;
    while (slots_[at].row != 0) at = (at + 1) & mask;
    slots_[at] = {row_keys_[row], static_cast<uint32_t>(row + 1)};
  }
}

std::span<const double> GroupedTable::current(size_t row, std::vector<double>& space) const {
  const double* weights = weights_.data() + row * width_;
  const Cell& cell = cells_[static_cast<size_t>(row_cells_[row])];
  const double pending = shrinking_ == Shrinking::cells ? 0.0 : pending_ - row_pending_[row];
  if (pending == 0 && cell.multiplier == 1 && !cell.dead) return {weights, width_};
  space.assign(weights, weights + width_);
  if (shrinking_ == Shrinking::rows) shrink(space, pending);
  for (double& value : space)
    if (shrinking_ == Shrinking::entries) value = soft_threshold(value, pending);
    else if (shrinking_ == Shrinking::cells) value *= cell.dead ? 0.0 : cell.multiplier;
  return space;
}

double GroupedTable::sum(std::span<const uint64_t> keys) const {
  double total = 0;
  std::vector<double> space;
  for (uint64_t key : keys)
    if (const int64_t row = find(key); row >= 0) total += current(static_cast<size_t>(row), space)[0];
  return total;
}

void GroupedTable::sum_rows(std::span<const uint64_t> keys, std::span<float> sums) const {
  constexpr size_t ahead = 8;
  std::vector<double> space;
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) ACCORD_PREFETCH(&slots_[keys[i + ahead] & mask]);
    const int64_t row = find(keys[i]);
    if (row < 0) continue;
    const std::span<const double> values = current(static_cast<size_t>(row), space);
    for (size_t c = 0; c < width_; ++c) sums[c] += static_cast<float>(values[c]);
  }
}

void GroupedTable::merge_changes() {
  std::sort(changes_.begin(), changes_.end(),
            [](const Change& a, const Change& b) { return a.key != b.key ? a.key < b.key : a.column < b.column; });
  size_t kept = 0;
  for (size_t i = 0; i < changes_.size();) {
    Change merged = changes_[i];
    for (++i; i < changes_.size() && changes_[i].key == merged.key && changes_[i].column == merged.column; ++i)
      merged.amount += changes_[i].amount;
    if (merged.amount != 0) changes_[kept++] = merged;
  }
  changes_.resize(kept);
}

double GroupedTable::gradient_norm_squared() {
  merge_changes();
  double squares = 0;
  for (const Change& change : changes_) squares += change.amount * change.amount;
  return squares;
}

void GroupedTable::scale_gradient(double factor) {
  for (Change& change : changes_) change.amount *= factor;
}

void GroupedTable::catch_up(size_t row) {
  const double pending = pending_ - row_pending_[row];
  row_pending_[row] = pending_;
  if (pending == 0 || shrinking_ == Shrinking::cells) return;
  const std::span<double> values(weights_.data() + row * width_, width_);
  for (double value : values) features_ -= value != 0;
  if (shrinking_ == Shrinking::rows) shrink(values, pending);
  else
    for (double& value : values) value = soft_threshold(value, pending);
  for (double value : values) features_ += value != 0;
}

void GroupedTable::apply(const Change& change, double rate) {
  Cell& cell = cells_[static_cast<size_t>(change.cell)];
  cell.features.add(text::mix(change.key + static_cast<uint64_t>(change.column)));
  const size_t row = insert(change.key, change.cell);
  if (shrinking_ != Shrinking::cells) catch_up(row);
  double& stored = weights_[row * width_ + static_cast<size_t>(change.column)];
  const double before = cell.multiplier * stored, added = rate * change.amount;
  features_ -= stored != 0;
  stored += added / cell.multiplier;
  features_ += stored != 0;
  cell.square += 2 * before * added + added * added;
}

void GroupedTable::step(double rate) {
  merge_changes();
  for (const Change& change : changes_)
    if (cells_[static_cast<size_t>(change.cell)].dead) {
      sweep();  // dead rows must be gone before their features come back
      break;
    }
  for (const Change& change : changes_) apply(change, rate);
  changes_.clear();
}

double GroupedTable::norm(int cell) const { return std::sqrt(std::max(0.0, cells_[static_cast<size_t>(cell)].square)); }

void GroupedTable::set_norm(int number, double length) {
  Cell& cell = cells_[static_cast<size_t>(number)];
  const double before = norm(number);
  if (length == before) return;
  cell.dead = length <= 0;
  if (!cell.dead) cell.multiplier *= length / before;
  cell.square = cell.dead ? 0.0 : length * length;
  if (!cell.dead && cell.multiplier < smallest_multiplier) sweep();
}

void GroupedTable::threshold_entries(double threshold) {
  sweep();
  for (double& weight : weights_) weight = soft_threshold(weight, threshold);
  sweep();
}

void GroupedTable::append_norms(std::vector<double>& norms) const {
  std::vector<double> space;
  for (size_t row = 0; row < row_cells_.size(); ++row) {
    double squares = 0;
    for (double value : current(row, space)) {
      squares += value * value;
      if (shrinking_ == Shrinking::entries && value != 0) norms.push_back(std::fabs(value));
    }
    if (shrinking_ != Shrinking::entries && squares > 0) norms.push_back(std::sqrt(squares));
  }
}

void GroupedTable::sweep() {
  std::vector<double> space;
  for (Cell& cell : cells_) cell.square = 0;
  features_ = 0;
  size_t kept = 0;
  for (size_t row = 0; row < row_cells_.size(); ++row) {
    const std::span<const double> values = current(row, space);
    double squares = 0;
    size_t alive = 0;
    for (double value : values) squares += value * value, alive += value != 0;
    if (alive == 0) continue;
    cells_[static_cast<size_t>(row_cells_[row])].square += squares;
    features_ += alive;
    std::copy(values.begin(), values.end(), weights_.begin() + static_cast<std::ptrdiff_t>(kept * width_));
    row_keys_[kept] = row_keys_[row];
    row_cells_[kept] = row_cells_[row];
    row_pending_[kept++] = pending_;
  }
  row_keys_.resize(kept);
  row_cells_.resize(kept);
  row_pending_.resize(kept);
  weights_.resize(kept * width_);
  for (Cell& cell : cells_) cell.multiplier = 1, cell.dead = false;
  size_t slots = 1024;
  while (slots * 6 < kept * 10 + 10) slots *= 2;
  rebuild(slots);
}

std::vector<FeatureKey> GroupedTable::support() const {
  std::vector<FeatureKey> found;
  for (size_t row = 0; row < row_cells_.size(); ++row)
    for (size_t c = 0; c < width_; ++c)
      if (weights_[row * width_ + c] != 0) found.push_back({row_keys_[row], static_cast<int32_t>(c)});
  return found;
}

double GroupedTable::norm_squared() const {
  double squares = 0;
  std::vector<double> space;
  for (size_t row = 0; row < row_cells_.size(); ++row)
    for (double value : current(row, space)) squares += value * value;
  return squares;
}

}  // namespace accord::learn
