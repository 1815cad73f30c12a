// SPDX-License-Identifier: Apache-2.0
#include "core/chains/uniform_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/chains/exponentials.hpp"
#include "core/chains/sums.hpp"
#include "core/vectorise.hpp"

namespace accord::chains {

namespace {

constexpr double largest_ratio = 1e100;
constexpr size_t widest = 4;  // lanes a kernel keeps in registers

[[gnu::always_inline]] inline double joined(const Lanes& sums) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// out = vector times `count` lanes of columns of a matrix; even and odd rows apart, to wait less for one another.
template <size_t count>
[[gnu::always_inline]] inline void times_columns(double* __restrict out, const double* __restrict vector, const double* __restrict matrix,
                                                 size_t rows, size_t pitch) {
  Lanes even[count] = {}, odd[count] = {};
  size_t p = 0;
  for (; p + 2 <= rows; p += 2, matrix += 2 * pitch) {
#pragma GCC unroll 4
    for (size_t v = 0; v < count; ++v) {
      Lanes first, second;
      std::memcpy(&first, matrix + v * lane_count, sizeof first);
      std::memcpy(&second, matrix + pitch + v * lane_count, sizeof second);
      even[v] += vector[p] * first;
      odd[v] += vector[p + 1] * second;
    }
  }
#pragma GCC unroll 4
  for (size_t v = 0; v < count; ++v) {
    if (p < rows) {
      Lanes first;
      std::memcpy(&first, matrix + v * lane_count, sizeof first);
      even[v] += vector[p] * first;
    }
    even[v] += odd[v];
    std::memcpy(out + v * lane_count, &even[v], sizeof(Lanes));
  }
}

[[gnu::always_inline]] inline void times(double* __restrict out, const double* __restrict vector, const double* __restrict matrix,
                                         size_t rows, size_t pitch) {
  for (size_t c = 0; c < pitch; c += widest * lane_count) {
    switch (std::min(widest, (pitch - c) / lane_count)) {
      case 1:
        times_columns<1>(out + c, vector, matrix + c, rows, pitch);
        break;
      case 2:
        times_columns<2>(out + c, vector, matrix + c, rows, pitch);
        break;
      case 3:
        times_columns<3>(out + c, vector, matrix + c, rows, pitch);
        break;
      default:
        times_columns<widest>(out + c, vector, matrix + c, rows, pitch);
    }
  }
}

// Takes each row's largest number from it. Returns the sum of these; NaN when one is not finite or a finite number lies too far below.
ACCORD_VECTORISE double shift_rows(double* rows, size_t length, size_t pitch) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double total = 0;
  bool far = false;
  for (size_t i = 0; i < length; ++i) {
    double* row = rows + i * pitch;
    Lanes most = Lanes{} - infinity;
    for (size_t s = 0; s < pitch; s += lane_count) {
      Lanes values;
      std::memcpy(&values, row + s, sizeof values);
      most = ACCORD_LARGER(values, most);
    }
    double best = most[0];
    for (size_t j = 1; j < lane_count; ++j) best = most[j] > best ? most[j] : best;
    if (!(best < infinity && best > -infinity)) return std::numeric_limits<double>::quiet_NaN();
    total += best;
    uint64_t count = 0;
    for (size_t s = 0; s < pitch; ++s) {
      row[s] -= best;
      count += static_cast<uint64_t>((row[s] < smallest_exponent) & (row[s] > -infinity));
    }
    far |= count > 0;
  }
  return far ? std::numeric_limits<double>::quiet_NaN() : total;
}

// Fills forward and scales; returns the logarithm of the product of the scales, NaN when one vanishes.
ACCORD_VECTORISE double forward_pass(double* forward, double* scales, const double* local, const double* table, size_t length,
                                     size_t labels, size_t pitch) {
  double logarithm = 0, product = 1;
  for (size_t i = 0; i < length; ++i) {
    double* here = forward + i * pitch;
    const double* mine = local + i * pitch;
    if (i > 0) times(here, here - pitch, table, labels, pitch);
    Lanes sums = {};
    for (size_t s = 0; s < pitch; s += lane_count) {
      Lanes values, factors;
      std::memcpy(&factors, mine + s, sizeof factors);
      if (i > 0) {
        std::memcpy(&values, here + s, sizeof values);
        factors *= values;
      }
      sums += factors;
      std::memcpy(here + s, &factors, sizeof factors);
    }
    const double sum = joined(sums);
    if (!(sum > 0 && sum < std::numeric_limits<double>::infinity())) return std::numeric_limits<double>::quiet_NaN();
    const double inverse = 1 / sum;
    scales[i] = inverse;
    for (size_t s = 0; s < pitch; ++s) here[s] *= inverse;
    product *= sum;
    if (product < smallest_share || product > largest_ratio) {
      logarithm += std::log(product);
      product = 1;
    }
  }
  return logarithm + std::log(product);
}

ACCORD_VECTORISE void backward_pass(double* backward, double* weights, const double* scales, const double* local, const double* turned,
                                    size_t length, size_t labels, size_t pitch) {
  for (size_t s = 0; s < pitch; ++s) backward[(length - 1) * pitch + s] = 1;
  for (size_t i = length - 1; i > 0; --i) {
    double* __restrict mine = weights + i * pitch;
    const double* here = backward + i * pitch;
    for (size_t s = 0; s < pitch; ++s) mine[s] = local[i * pitch + s] * here[s] * scales[i];
    times(backward + (i - 1) * pitch, mine, turned, labels, pitch);
  }
}

// Two rows of out += the sums over positions of outer products.
template <size_t count>
[[gnu::always_inline]] inline void outer_columns(double* __restrict out, const double* __restrict left, const double* __restrict right,
                                                 size_t positions, size_t pitch) {
  Lanes first[count] = {}, second[count] = {};
  for (size_t i = 0; i < positions; ++i) {
#pragma GCC unroll 4
    for (size_t v = 0; v < count; ++v) {
      Lanes values;
      std::memcpy(&values, right + i * pitch + v * lane_count, sizeof values);
      first[v] += left[i * pitch] * values;
      second[v] += left[i * pitch + 1] * values;
    }
  }
  std::memcpy(out, first, sizeof first);
  std::memcpy(out + pitch, second, sizeof second);
}

// out[p][b] = sum over positions of left[p] right[b].
ACCORD_VECTORISE void outer_products(double* out, const double* left, const double* right, size_t positions, size_t pitch) {
  for (size_t p = 0; p < pitch; p += 2) {
    for (size_t c = 0; c < pitch; c += widest * lane_count) {
      double* at = out + p * pitch + c;
      switch (std::min(widest, (pitch - c) / lane_count)) {
        case 1:
          outer_columns<1>(at, left + p, right + c, positions, pitch);
          break;
        case 2:
          outer_columns<2>(at, left + p, right + c, positions, pitch);
          break;
        case 3:
          outer_columns<3>(at, left + p, right + c, positions, pitch);
          break;
        default:
          outer_columns<widest>(at, left + p, right + c, positions, pitch);
      }
    }
  }
}

// Whether all numbers but zeros lie between these.
ACCORD_VECTORISE bool all_between(const double* values, double small, double large, size_t n) {
  uint64_t count = 0;
  for (size_t i = 0; i < n; ++i) count += static_cast<uint64_t>(((values[i] < small) & (values[i] != 0)) | (values[i] > large));
  return count == 0;
}

}  // namespace

bool UniformSums::fits(const Chain& chain) {
  const int length = chain.length();
  if (length < 2) return false;
  const Step &first = chain.step(0), &second = chain.step(1);
  if (first.groups != 1 || first.memory || first.targets < 2 || !second.transition) return false;
  for (int i = 1; i < length; ++i) {
    const Step& step = chain.step(i);
    if (step.groups != 1 || step.memory || step.targets != first.targets || step.transition != second.transition) return false;
  }
  return true;
}

bool UniformSums::prepare_table(const double* source) {
  const size_t size = labels_ * labels_;
  if (source_.size() == size && std::memcmp(source_.data(), source, size * sizeof(double)) == 0) return table_good_;
  source_.assign(source, source + size);
  std::vector<double> values = source_;
  table_shift_ = largest(values.data(), size);
  table_good_ = std::isfinite(table_shift_) && !any_far_below(values.data(), table_shift_, -smallest_exponent, size);
  if (!table_good_) return false;
  exponentiate_below(values.data(), table_shift_, size);
  table_.assign(pitch_ * pitch_, 0.0);
  turned_.assign(pitch_ * pitch_, 0.0);
  for (size_t p = 0; p < labels_; ++p)
    for (size_t b = 0; b < labels_; ++b) table_.data()[p * pitch_ + b] = turned_.data()[b * pitch_ + p] = values[p * labels_ + b];
  return true;
}

bool UniformSums::prepare_local(const Chain& chain) {
  local_.resize(length_ * pitch_);
  for (size_t i = 0; i < length_; ++i) {
    double* row = local_.data() + i * pitch_;
    const double* unary = chain.step(static_cast<int>(i)).unary;
    if (unary) std::copy_n(unary, labels_, row);
    else std::fill_n(row, labels_, 0.0);
    std::fill(row + labels_, row + pitch_, forbidden);
  }
  log_partition_ = shift_rows(local_.data(), length_, pitch_);
  if (std::isnan(log_partition_)) return false;
  exponentiate_below(local_.data(), 0.0, length_ * pitch_);
  return true;
}

bool UniformSums::forward(const Chain& chain) {
  length_ = static_cast<size_t>(chain.length());
  labels_ = static_cast<size_t>(chain.step(0).targets);
  pitch_ = padded(labels_);
  if (!prepare_table(chain.step(1).transition) || !prepare_local(chain)) return false;
  forward_.resize(length_ * pitch_);
  scales_.resize(length_);
  const double scales = forward_pass(forward_.data(), scales_.data(), local_.data(), table_.data(), length_, labels_, pitch_);
  if (std::isnan(scales) || !all_between(forward_.data(), smallest_share, largest_ratio, length_ * pitch_)) return false;
  log_partition_ += scales + static_cast<double>(length_ - 1) * table_shift_;
  return true;
}

bool UniformSums::backward() {
  backward_.resize(length_ * pitch_);
  weights_.resize(length_ * pitch_);
  backward_pass(backward_.data(), weights_.data(), scales_.data(), local_.data(), turned_.data(), length_, labels_, pitch_);
  return all_between(backward_.data(), smallest_share, largest_ratio, length_ * pitch_);
}

void UniformSums::gather(const Expectations& out, double scale) {
  for (size_t i = 0; i < length_; ++i)
    if (double* unary = at(out.unary, i)) add_products(unary, forward_.data() + i * pitch_, backward_.data() + i * pitch_, scale, labels_);
  products_.resize(pitch_ * pitch_);
  for (size_t i = 1, end; i < length_; i = end) {
    double* into = at(out.transition, i);
    for (end = i + 1; end < length_ && at(out.transition, end) == into; ++end) continue;
    if (!into) continue;
    outer_products(products_.data(), forward_.data() + (i - 1) * pitch_, weights_.data() + i * pitch_, end - i, pitch_);
    for (size_t p = 0; p < labels_; ++p)
      add_products(into + p * labels_, products_.data() + p * pitch_, table_.data() + p * pitch_, scale, labels_);
  }
}

}  // namespace accord::chains
