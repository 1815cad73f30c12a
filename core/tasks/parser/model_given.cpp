// SPDX-License-Identifier: Apache-2.0
// Given labels in parsing. Joint mode: the given label's score stands in the place of the best one's. Separate mode: the model
// is P(tree) * product of P(label | arc), and a given label of a word whose head is searched weighs its arcs by P(label | arc).
// Given heads are a matter of core/trees/partial.hpp and of the pruner.
#include <algorithm>
#include <cmath>

#include "core/tasks/parser/workspace.hpp"

namespace accord::tasks {

// Of the labels in work.label_scores.
int ParserModel::choose_label(const Workspace& work, int dependent) const {
  if (const int given = work.given.label(dependent); given >= 0) return given;
  return static_cast<int>(std::max_element(work.label_scores.begin(), work.label_scores.end()) - work.label_scores.begin());
}

// temperature * log P(given label | arc), of the labels in work.label_scores.
double ParserModel::label_evidence(const Workspace& work, int dependent) const {
  const auto label = static_cast<size_t>(work.given.label(dependent));
  const double inverse = 1.0 / settings_.label_temperature;
  const double top = *std::max_element(work.label_scores.begin(), work.label_scores.end());
  double total = 0;
  for (const float score : work.label_scores) total += std::exp(inverse * (score - top));
  return settings_.temperature * (inverse * (work.label_scores[label] - top) - std::log(total));
}

namespace {

bool has_evidence(const GivenWords& given, int word) { return given.label(word) >= 0 && given.head(word) < 0; }

}  // namespace

void ParserModel::add_label_evidence(Workspace& work, bool sums) const {
  if (settings_.mode != LabelMode::separate) return;
  const int words = static_cast<int>(work.words);
  for (int m = 1; m <= words; ++m) {
    if (!has_evidence(work.given, m)) continue;
    for (int h = 0; h <= words; ++h) {
      if (h == m) continue;
      work.scorer->score_labels(h, m, work.label_scores);
      const double evidence = label_evidence(work, m);
      const auto at = static_cast<size_t>(h) * static_cast<size_t>(words + 1) + static_cast<size_t>(m);
      work.arcs[at] += evidence;
      if (sums) work.sums[at] += evidence;
    }
  }
}

void ParserModel::add_part_label_evidence(Workspace& work) const {
  if (settings_.mode != LabelMode::separate) return;
  for (int arc = 0; arc < work.layout.arcs(); ++arc) {
    const int m = work.layout.dependent(arc);
    if (!has_evidence(work.given, m)) continue;
    work.scorer->score_labels(work.layout.head(arc), m, work.label_scores);
    work.parts[static_cast<size_t>(arc)] += label_evidence(work, m);
  }
}

}  // namespace accord::tasks
