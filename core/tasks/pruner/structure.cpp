// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/pruner/structure.hpp"

#include <algorithm>
#include <iterator>

namespace accord::tasks {

std::vector<parses::CandidateArc> united(std::span<const parses::CandidateArc> first, std::span<const parses::CandidateArc> second) {
  std::vector<parses::CandidateArc> arcs;
  std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(arcs));
  return arcs;
}

parses::PartFamilies families_for(int words, parses::PartFamilies families) {
  if (words > most_path_words) families.path = families.nonprojective = false;
  return families;
}

bool build_bounded_layout(Pruner& pruner, PrunerSettings settings, parses::PartFamilies families,
                          std::span<const parses::CandidateArc> extra, parses::PartLayout& layout, size_t limit) {
  const bool shortened = families.descent() && pruner.words() > most_path_words;
  families = families_for(pruner.words(), families);
  const auto build = [&] {
    const std::vector<parses::CandidateArc>& chosen = pruner.candidates(settings);
    if (extra.empty()) layout.build(pruner.words(), chosen, families);
    else layout.build(pruner.words(), united(chosen, extra), families);
  };
  build();
  if (layout.size() <= limit) return !shortened;
  settings.heads = std::min(settings.heads, pruner.words());
  while (layout.size() > limit && settings.heads > 1) {
    settings.heads /= 2;
    build();
  }
  if (layout.size() <= limit) return false;
  families.tri_sibling = families.grand_sibling = families.great_grandparent = families.any_tri_sibling = false;
  build();
  return false;
}

}  // namespace accord::tasks
