// SPDX-License-Identifier: Apache-2.0
// The inverse of the kernel of a simplex basis: of the entries of basic columns in the rows that hold with equality.
//
// A basis of m rows consists of slacks and of k columns. Slacks need no inverse: only the k x k kernel does, and k is the number of rows
// that matter, often a small share of m. The inverse is dense, and each change of basis is an update of rank one, O(k^2).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace accord::graph {

class KernelInverse {
 public:
  size_t size() const { return size_; }
  // Row p belongs to the basic column in place p, entry r to the equality row in place r.
  std::span<double> row(size_t p) { return {entries_.data() + p * stride_, size_}; }
  std::span<const double> row(size_t p) const { return {entries_.data() + p * stride_, size_}; }

  // A column and a row join the kernel. `column`: the inverse times the new column; `row`: the new row times the inverse; pivot: the
  // entry of the new column in the new row, less what the kernel explains.
  void grow(std::span<const double> column, std::span<const double> row, double pivot);
  // The column in place p and the row in place r leave; the last ones take their places.
  void shrink(size_t p, size_t r);
  // Another column takes place p; `column`: the inverse times it.
  void replace_column(size_t p, std::span<const double> column);
  // Another row takes place r; `row`: it times the inverse.
  void replace_row(size_t r, std::span<const double> row);
  // The inverse of this matrix, row after row: entry (r, p) is that of basic column p in equality row r. False where it has none.
  bool invert(std::vector<double> kernel, size_t size);

 private:
  void reserve(size_t size);

  size_t size_ = 0, stride_ = 0;
  std::vector<double> entries_;
};

}  // namespace accord::graph
