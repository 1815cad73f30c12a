// SPDX-License-Identifier: Apache-2.0
// A program with box bounds, its matrix by rows and by columns, as the simplex method and propagation read it.
//
// Problem: maximise  scores . x  over  low <= x <= high  and  row_low <= A x <= row_high. Bounds of columns are finite.
//          Bounds of rows allow for the rounding of their numbers.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::graph {

struct MatrixEntry {
  int32_t index;  // the column of an entry of a row, the row of an entry of a column
  double value;
};

// Entries of all rows, or of all columns, one after the other.
class SparseLines {
 public:
  std::span<const MatrixEntry> operator[](size_t line) const {
    return std::span(entries_).subspan(starts_[line], starts_[line + 1] - starts_[line]);
  }
  size_t size() const { return starts_.size() - 1; }
  void add(int32_t index, double value) { entries_.push_back({index, value}); }
  void end_line() { starts_.push_back(entries_.size()); }

  // The same entries the other way round.
  SparseLines transposed(size_t lines) const {
    SparseLines other;
    other.starts_.assign(lines + 1, 0);
    for (const MatrixEntry& entry : entries_) ++other.starts_[static_cast<size_t>(entry.index) + 1];
    for (size_t k = 0; k < lines; ++k) other.starts_[k + 1] += other.starts_[k];
    other.entries_.resize(entries_.size());
    std::vector<size_t> next(other.starts_.begin(), other.starts_.end() - 1);
    for (size_t line = 0; line < size(); ++line)
      for (const MatrixEntry& entry : (*this)[line])
        other.entries_[next[static_cast<size_t>(entry.index)]++] = {static_cast<int32_t>(line), entry.value};
    return other;
  }

 private:
  std::vector<size_t> starts_ = {0};
  std::vector<MatrixEntry> entries_;
};

struct RowMatrix {
  std::vector<double> scores, low, high;  // of columns
  std::vector<uint8_t> integral;          // of columns: 0 or 1 at the points that are searched for
  std::vector<double> row_low, row_high;
  SparseLines rows, columns;

  size_t width() const { return scores.size(); }
  size_t height() const { return row_low.size(); }
};

}  // namespace accord::graph
