// SPDX-License-Identifier: Apache-2.0
// From the parts of a sentence's derivations to their scores, and from changes of scores to changes of weights.
//
// A part's features are the keys of its words, alone and shifted by what is told of it: a relation, a spine, a run of nodes.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/constituents/tag/features.hpp"
#include "core/text/features/tables.hpp"

namespace accord::tasks {

inline double shifted_sum(const learn::ParameterTable& table, std::span<const uint64_t> keys, uint64_t shift) {
  return static_cast<double>(table.sum(keys, shift));
}
template <typename Stored>
double shifted_sum(const text::WeightTable<Stored>& table, std::span<const uint64_t> keys, uint64_t shift) {
  return static_cast<double>(text::sum_weights(table, keys, shift)) * static_cast<double>(table.scale);
}

// Visits the parts of a group: visit(part, shift). True where the keys count alone, too, for all parts of the group.
template <class Visit>
bool visit_parts(const constituents::SpineParts& group, const constituents::SpineGraph& graph,
                 const constituents::SpineCandidates& candidates, const SpineMarks& marks, Visit&& visit) {
  using Kind = constituents::SpineParts::Kind;
  for (int32_t k = 0; k < group.count; ++k) {
    const auto place = static_cast<size_t>(k), part = static_cast<size_t>(group.first + k);
    if (group.kind == Kind::spine) visit(part, marks.spine(candidates.spines[static_cast<size_t>(group.word)][place]));
    else if (group.kind == Kind::boundary) visit(part, marks.segment(graph.parts().segments(group.word)[place]));
    else visit(part, marks.relation(candidates.relations_of(candidates.arcs[static_cast<size_t>(group.arc)])[place]));
  }
  return group.kind != Kind::spine && group.kind != Kind::boundary;
}

template <class Table>
void score_parts(const Table& table, SpineFeatures& features, const constituents::SpineGraph& graph,
                 const constituents::SpineCandidates& candidates, const SpineMarks& marks, std::vector<double>& scores) {
  scores.resize(graph.parts().count());
  scores[0] = 0;
  for (const constituents::SpineParts& group : graph.parts().groups()) {
    const std::span<const uint64_t> keys = features.keys(group, candidates);
    const bool alone =
        visit_parts(group, graph, candidates, marks, [&](size_t part, uint64_t shift) { scores[part] = shifted_sum(table, keys, shift); });
    if (!alone) continue;
    const double common = shifted_sum(table, keys, 0);
    for (int32_t k = 0; k < group.count; ++k) scores[static_cast<size_t>(group.first + k)] += common;
  }
}

// Adds scale * amounts[part] * features of the part to the gradient.
inline void add_part_features(learn::ParameterTable& table, SpineFeatures& features, const constituents::SpineGraph& graph,
                              const constituents::SpineCandidates& candidates, const SpineMarks& marks, std::span<const double> amounts,
                              double scale, double negligible) {
  for (const constituents::SpineParts& group : graph.parts().groups()) {
    double common = 0, largest = 0;
    for (int32_t k = 0; k < group.count; ++k) {
      common += amounts[static_cast<size_t>(group.first + k)];
      largest = std::max(largest, std::abs(amounts[static_cast<size_t>(group.first + k)]));
    }
    if (largest <= negligible) continue;
    const std::span<const uint64_t> keys = features.keys(group, candidates);
    const bool alone = visit_parts(group, graph, candidates, marks, [&](size_t part, uint64_t shift) {
      if (std::abs(amounts[part]) <= negligible) return;
      for (const uint64_t key : keys) table.add_gradient(key + shift, 0, static_cast<float>(scale * amounts[part]));
    });
    if (!alone || std::abs(common) <= negligible) continue;
    for (const uint64_t key : keys) table.add_gradient(key, 0, static_cast<float>(scale * common));
  }
}

}  // namespace accord::tasks
