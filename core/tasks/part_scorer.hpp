// Scores of all parts of a sentence over its candidate arcs, by linear features: arcs, labels and larger parts.
// One table of weights holds the features of all larger parts; their keys differ by section.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/tasks/arc_scorer.hpp"
#include "core/tasks/part_positions.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::tasks {

template <typename ArcTable, typename LabelTable>
class LinearPartScorer {
 public:
  // nonlocal_scale: the value of a feature of any_sibling, great_grandparent, any_tri_sibling and comb parts; others have 1.
  LinearPartScorer(const ParserTemplates& templates, const ArcTable& arcs, const LabelTable& labels, const ArcTable& parts,
                   double nonlocal_scale = 1.0)
      : templates_(templates), arc_table_(arcs), part_table_(parts), nonlocal_scale_(nonlocal_scale), arcs_(templates, arcs, labels) {}

  void prepare(const text::AtomTable& atoms, const trees::PartFamilies& families) {
    prepare_arcs(atoms);
    prepare_parts(atoms, families);
  }

  void prepare_arcs(const text::AtomTable& atoms) { arcs_.prepare(atoms); }
  void prepare_parts(const text::AtomTable& atoms, const trees::PartFamilies& families) {
    using trees::Part;
    const auto use = [&](bool wanted, Part part) {
      if (wanted) features_[static_cast<size_t>(part)].prepare(templates_.of(part), atoms);
    };
    use(families.sibling, Part::sibling);
    use(families.grandparent, Part::grandparent);
    use(families.grand_sibling, Part::grand_sibling);
    use(families.tri_sibling, Part::tri_sibling);
    use(families.head_bigram, Part::head_bigram);
    use(families.any_sibling, Part::any_sibling);
    use(families.valency, Part::valency);
    use(families.great_grandparent, Part::great_grandparent);
    use(families.any_tri_sibling, Part::any_tri_sibling);
    use(families.comb, Part::comb);
    use(families.outer_grandparent, Part::outer_grandparent);
    use(families.path, Part::path);
    use(families.nonprojective, Part::nonprojective);
  }

  // Arcs (without labels) and all larger parts; slots that belong to no tree are zero.
  void score(const trees::PartLayout& layout, std::span<double> scores) {
    std::fill(scores.begin(), scores.end(), 0.0);
    for (int arc = 0; arc < layout.arcs(); ++arc)
      scores[static_cast<size_t>(arc)] = arc_sum(arc_table_, arcs_.arc_keys(layout.head(arc), layout.dependent(arc)));
    for_each_part(layout, [&](trees::Part part, size_t slot, std::span<const int> positions, const text::Relation& relation) {
      scores[slot] = value_of(part) * arc_sum(part_table_, keys(part, positions, relation));
    });
  }

  void score_arcs(std::span<double> scores) { arcs_.score_arcs(scores); }
  void score_labels(int head, int dependent, std::span<float> scores) { arcs_.score_labels(head, dependent, scores); }

  std::span<const uint64_t> arc_keys(int head, int dependent) { return arcs_.arc_keys(head, dependent); }
  std::span<const uint64_t> label_keys(int head, int dependent) { return arcs_.label_keys(head, dependent); }
  std::span<const uint64_t> keys(trees::Part part, std::span<const int> positions, const text::Relation& relation) {
    return features_[static_cast<size_t>(part)].keys(positions, relation);
  }
  // Of each feature of a part.
  double value_of(trees::Part part) const {
    using trees::Part;
    const bool nonlocal = part == Part::any_sibling || part == Part::great_grandparent || part == Part::any_tri_sibling || part == Part::comb;
    return nonlocal ? nonlocal_scale_ : 1.0;
  }

 private:
  const ParserTemplates& templates_;
  const ArcTable& arc_table_;
  const ArcTable& part_table_;
  double nonlocal_scale_;
  LinearArcScorer<ArcTable, LabelTable> arcs_;
  std::array<text::PartFeatures, ParserTemplates::families> features_;
};

}  // namespace accord::tasks
