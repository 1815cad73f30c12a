// SPDX-License-Identifier: Apache-2.0
#include "core/graph/indicator_rows.hpp"

#include "core/graph/row_builder.hpp"

namespace accord::graph {

int emit_conjunction(RowSink& sink, std::span<const int> columns, double score) {
  const int all = sink.column(score, true);
  RowBuilder row(sink);
  for (const int column : columns) row.add(all, 1).add(column, -1).at_most(0);
  row.add(all, 1).add(columns, -1).at_least(1 - static_cast<double>(columns.size()));
  return all;
}

int emit_unless(RowSink& sink, int column, int blocker, double score) {
  if (blocker == never) {
    sink.add_score(column, score);
    return column;
  }
  const int unblocked = sink.column(score, true);
  RowBuilder row(sink);
  row.add(unblocked, 1).add(column, -1).at_most(0);
  row.add(unblocked, 1).add(blocker, 1).at_most(1);
  row.add(unblocked, 1).add(column, -1).add(blocker, 1).at_least(0);
  return unblocked;
}

int emit_either(RowSink& sink, int before, std::span<const int> events) {
  if (events.empty()) return before;
  if (before == never && events.size() == 1) return events[0];
  const int after = sink.column(0.0, true);
  RowBuilder row(sink);
  row.add(after, 1).add(events, -1).at_least(0);
  if (before == never) {
    row.add(after, 1).add(events, -1).at_most(0);
  } else {
    row.add(after, 1).add(before, -1).at_least(0);
    row.add(after, 1).add(before, -1).add(events, -1).at_most(0);
  }
  return after;
}

std::vector<int> emit_counts(RowSink& sink, std::span<const int> columns, std::span<const double> scores) {
  std::vector<int> counts;
  for (const double score : scores) counts.push_back(sink.column(score, true));
  RowBuilder row(sink);
  row.add(counts, 1).equals(1);
  for (size_t k = 1; k < counts.size(); ++k) row.add(counts[k], static_cast<double>(k));
  row.add(columns, -1).equals(0);
  return counts;
}

}  // namespace accord::graph
