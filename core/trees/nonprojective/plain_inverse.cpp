// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/plain_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "core/vectorise.hpp"

namespace accord::trees {

namespace {

std::ptrdiff_t padded(int words) { return (words + 7) / 8 * 8; }

ACCORD_VECTORISE bool all_at_least(const double* values, std::ptrdiff_t count, double limit) {
  int below = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) below += values[i] < limit;
  return below == 0;
}

// Gauss-Jordan in place, remembering the pivots. Two pivots go at a time: the other rows are read and written half as
// often. Single entries of a row are set after its loop: a narrow store right before wide loads would stall them.
ACCORD_VECTORISE void invert(double* __restrict matrix, int words, std::ptrdiff_t stride, double* __restrict pivots,
                             double* __restrict first) {
  int k = 0;
  for (; k + 1 < words; k += 2) {
    double* __restrict upper = matrix + k * stride;
    double* __restrict lower = upper + stride;
    pivots[k] = upper[k];
    const double inverse = 1.0 / upper[k], below = lower[k];
    for (std::ptrdiff_t j = 0; j < stride; ++j) first[j] = upper[j] * inverse;
    pivots[k + 1] = lower[k + 1] - below * first[k + 1];
    const double second_inverse = 1.0 / pivots[k + 1], across = first[k + 1];
    for (std::ptrdiff_t j = 0; j < stride; ++j) lower[j] = (lower[j] - below * first[j]) * second_inverse;
    lower[k] = -below * inverse * second_inverse;
    lower[k + 1] = second_inverse;
    for (std::ptrdiff_t j = 0; j < stride; ++j) upper[j] = first[j] - across * lower[j];
    upper[k] = inverse - across * lower[k];
    upper[k + 1] = -across * second_inverse;
    for (int i = 0; i < words; ++i) {
      if (i == k || i == k + 1) continue;
      double* __restrict row = matrix + i * stride;
      const double factor = row[k], second = row[k + 1] - factor * across;
      for (std::ptrdiff_t j = 0; j < stride; ++j) row[j] = row[j] - factor * first[j] - second * lower[j];
      row[k] = -factor * inverse - second * lower[k];
      row[k + 1] = -second * second_inverse;
    }
  }
  if (k == words) return;
  double* __restrict last = matrix + k * stride;
  pivots[k] = last[k];
  const double inverse = 1.0 / last[k];
  for (std::ptrdiff_t j = 0; j < stride; ++j) last[j] *= inverse;
  last[k] = inverse;
  for (int i = 0; i < k; ++i) {
    double* __restrict row = matrix + i * stride;
    const double factor = row[k];
    for (std::ptrdiff_t j = 0; j < stride; ++j) row[j] -= factor * last[j];
    row[k] = -factor * inverse;
  }
}

// The largest sum of absolute values of a column.
ACCORD_VECTORISE double norm(const double* matrix, int words, std::ptrdiff_t stride, double* __restrict sums) {
  for (std::ptrdiff_t j = 0; j < stride; ++j) sums[j] = 0.0;
  for (int i = 0; i < words; ++i)
    for (std::ptrdiff_t j = 0; j < stride; ++j) sums[j] += std::fabs(matrix[i * stride + j]);
  return *std::max_element(sums, sums + words);
}

// Marginals of one dependent's arcs would walk down a column; instead the inverse has been transposed, so that entry
// (head, dependent) of both matrices lies in the same row.
ACCORD_VECTORISE void weigh_row(const double* __restrict arcs, const double* __restrict inverse, const double* __restrict diagonal,
                                double off_diagonal, int words, double* __restrict out) {
  for (int m = 0; m < words; ++m) {
    const double value = arcs[m] * (diagonal[m] - off_diagonal * inverse[m]);
    out[m] = value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
  }
}

// product += a b, all words x words.
ACCORD_VECTORISE void multiply(const double* a, const double* b, int words, std::size_t stride, double* __restrict product) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(words); ++i) {
    double* __restrict row = product + i * stride;
    for (std::size_t k = 0; k < static_cast<std::size_t>(words); ++k) {
      const double factor = a[i * stride + k];
      const double* other = b + k * stride;
      for (std::size_t j = 0; j < stride; ++j) row[j] += factor * other[j];
    }
  }
}

}  // namespace

bool PlainInverse::marginals(const std::vector<double>& arcs, const std::vector<double>& root, int words, bool single_root,
                             double& log_tree, std::span<double> out) {
  const auto size = static_cast<std::size_t>(words);
  if (!all_at_least(root.data(), words, smallest_weight)) return false;
  for (int head = 0; head < words; ++head) {  // either side of the diagonal
    const double* row = arcs.data() + static_cast<std::size_t>(head) * size;
    if (!all_at_least(row, head, smallest_weight) || !all_at_least(row + head + 1, words - head - 1, smallest_weight)) return false;
  }
  // Worked on transposed: row m holds what enters word m, so the inverse comes out by [head][dependent] too.
  const std::ptrdiff_t stride = padded(words);
  matrix_.assign(size * static_cast<std::size_t>(stride), 0.0);
  diagonal_.resize(2 * static_cast<std::size_t>(stride));
  const int last = words - 1;
  for (int m = 0; m < words; ++m) {
    double* row = matrix_.data() + m * stride;
    for (int h = 0; h < words; ++h) row[h] = -arcs[static_cast<std::size_t>(h) * size + static_cast<std::size_t>(m)];
    row[m] = single_root ? 1.0 - root[static_cast<std::size_t>(m)] : 1.0;
    if (single_root) row[last] = root[static_cast<std::size_t>(m)];
  }
  double* pivots = diagonal_.data();
  invert(matrix_.data(), words, stride, pivots, pivots + stride);
  log_tree = 0.0;
  double product = 1.0;
  for (int k = 0; k < words; ++k) {
    if (!(pivots[k] > 0.0)) return false;
    product *= pivots[k];
    if (product < 1e-200 || k == last) log_tree += std::log(product), product = 1.0;
  }
  if (!(norm(matrix_.data(), words, stride, pivots + stride) <= largest_norm)) return false;
  double* diagonal = diagonal_.data();
  for (int m = 0; m < words; ++m) diagonal[m] = matrix_[static_cast<std::size_t>(m * stride + m)];
  // matrix_[h][m] is entry (m, h) of the inverse in the paper's notation.
  const std::size_t width = size + 1;
  for (int m = 0; m < words; ++m) {
    const double reach = single_root ? matrix_[static_cast<std::size_t>(last * stride + m)] : diagonal[m];
    out[static_cast<std::size_t>(m) + 1] = std::clamp(root[static_cast<std::size_t>(m)] * reach, 0.0, 1.0);
  }
  if (single_root) diagonal[last] = 0.0;  // that diagonal entry was overwritten by the root's row
  for (int h = 0; h < words; ++h)
    weigh_row(arcs.data() + static_cast<std::size_t>(h) * size, matrix_.data() + h * stride, diagonal, single_root && h == last ? 0.0 : 1.0,
              words, out.data() + (static_cast<std::size_t>(h) + 1) * width + 1);
  return true;
}

void PlainInverse::tangents(const std::vector<double>& arcs, const std::vector<double>& root, int words, bool single_root,
                            std::span<const double> direction, std::span<const double> marginals, std::span<double> out) {
  const auto size = static_cast<std::size_t>(words), width = size + 1, last = size - 1;
  const auto stride = static_cast<std::size_t>(padded(words));
  change_.assign(size * stride, 0.0);
  for (std::size_t m = 0; m < size; ++m) {  // by [dependent][head], as the matrix was
    double* row = change_.data() + m * stride;
    const double from_root = root[m] * direction[m + 1];
    double entering = single_root ? 0.0 : from_root;
    for (std::size_t h = 0; h < size; ++h) {
      const double moved = h == m ? 0.0 : arcs[h * size + m] * direction[(h + 1) * width + m + 1];
      row[h] = -moved;
      entering += moved;
    }
    row[m] = entering;
    if (single_root) row[last] = from_root;
  }
  product_.assign(size * stride, 0.0);
  multiply(change_.data(), matrix_.data(), words, stride, product_.data());
  moved_.assign(size * stride, 0.0);
  multiply(matrix_.data(), product_.data(), words, stride, moved_.data());
  for (std::size_t m = 0; m < size; ++m) {
    const double reach = -moved_[(single_root ? last : m) * stride + m];
    out[m + 1] = marginals[m + 1] * direction[m + 1] + root[m] * reach;
  }
  for (std::size_t h = 0; h < size; ++h)
    for (std::size_t m = 0; m < size; ++m) {
      if (h == m) continue;
      const std::size_t arc = (h + 1) * width + m + 1;
      const double diagonal = single_root && m == last ? 0.0 : -moved_[m * stride + m];
      const double reach = single_root && h == last ? 0.0 : -moved_[h * stride + m];
      out[arc] = marginals[arc] * direction[arc] + arcs[h * size + m] * (diagonal - reach);
    }
}

}  // namespace accord::trees
