// SPDX-License-Identifier: Apache-2.0
// How many heads of a word a pruner leaves.
#pragma once
#include <cstddef>

namespace accord::tasks {

// What a pruner does to a treebank.
struct PruningStatistics {
  size_t words = 0, arcs = 0, gold = 0;  // gold: words whose gold head survives
};

// No value has a default here: accord.tasks.parser declares them, with bounds and text.
struct PrunerSettings {
  int heads;
  double threshold;

  // What a first stage leaves to a second one: more than the second will, so that little is lost before it.
  PrunerSettings first_stage() const { return {2 * heads, 0.3 * threshold}; }
};

}  // namespace accord::tasks
