// SPDX-License-Identifier: Apache-2.0
// Sums of rows of a table whose rows are whole lanes and start anywhere.
#pragma once
#include <cstddef>
#include <cstdint>

namespace accord::tasks {

// Where the rows for each of `count` outputs are listed: places[starts[i]] to places[starts[i + 1]].
struct RowPlaces {
  const uint32_t* places;
  const uint64_t* starts;
  size_t count;
};

// Each output, one after another, += its rows of the table.
void add_rows(double* out, const double* table, RowPlaces rows, size_t pitch);

// The rows of the table of each input, one after another, += the input.
void add_to_rows(double* table, const double* values, RowPlaces rows, size_t pitch);

}  // namespace accord::tasks
