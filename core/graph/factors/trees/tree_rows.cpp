// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/trees/tree_rows.hpp"

#include <algorithm>

#include "core/graph/row_builder.hpp"

namespace accord::graph {

CommodityColumns::CommodityColumns(const trees::CandidateArcs& arcs)
    : words_(arcs.words()),
      columns_(static_cast<size_t>(arcs.size()) * static_cast<size_t>(arcs.words()), nothing) {}

void emit_one_head_rows(RowSink& sink, const trees::CandidateArcs& arcs) {
  RowBuilder row(sink);
  for (int word = 1; word <= arcs.words(); ++word) row.add(arcs.entering(word), 1).equals(1);
}

void emit_single_root_row(RowSink& sink, const trees::CandidateArcs& arcs) { RowBuilder(sink).add(arcs.leaving(0), 1).equals(1); }

void emit_single_commodity_rows(RowSink& sink, const trees::CandidateArcs& arcs) {
  RowBuilder row(sink);
  std::vector<int> flows;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    flows.push_back(sink.column(0.0, false));
    row.add(flows.back(), 1).add(arc, -1).at_most(0);
  }
  // Every word keeps one share. That the root ships n of them is the sum of these rows.
  for (int word = 1; word <= arcs.words(); ++word) {
    for (const int arc : arcs.entering(word)) row.add(flows[static_cast<size_t>(arc)], 1);
    for (const int arc : arcs.leaving(word)) row.add(flows[static_cast<size_t>(arc)], -1);
    row.equals(1.0 / arcs.words());
  }
}

CommodityColumns emit_multi_commodity_rows(RowSink& sink, const trees::CandidateArcs& arcs) {
  CommodityColumns flows(arcs);
  RowBuilder row(sink);
  for (int word = 1; word <= arcs.words(); ++word) {
    for (int arc = 0; arc < arcs.size(); ++arc) {
      if (arcs.head(arc) == word) continue;
      const bool arrives = arcs.dependent(arc) == word;
      flows.set(arc, word, arrives ? arc : sink.column(0.0, false));
      if (!arrives) row.add(flows(arc, word), 1).add(arc, -1).at_most(0);
    }
    // What enters another word leaves it. That one unit leaves the root follows, because one unit arrives.
    for (int other = 1; other <= arcs.words(); ++other) {
      if (other == word) continue;
      for (const int arc : arcs.entering(other))
        if (arcs.head(arc) != word) row.add(flows(arc, word), 1);
      for (const int arc : arcs.leaving(other)) row.add(flows(arc, word), -1);
      row.equals(0);
    }
  }
  return flows;
}

namespace {

// With arc (head, dependent) in the tree, may `other` not hang from `other_head`?
bool crosses(int head, int dependent, int other, int other_head) {
  const int left = std::min(head, dependent);
  const int right = std::max(head, dependent);
  if (other == head) return other_head >= left && other_head <= right;
  if (other > left && other < right) return other_head < left || other_head > right;
  return other_head > left && other_head < right;
}

}  // namespace

void emit_projective_rows(RowSink& sink, const trees::CandidateArcs& arcs, bool aggregated) {
  RowBuilder row(sink);
  std::vector<int> crossing;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int others = arcs.words() - 1;
    crossing.clear();
    for (int other = 1; other <= arcs.words(); ++other) {
      if (other == arcs.dependent(arc)) continue;
      for (const int rival : arcs.entering(other))
        if (crosses(arcs.head(arc), arcs.dependent(arc), other, arcs.head(rival))) crossing.push_back(rival);
      if (aggregated || crossing.empty()) continue;
      row.add(arc, 1).add(crossing, 1).at_most(1);
      crossing.clear();
    }
    if (!crossing.empty()) row.add(arc, others).add(crossing, 1).at_most(others);
  }
}

}  // namespace accord::graph
