// SPDX-License-Identifier: Apache-2.0
// The gradient of a part's features, with the template of each feature where the table is grouped by templates.
#pragma once
#include <cstdint>
#include <span>

#include "core/learn/parameters.hpp"
#include "core/text/features/features.hpp"

namespace accord::learn {

// `keys`: what `features` last answered. `first`: the number of the set's first template among those of the table.
inline void add_part_gradient(ParameterTable& table, const text::PartFeatures& features, std::span<const uint64_t> keys, int column,
                              double amount, int first = 0) {
  const auto change = static_cast<float>(amount);
  if (!table.grouped()) return table.add_gradients(keys, column, change);
  for (size_t place = 0; place < keys.size(); ++place)
    table.add_gradient(keys[place], column, change, first + static_cast<int>(features.template_of(place)));
}

}  // namespace accord::learn
