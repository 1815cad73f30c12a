// SPDX-License-Identifier: Apache-2.0
// Scores of first-order parts by linear features: arcs (head, dependent) and labelled arcs (head, dependent, label). Training
// (ParameterTable) and parsing (WeightTable) share the code.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/scores/parser_templates.hpp"
#include "core/tasks/scores/pending_sums.hpp"
#include "core/text/features/features.hpp"
#include "core/text/features/tables.hpp"

namespace accord::tasks {

inline void label_sums(const learn::ParameterTable& table, std::span<const uint64_t> keys, std::span<float> scores, std::vector<int32_t>&) {
  std::fill(scores.begin(), scores.end(), 0.0f);
  table.sum_rows(keys, scores);
}
inline void label_sums(const text::WeightTable<int8_t>& table, std::span<const uint64_t> keys, std::span<float> scores,
                       std::vector<int32_t>& sums) {
  sums.assign(static_cast<size_t>(table.width), 0);
  text::sum_rows(table, keys, sums);
  for (size_t l = 0; l < scores.size(); ++l) scores[l] = static_cast<float>(sums[l]) * table.scale;
}

template <typename ArcTable, typename LabelTable>
class LinearArcScorer {
 public:
  LinearArcScorer(const ParserTemplates& templates, const ArcTable& arcs, const LabelTable& labels)
      : templates_(templates),
        labels_(labels),
        pending_(arcs) {}

  void prepare(const text::AtomTable& atoms) {
    words_ = atoms.words();
    arc_features_.prepare(templates_.arcs, atoms);
    label_features_.prepare(templates_.labels, atoms);
  }

  // (n+1)^2 scores by [head][dependent]; the diagonal and column 0 are -infinity.
  void score_arcs(std::span<double> scores) {
    const int size = words_ + 1;
    for (int head = 0; head < size; ++head)
      for (int dependent = 0; dependent < size; ++dependent) {
        double& score = scores[static_cast<size_t>(head) * static_cast<size_t>(size) + static_cast<size_t>(dependent)];
        if (dependent == 0 || dependent == head) score = -std::numeric_limits<double>::infinity();
        else pending_.add(arc_keys(head, dependent), 1.0, score);
      }
    pending_.finish();
  }

  // One score per label.
  void score_labels(int head, int dependent, std::span<float> scores) { label_sums(labels_, label_keys(head, dependent), scores, sums_); }

  std::span<const uint64_t> arc_keys(int head, int dependent) {
    const int positions[] = {head, dependent};
    return arc_features_.keys(positions);
  }

  std::span<const uint64_t> label_keys(int head, int dependent) {
    const int positions[] = {head, dependent};
    return label_features_.keys(positions);
  }
  // What arc_keys() and label_keys() last answered from.
  const text::PartFeatures& arc_features() const { return arc_features_; }
  const text::PartFeatures& label_features() const { return label_features_; }

 private:
  const ParserTemplates& templates_;
  const LabelTable& labels_;
  PendingSums<ArcTable> pending_;  // of arcs
  int words_ = 0;
  text::PartFeatures arc_features_, label_features_;
  std::vector<int32_t> sums_;
};

}  // namespace accord::tasks
