// SPDX-License-Identifier: Apache-2.0
// Scores of all parts of a sentence over its candidate arcs, by linear features: arcs, labels and larger parts.
// One table of weights holds the features of all larger parts; their keys differ by section.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/tasks/scores/part_positions.hpp"

namespace accord::tasks {

template <typename ArcTable, typename LabelTable>
class LinearPartScorer {
 public:
  // nonlocal_scale: the value of a feature of families that are nonlocal; others have 1.
  LinearPartScorer(const ParserTemplates& templates, const ArcTable& arcs, const LabelTable& labels, const ArcTable& parts,
                   double nonlocal_scale = 1.0)
      : templates_(templates),
        arcs_(templates, arcs, labels),
        pending_arcs_(arcs),
        pending_parts_(parts) {
    values_.fill(1.0);
    for (const parses::PartFamily& family : parses::part_families)
      if (family.nonlocal) values_[static_cast<size_t>(family.part)] = nonlocal_scale;
  }

  void prepare(const text::AtomTable& atoms, const parses::PartFamilies& families) {
    prepare_arcs(atoms);
    prepare_parts(atoms, families);
  }

  void prepare_arcs(const text::AtomTable& atoms) { arcs_.prepare(atoms); }
  void prepare_parts(const text::AtomTable& atoms, const parses::PartFamilies& families) {
    for (const parses::PartFamily& family : parses::part_families)
      if (families.*family.member) features_[static_cast<size_t>(family.part)].prepare(templates_.of(family.part), atoms);
  }

  // Arcs (without labels) and all larger parts; slots that belong to no tree are zero.
  void score(const parses::PartLayout& layout, std::span<double> scores) {
    std::fill(scores.begin(), scores.end(), 0.0);
    for (int arc = 0; arc < layout.arcs(); ++arc)
      pending_arcs_.add(arcs_.arc_keys(layout.head(arc), layout.dependent(arc)), 1.0, scores[static_cast<size_t>(arc)]);
    pending_arcs_.finish();
    for_each_part(layout, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation& relation) {
      pending_parts_.add(keys(part, positions, relation), value_of(part), scores[slot]);
    });
    pending_parts_.finish();
  }

  void score_arcs(std::span<double> scores) { arcs_.score_arcs(scores); }
  void score_labels(int head, int dependent, std::span<float> scores) { arcs_.score_labels(head, dependent, scores); }

  std::span<const uint64_t> arc_keys(int head, int dependent) { return arcs_.arc_keys(head, dependent); }
  std::span<const uint64_t> label_keys(int head, int dependent) { return arcs_.label_keys(head, dependent); }
  std::span<const uint64_t> keys(parses::Part part, std::span<const int> positions, const text::Relation& relation) {
    return features_[static_cast<size_t>(part)].keys(positions, relation);
  }
  // What the three last answered from.
  const text::PartFeatures& arc_features() const { return arcs_.arc_features(); }
  const text::PartFeatures& label_features() const { return arcs_.label_features(); }
  const text::PartFeatures& features(parses::Part part) const { return features_[static_cast<size_t>(part)]; }
  // Of each feature of a part.
  double value_of(parses::Part part) const { return values_[static_cast<size_t>(part)]; }

 private:
  const ParserTemplates& templates_;
  LinearArcScorer<ArcTable, LabelTable> arcs_;
  PendingSums<ArcTable> pending_arcs_, pending_parts_;
  std::array<text::PartFeatures, parses::part_kinds> features_;
  std::array<double, parses::part_kinds> values_;
};

}  // namespace accord::tasks
