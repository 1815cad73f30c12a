// SPDX-License-Identifier: Apache-2.0
// "These arcs form a tree", as rows over arc columns (arc a is column a).
//
// Set:   arborescences over words 1..n rooted at 0; projective ones; those in which the root has one child.
// Rows:  single-commodity flow, O(arcs): the root ships a unit to every word along used arcs. Integral points are the
//        trees; the relaxation is loose. Flows are scaled by 1/n so that all coefficients are of one size.
//        multi-commodity flow, O(n arcs): a flow of its own for every word, none above what its arc carries. By max-flow
//        min-cut every set of words is entered by at least one arc in total: exactly the hull (Edmonds 1967).
//        projective, O(n arcs): if an arc is used, a word may not take a head that would cross it. Integral points are
//        the projective trees (the strict inequalities printed for words outside the arc are read as weak ones, without
//        which hardly any tree remains); acyclicity follows, no flow is needed; the relaxation is not the hull.
// Paper: Martins, Smith & Xing (2009), sections 3.1, 3.2 and 3.5; Magnanti & Wolsey (1994).
#pragma once
#include <vector>

#include "core/graph/factor.hpp"
#include "core/trees/nonprojective/candidate_arcs.hpp"

namespace accord::graph {

enum class Flow { multi_commodity, single_commodity };

// The columns of multi-commodity flow. The last step of a word's flow is its entering arc itself, and no flow leaves
// the word it is meant for: those cells need no column of their own.
class CommodityColumns {
 public:
  static constexpr int nothing = -1;

  explicit CommodityColumns(const trees::CandidateArcs& arcs);
  // The column that says how much of the flow meant for `word` passes the arc, or `nothing`.
  int operator()(int arc, int word) const { return columns_[cell(arc, word)]; }
  void set(int arc, int word, int column) { columns_[cell(arc, word)] = column; }

 private:
  size_t cell(int arc, int word) const { return static_cast<size_t>(arc) * static_cast<size_t>(words_) + static_cast<size_t>(word - 1); }

  int words_;
  std::vector<int> columns_;
};

// Each word is entered by exactly one arc. Part of every tree; the other functions do not repeat it.
void emit_one_head_rows(RowSink& sink, const trees::CandidateArcs& arcs);
void emit_single_root_row(RowSink& sink, const trees::CandidateArcs& arcs);
void emit_single_commodity_rows(RowSink& sink, const trees::CandidateArcs& arcs);
CommodityColumns emit_multi_commodity_rows(RowSink& sink, const trees::CandidateArcs& arcs);
// `aggregated`: one row per arc instead of one per arc and word; fewer and looser.
void emit_projective_rows(RowSink& sink, const trees::CandidateArcs& arcs, bool aggregated);

}  // namespace accord::graph
