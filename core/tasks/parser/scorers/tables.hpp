// SPDX-License-Identifier: Apache-2.0
// The frozen weights of a linear parser.
#pragma once
#include <cstdint>

#include "core/text/features/tables.hpp"

namespace accord::tasks {

struct ParserTables {
  text::WeightTable<int16_t> arcs;
  text::WeightTable<int8_t> labels;
  text::WeightTable<int16_t> parts, pruner;  // higher orders only
  text::WeightTable<int8_t> second_pruner;   // of pruners with two stages
  text::WeightTable<int8_t> tree_labels;     // with tree_labels only
  text::WeightTable<int16_t> label_pairs;
};

}  // namespace accord::tasks
