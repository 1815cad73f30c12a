// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/tree_climbing.hpp"

#include "core/trees/shape.hpp"

namespace accord::parses {

double climb(const PartLayout& layout, std::span<const double> scores, const TreeRules& rules, std::span<int32_t> heads, int sweeps) {
  const auto stands = [&](int arc, int8_t value) { return !rules.evidence.empty() && rules.evidence[static_cast<size_t>(arc)] == value; };
  double score = layout.score(scores, heads);
  bool moved = true;
  for (int sweep = 0; sweep < sweeps && moved; ++sweep) {
    moved = false;
    for (int word = 1; word <= layout.words(); ++word) {
      int32_t& head = heads[static_cast<size_t>(word)];
      if (stands(layout.find(head, word), 1)) continue;
      int32_t best = head;
      const int first = layout.first_entering(word);
      for (int arc = first; arc < first + layout.entering(word); ++arc) {
        if (layout.head(arc) == best || stands(arc, 0)) continue;
        head = layout.head(arc);
        if (!trees::is_tree(heads, rules.single_root) || (rules.projective && !trees::is_projective(heads))) continue;
        if (const double value = layout.score(scores, heads); value > score) score = value, best = head, moved = true;
      }
      head = best;
    }
  }
  return score;
}

}  // namespace accord::parses
