// SPDX-License-Identifier: Apache-2.0
// Indicators of events, as columns with rows that force them.
//
// Each function adds what it needs and returns the column that is 1 exactly when its event happens, provided that the
// columns it is defined on are integral. Indicators are integral in an ILP and between 0 and 1 in its relaxation.
// Paper: Martins, Smith & Xing (2009), section 3.3 (conjunctions) and 3.4 (running indicators, counts).
#pragma once
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

// Stands for an event that cannot happen, so that no column is spent on it.
inline constexpr int never = -1;

// All of the columns are on.
int emit_conjunction(RowSink& sink, std::span<const int> columns, double score);

// The column is on and the blocker (or `never`) is not. Nothing to block: the column itself, its score raised.
int emit_unless(RowSink& sink, int column, int blocker, double score);

// `before` (or `never`) is on or one of the events is, of which at most one can be. One step of a running indicator "did it
// happen yet": O(1) non-zeros a step besides the events, where "nothing in between" spelt out costs O(n).
int emit_either(RowSink& sink, int before, std::span<const int> events);

// One column per number of columns that are on: entry k says "exactly k", k = 0 .. scores.size() - 1 = columns.size().
std::vector<int> emit_counts(RowSink& sink, std::span<const int> columns, std::span<const double> scores);

}  // namespace accord::graph
