// SPDX-License-Identifier: Apache-2.0
// A weight table as Python stores it: (bits, width, scale, values, fingerprints). The core reads the arrays of the tuple for as long as
// the model lives, so an array of another type is refused, and the model must keep the tuple alive.
#pragma once
#include <variant>

#include "bindings/module.hpp"
#include "core/text/features/tables.hpp"

struct StoredTable {
  int bits = 0, width = 0;
  float scale = 1;
  nb::object values;
  Marks marks;

  explicit StoredTable(nb::handle item) {
    nb::object fingerprints;
    std::tie(bits, width, scale, values, fingerprints) = nb::cast<std::tuple<int, int, float, nb::object, nb::object>>(item);
    marks = borrowed<Marks>(fingerprints, "fingerprints of a weight table");
  }

  template <typename Stored>
  accord::text::WeightTable<Stored> table(accord::text::TableKind kind) const {
    return {kind, bits, width, scale, view(borrowed<Row<Stored>>(values, "values of a weight table")), view(marks)};
  }

  // Values are int8 or int16.
  std::variant<accord::text::WeightTable<int8_t>, accord::text::WeightTable<int16_t>> either(accord::text::TableKind kind) const {
    if (Chars narrow; nb::try_cast(values, narrow, false)) return table<int8_t>(kind);
    return table<int16_t>(kind);
  }
};
