// SPDX-License-Identifier: Apache-2.0
// The best settings of a value graph one after the other, and good settings that differ.
//
// Ranking:   one search keeps the k best settings so far, and looks for settings better than the last of these (value_search.hpp). Nothing
// is
//            eliminated, since elimination keeps one of many settings. The list is complete when the search ends.
// Diversity: the best setting, then each time the best one that differs from all before it in so many variables. A node of the search is
//            closed when what is left cannot differ enough.
#pragma once
#include <cstdint>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct RankedSetting {
  std::vector<int32_t> setting;
  double value;
  bool certified;  // nothing better was left out
};

// At most `count` settings, best first. A list that is shorter holds all settings, if all of it is certified.
std::vector<RankedSetting> best_settings(const ValueGraph& graph, size_t count, const Stop& stop);

// Each differs from those before it in `distance` variables at least.
std::vector<RankedSetting> diverse_settings(const ValueGraph& graph, size_t count, size_t distance, const Stop& stop);

}  // namespace accord::graph
