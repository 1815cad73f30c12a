// SPDX-License-Identifier: Apache-2.0
// The frozen weights of a linear parser.
#pragma once
#include <cstdint>

#include "core/tasks/scores/column_sums.hpp"

namespace accord::tasks {

struct ParserTables {
  ColumnTable arcs;
  text::WeightTable<int8_t> labels;
  ColumnTable parts;                        // higher orders only
  text::WeightTable<int16_t> pruner;        // higher orders only
  text::WeightTable<int8_t> second_pruner;  // of pruners with two stages
  text::WeightTable<int8_t> tree_labels;    // with tree_labels only
  ColumnTable label_pairs;
};

}  // namespace accord::tasks
