// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/kernel_inverse.hpp"

#include <algorithm>
#include <cmath>

namespace accord::graph {

namespace {

constexpr double smallest_pivot = 1e-11;

inline void subtract(double factor, std::span<const double> from, std::span<double> to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] -= factor * from[i];
}

}  // namespace

void KernelInverse::reserve(size_t size) {
  if (size <= stride_) return;
  const size_t wider = std::max<size_t>({size, 2 * stride_, 16});
  std::vector<double> moved(wider * wider);
  for (size_t p = 0; p < size_; ++p) std::copy_n(entries_.data() + p * stride_, size_, moved.data() + p * wider);
  entries_ = std::move(moved);
  stride_ = wider;
}

void KernelInverse::grow(std::span<const double> column, std::span<const double> row, double pivot) {
  reserve(size_ + 1);
  const size_t last = size_++;
  for (size_t p = 0; p < last; ++p) {
    double* entries = entries_.data() + p * stride_;
    const double share = column[p] / pivot;
    if (share != 0)
      for (size_t r = 0; r < last; ++r) entries[r] += share * row[r];
    entries[last] = -share;
  }
  double* entries = entries_.data() + last * stride_;
  for (size_t r = 0; r < last; ++r) entries[r] = -row[r] / pivot;
  entries[last] = 1 / pivot;
}

void KernelInverse::shrink(size_t p, size_t r) {
  const size_t last = size_ - 1;
  std::swap_ranges(row(p).begin(), row(p).end(), row(last).begin());
  for (size_t q = 0; q < size_; ++q) std::swap(entries_[q * stride_ + r], entries_[q * stride_ + last]);
  const std::span<const double> gone = row(last);
  for (size_t q = 0; q < last; ++q) {
    const double factor = entries_[q * stride_ + last] / gone[last];
    if (factor != 0) subtract(factor, gone.first(last), row(q).first(last));
  }
  size_ = last;
}

void KernelInverse::replace_column(size_t p, std::span<const double> column) {
  for (double& entry : row(p)) entry /= column[p];
  for (size_t q = 0; q < size_; ++q)
    if (q != p && column[q] != 0) subtract(column[q], row(p), row(q));
}

void KernelInverse::replace_row(size_t r, std::span<const double> new_row) {
  for (size_t q = 0; q < size_; ++q) {
    const std::span<double> entries = row(q);
    if (entries[r] == 0) continue;
    const double share = entries[r] / new_row[r];
    subtract(share, new_row, entries);
    entries[r] = share;
  }
}

bool KernelInverse::invert(std::vector<double> kernel, size_t size) {
  size_ = 0;
  reserve(size);
  size_ = size;
  for (size_t p = 0; p < size; ++p) {
    std::fill(row(p).begin(), row(p).end(), 0.0);
    row(p)[p] = 1;
  }
  // Gauss and Jordan on the kernel's rows; the rows of the inverse come out in the order of the columns.
  for (size_t p = 0; p < size; ++p) {
    size_t best = p;
    for (size_t r = p + 1; r < size; ++r)
      if (std::fabs(kernel[r * size + p]) > std::fabs(kernel[best * size + p])) best = r;
    if (std::fabs(kernel[best * size + p]) < smallest_pivot) return false;
    if (best != p) {
      std::swap_ranges(kernel.begin() + static_cast<ptrdiff_t>(p * size), kernel.begin() + static_cast<ptrdiff_t>((p + 1) * size),
                       kernel.begin() + static_cast<ptrdiff_t>(best * size));
      std::swap_ranges(row(p).begin(), row(p).end(), row(best).begin());
    }
    const double pivot = kernel[p * size + p];
    const std::span<double> own(kernel.data() + p * size, size);
    for (double& entry : own) entry /= pivot;
    for (double& entry : row(p)) entry /= pivot;
    for (size_t r = 0; r < size; ++r) {
      const double factor = kernel[r * size + p];
      if (r == p || factor == 0) continue;
      subtract(factor, own, {kernel.data() + r * size, size});
      subtract(factor, row(p), row(r));
    }
  }
  return true;
}

}  // namespace accord::graph
