// SPDX-License-Identifier: Apache-2.0
// One sentence's candidate arcs and the scores of its parts, for search outside the parser: rules, integer programs.
//
// Arcs:   the parser's own candidates, so that scores are those of the parser (a side of a head without candidates has no parts);
//         besides, what the pruner leaves of the allowed arcs, which contains a tree, the wanted ones and a tree with as many of
//         them as can be. A model without larger parts has all allowed arcs.
// Scores: by slot of the layout, arcs without labels; labels by arc.
// Value:  of a labelled tree: the sum over its slots and its arcs' labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/decoders/decoder_settings.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::tasks {

struct ArcChoice {
  std::span<const uint8_t> allowed;  // (n+1)^2 by [head][dependent]
  std::span<const uint8_t> wanted;   // the same: candidates whatever the pruner says, where allowed
  bool prune = true;                 // false: all allowed arcs, or as many as fit (core/tasks/pruner/structure.hpp)
  bool projective = false;           // the candidates contain a projective tree
};

struct SentenceParts {
  parses::PartLayout layout;
  std::vector<double> scores;
  std::vector<float> label_scores;  // [arc][label]; empty for a model without labels
  size_t labels = 0;
  bool complete = true;  // false: something did not fit

  // The best tree with these scores of the arcs instead, of which -infinity forbids; `infeasible` when the others contain none.
  parses::Decoded decode(std::span<const double> arc_scores, const parses::DecoderSettings& settings, bool projective, bool single_root,
                         std::span<int32_t> heads) const;

  // Sums over trees, p ~ exp(arcs + larger parts * inverse_temperature), with these scores of the arcs, of which -infinity forbids;
  // the others must contain a tree. Probabilities by arc; returns log Z. Exact where a chart is (part_sums.hpp), else beliefs.
  double sums(std::span<const double> arc_scores, double inverse_temperature, bool projective, bool single_root,
              std::span<double> probabilities) const;

  // Sum of the scores of the tree's parts that are larger than arcs; -infinity when an arc is no candidate.
  double larger_score(std::span<const int32_t> heads) const;
};

}  // namespace accord::tasks
