// SPDX-License-Identifier: Apache-2.0
// Weights that proximal steps shrink: a dictionary of rows that belong to cells (a cell is the features of one template).
//
// A cell is stored as multiplier times vector, with its norm beside it, so that shrinking a whole cell is one multiplication (Martins et
// al. 2011). Shrinking rows or single entries is lazy: the table adds up what is pending, and a row catches up when it is next changed.
// Reading takes what is pending into account and changes nothing, so any number of threads may read at once. Only features whose
// gradient was ever different from zero have a row, and sweep() frees the rows that have become zero.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/learn/distinct_count.hpp"

namespace accord::learn {

enum class Shrinking { cells, rows, entries };

struct FeatureKey {
  uint64_t key;
  int32_t column;
};

class GroupedTable {
 public:
  GroupedTable(int width, int cells, Shrinking shrinking);

  int cells() const { return static_cast<int>(cells_.size()); }
  double sum(std::span<const uint64_t> keys) const;
  void sum_rows(std::span<const uint64_t> keys, std::span<float> sums) const;

  void add_gradient(uint64_t key, int column, double amount, int cell) { changes_.push_back({key, column, cell, amount}); }
  double gradient_norm_squared();
  void scale_gradient(double factor);
  void clear_gradient() { changes_.clear(); }
  void step(double rate);  // weights += rate * gradient; clears the gradient

  double norm(int cell) const;
  // Distinct features of the cell whose gradient was ever different from zero; an estimate.
  double features_of(int cell) const { return cells_[static_cast<size_t>(cell)].features.estimate(); }
  // Makes the cell's norm this long. A norm of zero leaves its rows to the next sweep().
  void set_norm(int cell, double norm);
  // Shrinks every row or entry by the threshold, lazily.
  void shrink_later(double threshold) { pending_ += threshold; }
  // Soft thresholds every entry now, whatever this table shrinks otherwise.
  void threshold_entries(double threshold);
  // The norms of the rows, or the absolute entries, that are not zero.
  void append_norms(std::vector<double>& norms) const;

  // Frees what is zero, folds the multipliers in and computes the norms anew.
  void sweep();
  size_t features() const { return features_; }  // entries that are not zero, as of the last change
  size_t rows() const { return row_cells_.size(); }
  std::vector<FeatureKey> support() const;  // features that are not zero, after a sweep()
  double norm_squared() const;

 private:
  struct Cell {
    double multiplier = 1, square = 0;
    bool dead = false;  // shrunk to zero, rows not yet freed
    DistinctCount features;
  };
  struct Slot {
    uint64_t key = 0;
    uint32_t row = 0;  // 0: empty; else row + 1
  };
  struct Change {
    uint64_t key;
    int32_t column, cell;
    double amount;
  };

  int64_t find(uint64_t key) const;
  size_t insert(uint64_t key, int cell);
  void rebuild(size_t slots);
  void merge_changes();
  void catch_up(size_t row);
  void apply(const Change& change, double rate);
  // What the row is now, with what is pending.
  std::span<const double> current(size_t row, std::vector<double>& space) const;

  size_t width_;
  Shrinking shrinking_;
  double pending_ = 0;  // sum of all thresholds so far
  size_t features_ = 0;
  std::vector<Cell> cells_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> row_keys_;
  std::vector<int32_t> row_cells_;
  std::vector<double> row_pending_;  // pending_ when the row last caught up
  std::vector<double> weights_;
  std::vector<Change> changes_;
};

}  // namespace accord::learn
