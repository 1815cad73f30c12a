// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/joint_kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/chains/exponentials.hpp"
#include "core/chains/lanes.hpp"
#include "core/vectorise.hpp"

namespace accord::tasks::joint_kernels {

namespace {

using chains::lane_count;
using chains::Lanes;

// Products of lanes by reference: lanes never cross a call as values.
[[gnu::always_inline]] inline void load(Lanes& lanes, const double* from) { std::memcpy(&lanes, from, sizeof lanes); }
[[gnu::always_inline]] inline void times(Lanes& lanes, const double* factors) {
  Lanes more;
  load(more, factors);
  lanes *= more;
}
[[gnu::always_inline]] inline void put(double* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof lanes); }
[[gnu::always_inline]] inline void add_to(double* to, const Lanes& lanes) {
  Lanes sum;
  load(sum, to);
  sum += lanes;
  put(to, sum);
}
[[gnu::always_inline]] inline double sum_of(const Lanes& l) { return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])); }

// Columns of a table in registers, as many at a time as they hold.
constexpr size_t columns_at_once = 4;

// out[c] = sum over rows r of x[r] table[r][c].
struct TableProduct {
  template <size_t count>
  ACCORD_INLINE static void columns(double* out, const double* table, const double* x, size_t rows, size_t pitch) {
    Lanes sums[count] = {};
    for (size_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (size_t v = 0; v < count; ++v) {
        Lanes row;
        load(row, table + r * pitch + v * lane_count);
        sums[v] += x[r] * row;
      }
    std::memcpy(out, sums, sizeof sums);
  }
};

}  // namespace

ACCORD_VECTORISE void step_segments(Sizes n, const double* forward, const double* cliques, const char* used, const double* pairs,
                                    double* before) {
  for (size_t s = 0; s < n.S; ++s)
    for (size_t t = 0; t < n.pitch; t += lane_count) {
      Lanes sum = {};
      for (size_t p = 0; p < n.S; ++p)
        if (used[p * n.S + s]) {
          Lanes value;
          load(value, forward + p * n.pitch + t);
          times(value, cliques + (p * n.S + s) * n.pitch + t);
          sum += pairs[p * n.S + s] * value;
        }
      put(before + s * n.pitch + t, sum);
    }
}

ACCORD_VECTORISE double step_tags(Sizes n, const double* before, const double* cliques, const char* narrow, const double* pairs,
                                  const double* diagonal, const double* local, double* forward) {
  Lanes total = {};
  for (size_t s = 0; s < n.S; ++s) {
    const double* table = cliques + s * n.T * n.pitch;
    for (size_t t = 0; t < n.pitch; t += lane_count) {
      Lanes sum = {};
      if (narrow[s]) {
        load(sum, before + s * n.pitch + t);
        times(sum, table + t);
        times(sum, diagonal + t);
      } else {
        for (size_t p = 0; p < n.T; ++p) {
          Lanes value;
          load(value, table + p * n.pitch + t);
          times(value, pairs + p * n.pitch + t);
          sum += before[s * n.pitch + p] * value;
        }
      }
      times(sum, local + s * n.pitch + t);
      total += sum;
      put(forward + s * n.pitch + t, sum);
    }
  }
  return sum_of(total);
}

ACCORD_VECTORISE void back_tags(Sizes n, const double* weights, const double* before, const double* cliques, const char* narrow,
                                const double* pairs, const double* diagonal, double* reached, double* pair_sums, double* diagonal_sums,
                                double* clique_sums) {
  for (size_t s = 0; s < n.S; ++s) {
    const double* table = cliques + s * n.T * n.pitch;
    double* sums = clique_sums + s * n.T * n.pitch;
    const double *mine = weights + s * n.pitch, *from = before + s * n.pitch;
    if (narrow[s]) {
      for (size_t t = 0; t < n.pitch; t += lane_count) {
        Lanes value;
        load(value, table + t);
        times(value, diagonal + t);
        times(value, mine + t);
        put(reached + s * n.pitch + t, value);
        times(value, from + t);
        add_to(diagonal_sums + t, value);
        add_to(sums + t, value);
      }
      continue;
    }
    for (size_t p = 0; p < n.T; ++p) {
      Lanes total = {};
      for (size_t t = 0; t < n.pitch; t += lane_count) {
        const size_t at = p * n.pitch + t;
        Lanes value;
        load(value, table + at);
        times(value, pairs + at);
        times(value, mine + t);
        total += value;
        value = from[p] * value;
        add_to(pair_sums + at, value);
        add_to(sums + at, value);
      }
      reached[s * n.pitch + p] = sum_of(total);
    }
  }
}

ACCORD_VECTORISE void back_segments(Sizes n, const double* reached, const double* forward, const double* cliques, const char* used,
                                    const double* pairs, double* backward, double scale, double* out, double* clique_sums) {
  for (size_t p = 0; p < n.S; ++p)
    for (size_t s = 0; s < n.S; ++s) {
      const size_t row = p * n.S + s;
      if (!used[row]) continue;
      Lanes total = {};
      for (size_t t = 0; t < n.pitch; t += lane_count) {
        const size_t at = row * n.pitch + t;
        Lanes value;
        load(value, cliques + at);
        times(value, reached + s * n.pitch + t);
        value = pairs[row] * value;
        add_to(backward + p * n.pitch + t, value);
        times(value, forward + p * n.pitch + t);
        add_to(clique_sums + at, value);
        total += value;
      }
      out[row] += scale * sum_of(total);
    }
}

ACCORD_VECTORISE void multiply_table(double* out, const double* table, const double* x, size_t rows, size_t pitch) {
  for (size_t c = 0; c < pitch; c += columns_at_once * lane_count) {
    switch (std::min(columns_at_once, (pitch - c) / lane_count)) {
      case 1:
        TableProduct::columns<1>(out + c, table + c, x, rows, pitch);
        break;
      case 2:
        TableProduct::columns<2>(out + c, table + c, x, rows, pitch);
        break;
      case 3:
        TableProduct::columns<3>(out + c, table + c, x, rows, pitch);
        break;
      default:
        TableProduct::columns<columns_at_once>(out + c, table + c, x, rows, pitch);
    }
  }
}

ACCORD_VECTORISE void add_outer(double* sums, const double* left, const double* right, size_t count, size_t step, size_t rows,
                                size_t pitch) {
  for (size_t c = 0; c < pitch; c += lane_count)
    for (size_t p = 0; p < rows; p += 4) {
      Lanes four[4] = {};
      const size_t here = std::min<size_t>(4, rows - p);
      if (here == 4) {
        for (size_t i = 0; i < count; ++i) {
          Lanes value;
          load(value, right + i * step + c);
#pragma GCC unroll 4
          for (size_t k = 0; k < 4; ++k) four[k] += left[i * step + p + k] * value;
        }
      } else {
        for (size_t i = 0; i < count; ++i) {
          Lanes value;
          load(value, right + i * step + c);
          for (size_t k = 0; k < here; ++k) four[k] += left[i * step + p + k] * value;
        }
      }
      for (size_t k = 0; k < here; ++k) add_to(sums + (p + k) * pitch + c, four[k]);
    }
}

ACCORD_VECTORISE double weigh(double* forward, const double* local, size_t n) {
  Lanes total = {};
  for (size_t k = 0; k < n; k += lane_count) {
    Lanes value;
    load(value, forward + k);
    times(value, local + k);
    total += value;
    put(forward + k, value);
  }
  return sum_of(total);
}

ACCORD_VECTORISE bool scale_shares(double* here, double factor, size_t n) {
  uint64_t small = 0;
  for (size_t k = 0; k < n; ++k) {
    here[k] *= factor;
    small += static_cast<uint64_t>((here[k] > 0) & (here[k] < chains::smallest_share));
  }
  return small > 0;
}

ACCORD_VECTORISE void multiply(double* __restrict out, const double* __restrict a, const double* __restrict b, double factor, size_t n) {
  for (size_t k = 0; k < n; ++k) out[k] = a[k] * b[k] * factor;
}

ACCORD_VECTORISE void add_scaled(double* __restrict out, const double* __restrict values, double factor, size_t n) {
  for (size_t k = 0; k < n; ++k) out[k] += factor * values[k];
}

}  // namespace accord::tasks::joint_kernels
