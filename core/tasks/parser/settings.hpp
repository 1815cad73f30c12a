// SPDX-License-Identifier: Apache-2.0
// The settings of a trained parser.
#pragma once
#include <string>
#include <vector>

#include "core/parses/parts/part_families.hpp"
#include "core/tasks/pruner/settings.hpp"

namespace accord::tasks {

enum class LabelMode {
  none,      // heads only
  separate,  // the tree from arc scores alone; labels by a classifier on its arcs
  joint,     // the best label's score belongs to the arc
};

// What the scores of each scorer are multiplied by in a parser that has both (scorers/both_scorer.hpp).
struct ScorerShares {
  double linear;        // of all that is linear
  double network_arcs;  // and of parts that the network scores
  double network_labels;
  double pruner;  // of the network in the scores of the pruner, whose linear part has the rest
};

// No value has a default here: accord.tasks.parser declares them, with bounds and text.
struct ParserSettings {
  std::string templates;
  int labels;
  LabelMode mode;
  bool projective, single_root;
  double temperature;             // scores are divided by it before probabilities are taken
  parses::PartFamilies families;  // parts larger than arcs; with any of them arcs are pruned
  PrunerSettings pruner;
  bool tree_labels;                      // labels are chosen together once the tree is known (labels/tree_labeller.hpp)
  double label_temperature;              // the same for labels given their arcs, whose scores learners leave at a scale of their own
  double nonlocal_scale;                 // of the features of parts that are sets of arcs (part_scorer.hpp)
  std::string patterns;                  // of pattern parts (core/text/patterns/patterns.hpp)
  std::vector<double> tag_temperatures;  // by task of a network: logarithms of the probabilities of its tags are divided by them; none: 1

  bool pruned() const { return families.any(); }
};

}  // namespace accord::tasks
