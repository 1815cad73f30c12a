#include "core/tasks/bounded_layout.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace accord::tasks {

namespace {

bool before(const trees::CandidateArc& a, const trees::CandidateArc& b) {
  return a.dependent != b.dependent ? a.dependent < b.dependent : a.head < b.head;
}

}  // namespace

bool build_bounded_layout(Pruner& pruner, PrunerSettings settings, trees::PartFamilies families,
                          std::span<const trees::CandidateArc> extra, trees::PartLayout& layout, size_t limit) {
  std::vector<trees::CandidateArc> merged;
  const auto build = [&] {
    const std::vector<trees::CandidateArc>& chosen = pruner.candidates(settings);
    if (extra.empty()) return layout.build(pruner.words(), chosen, families);
    merged.clear();
    std::set_union(chosen.begin(), chosen.end(), extra.begin(), extra.end(), std::back_inserter(merged), before);
    layout.build(pruner.words(), merged, families);
  };
  build();
  if (layout.size() <= limit) return true;
  settings.heads = std::min(settings.heads, pruner.words());
  while (layout.size() > limit && settings.heads > 1) {
    settings.heads /= 2;
    build();
  }
  if (layout.size() <= limit) return false;
  families.tri_sibling = families.grand_sibling = false;
  build();
  return false;
}

}  // namespace accord::tasks
