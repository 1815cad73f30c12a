// SPDX-License-Identifier: Apache-2.0
// Small square matrices, row after row: what an active set needs of them.
#pragma once
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace accord::graph {

// sum += factor * (square matrix) * vector.
inline void add_product(const std::vector<double>& matrix, std::span<const double> vector, double factor, std::span<double> sum) {
  const size_t width = vector.size();
  for (size_t i = 0; i < width; ++i) {
    double product = 0;
    for (size_t j = 0; j < width; ++j) product += matrix[i * width + j] * vector[j];
    sum[i] += factor * product;
  }
}

// A symmetric matrix with a row and a column more: the border, its last entry on the diagonal.
inline std::vector<double> with_border(const std::vector<double>& matrix, std::span<const double> border) {
  const size_t now = border.size(), old = now - 1;
  std::vector<double> larger(now * now);
  for (size_t i = 0; i < old; ++i) {
    for (size_t j = 0; j < old; ++j) larger[i * now + j] = matrix[i * old + j];
    larger[i * now + old] = larger[old * now + i] = border[i];
  }
  larger[old * now + old] = border[old];
  return larger;
}

// A matrix without one of its rows and the same column.
inline std::vector<double> without(const std::vector<double>& matrix, size_t width, size_t gone) {
  std::vector<double> smaller;
  for (size_t i = 0; i < width; ++i)
    for (size_t j = 0; j < width; ++j)
      if (i != gone && j != gone) smaller.push_back(matrix[i * width + j]);
  return smaller;
}

// By elimination with pivots, for a matrix that has an inverse.
inline std::vector<double> inverse_of(std::vector<double> left, size_t width) {
  std::vector<double> inverse(width * width, 0.0);
  for (size_t i = 0; i < width; ++i) inverse[i * width + i] = 1.0;
  for (size_t k = 0; k < width; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < width; ++i)
      if (std::fabs(left[i * width + k]) > std::fabs(left[pivot * width + k])) pivot = i;
    for (size_t j = 0; j < width; ++j) {
      std::swap(left[k * width + j], left[pivot * width + j]);
      std::swap(inverse[k * width + j], inverse[pivot * width + j]);
    }
    const double scale = 1 / left[k * width + k];
    for (size_t j = 0; j < width; ++j) left[k * width + j] *= scale, inverse[k * width + j] *= scale;
    for (size_t i = 0; i < width; ++i) {
      const double factor = left[i * width + k];
      if (i == k || factor == 0) continue;
      for (size_t j = 0; j < width; ++j) {
        left[i * width + j] -= factor * left[k * width + j];
        inverse[i * width + j] -= factor * inverse[k * width + j];
      }
    }
  }
  return inverse;
}

}  // namespace accord::graph
