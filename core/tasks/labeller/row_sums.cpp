// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/row_sums.hpp"

#include <algorithm>

#include "core/chains/lanes.hpp"
#include "core/vectorise.hpp"

namespace accord::tasks {

using chains::lane_count, chains::Lanes;

namespace {

constexpr size_t widest = 4;  // lanes kept in registers

template <size_t count>
[[gnu::always_inline]] inline void add_columns(double* __restrict out, const double* __restrict table, const uint32_t* places,
                                               const uint32_t* end) {
  Lanes sums[count];
  std::memcpy(sums, out, sizeof sums);
  for (; places < end; ++places) {
#pragma GCC unroll 4
    for (size_t v = 0; v < count; ++v) {
      Lanes row;
      std::memcpy(&row, table + *places + v * lane_count, sizeof row);
      sums[v] += row;
    }
  }
  std::memcpy(out, sums, sizeof sums);
}

template <size_t count>
[[gnu::always_inline]] inline void add_to_columns(double* __restrict table, const double* __restrict values, const uint32_t* places,
                                                  const uint32_t* end) {
  Lanes added[count];
  std::memcpy(added, values, sizeof added);
  for (; places < end; ++places) {
#pragma GCC unroll 4
    for (size_t v = 0; v < count; ++v) {
      Lanes row;
      double* at = table + *places + v * lane_count;
      std::memcpy(&row, at, sizeof row);
      row += added[v];
      std::memcpy(at, &row, sizeof row);
    }
  }
}

}  // namespace

ACCORD_VECTORISE void add_rows(double* out, const double* table, RowPlaces rows, size_t pitch) {
  for (size_t i = 0; i < rows.count; ++i, out += pitch) {
    const uint32_t *begin = rows.places + rows.starts[i], *end = rows.places + rows.starts[i + 1];
    for (size_t c = 0; c < pitch && begin < end; c += widest * lane_count) {
      switch (std::min(widest, (pitch - c) / lane_count)) {
        case 1:
          add_columns<1>(out + c, table + c, begin, end);
          break;
        case 2:
          add_columns<2>(out + c, table + c, begin, end);
          break;
        case 3:
          add_columns<3>(out + c, table + c, begin, end);
          break;
        default:
          add_columns<widest>(out + c, table + c, begin, end);
      }
    }
  }
}

ACCORD_VECTORISE void add_to_rows(double* table, const double* values, RowPlaces rows, size_t pitch) {
  for (size_t i = 0; i < rows.count; ++i, values += pitch) {
    const uint32_t *begin = rows.places + rows.starts[i], *end = rows.places + rows.starts[i + 1];
    for (size_t c = 0; c < pitch && begin < end; c += widest * lane_count) {
      switch (std::min(widest, (pitch - c) / lane_count)) {
        case 1:
          add_to_columns<1>(table + c, values + c, begin, end);
          break;
        case 2:
          add_to_columns<2>(table + c, values + c, begin, end);
          break;
        case 3:
          add_to_columns<3>(table + c, values + c, begin, end);
          break;
        default:
          add_to_columns<widest>(table + c, values + c, begin, end);
      }
    }
  }
}

}  // namespace accord::tasks
