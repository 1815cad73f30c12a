// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/row_sums.hpp"

#include <algorithm>

#include "core/chains/lanes.hpp"
#include "core/vectorise.hpp"

namespace accord::tasks {

using chains::lane_count, chains::Lanes;

namespace {

constexpr size_t widest = 4;  // lanes kept in registers

struct AddRows {
  template <size_t count>
  ACCORD_INLINE static void columns(double* __restrict out, const double* __restrict table, const uint32_t* places, const uint32_t* end) {
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
};

struct AddToRows {
  template <size_t count>
  ACCORD_INLINE static void columns(double* __restrict table, const double* __restrict values, const uint32_t* places,
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
};

// All columns of one sum, as many at a time as registers hold.
template <typename Work>
ACCORD_INLINE void in_columns(double* to, const double* from, const uint32_t* begin, const uint32_t* end, size_t pitch) {
  for (size_t c = 0; c < pitch && begin < end; c += widest * lane_count) {
    switch (std::min(widest, (pitch - c) / lane_count)) {
      case 1:
        Work::template columns<1>(to + c, from + c, begin, end);
        break;
      case 2:
        Work::template columns<2>(to + c, from + c, begin, end);
        break;
      case 3:
        Work::template columns<3>(to + c, from + c, begin, end);
        break;
      default:
        Work::template columns<widest>(to + c, from + c, begin, end);
    }
  }
}

}  // namespace

ACCORD_VECTORISE void add_rows(double* out, const double* table, RowPlaces rows, size_t pitch) {
  for (size_t i = 0; i < rows.count; ++i, out += pitch)
    in_columns<AddRows>(out, table, rows.places + rows.starts[i], rows.places + rows.starts[i + 1], pitch);
}

ACCORD_VECTORISE void add_to_rows(double* table, const double* values, RowPlaces rows, size_t pitch) {
  for (size_t i = 0; i < rows.count; ++i, values += pitch)
    in_columns<AddToRows>(table, values, rows.places + rows.starts[i], rows.places + rows.starts[i + 1], pitch);
}

}  // namespace accord::tasks
