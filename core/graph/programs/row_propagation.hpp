// SPDX-License-Identifier: Apache-2.0
// What rows alone say about integral columns: a value with which a row cannot hold is out.
//
// Rule:  the least that a row can sum to, with this column at its other bound, exceeds the row's upper bound (or the other way round): the
//        column stays where it is. Fixed columns may let other rows say more, until nothing moves. (Savelsbergh 1994)
// Cost:  the entries of each row that is looked at; only rows of columns that moved are.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/programs/row_matrix.hpp"

namespace accord::graph {

class RowPropagation {
 public:
  explicit RowPropagation(const RowMatrix& matrix);

  // Fixes a column; what follows waits for propagate.
  void fix(size_t column, double value);
  // False where some row cannot hold.
  bool propagate();
  // Bounds as they are now, and those that changed since `forget`.
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }
  bool is_fixed(size_t column) const { return low_[column] == high_[column]; }
  const std::vector<int32_t>& changed() const { return changed_; }

  // Back to some length of `changed`.
  void undo(size_t length);
  // What has changed so far is final.
  void forget() { changed_.clear(), before_.clear(); }
  void look_at_all();

 private:
  bool look_at(size_t row);
  void queue(size_t row);

  const RowMatrix& matrix_;
  std::vector<double> low_, high_;
  std::vector<double> margins_;  // of rows
  std::vector<int32_t> changed_;
  std::vector<std::pair<double, double>> before_;
  std::vector<size_t> waiting_;
  std::vector<uint8_t> queued_;
};

}  // namespace accord::graph
