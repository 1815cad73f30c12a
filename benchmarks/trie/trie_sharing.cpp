// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_sharing.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::text {
namespace {

// inside[v]: whether every unit on the path to v is in the context. Fathers precede their children.
std::vector<bool> vertices_inside(const TemplateTree& tree, const std::vector<std::int32_t>& context) {
  std::vector<bool> unit_inside(static_cast<std::size_t>(tree.unit_count()), false);
  for (const std::int32_t unit : context) {
    if (unit < 0 || unit >= tree.unit_count()) throw std::invalid_argument("a context has no unit " + std::to_string(unit));
    unit_inside[static_cast<std::size_t>(unit)] = true;
  }
  std::vector<bool> inside(tree.size(), false);
  for (std::size_t index = 0; index < tree.size(); ++index) {
    const TemplateVertex& vertex = tree.vertex(index);
    const bool father_inside = vertex.father < 0 || inside[static_cast<std::size_t>(vertex.father)];
    inside[index] = father_inside && unit_inside[static_cast<std::size_t>(vertex.unit)];
  }
  return inside;
}

}  // namespace

SharingPlan::SharingPlan(const TemplateTree& tree, const std::vector<std::vector<std::int32_t>>& contexts) {
  constexpr std::int32_t nobody = -1;
  std::vector<std::vector<bool>> inside;
  std::vector<std::int32_t> owner(tree.size(), nobody);
  for (std::size_t context = 0; context < contexts.size(); ++context) {
    inside.push_back(vertices_inside(tree, contexts[context]));
    for (std::size_t index = 0; index < tree.size(); ++index)
      if (owner[index] == nobody && inside[context][index]) owner[index] = static_cast<std::int32_t>(context);
  }
  const auto owner_of_father = [&](const TemplateVertex& vertex) {
    return vertex.father < 0 ? nobody : owner[static_cast<std::size_t>(vertex.father)];
  };

  steps_.resize(contexts.size());
  for (std::size_t context = 0; context < contexts.size(); ++context) {
    std::vector<Step>& steps = steps_[context];
    const auto self = static_cast<std::int32_t>(context);
    for (std::size_t index = 0; index < tree.size(); ++index) {
      const bool frontier = owner[index] == nobody && owner_of_father(tree.vertex(index)) == self;
      if (inside[context][index] || frontier)
        steps.push_back({static_cast<std::int32_t>(index), 0, inside[context][index], owner[index] == self});
    }
    for (std::size_t index = 0; index < steps.size(); ++index) {
      const std::int32_t after = tree.vertex(static_cast<std::size_t>(steps[index].vertex)).skip;
      const auto next = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(index) + 1, steps.end(),
                                     [&](const Step& step) { return step.vertex >= after; });
      steps[index].skip = static_cast<std::int32_t>(next - steps.begin());
    }
  }
  for (std::size_t index = 0; index < tree.size(); index = static_cast<std::size_t>(tree.vertex(index).skip))
    if (owner[index] == nobody) unshared_roots_.push_back(static_cast<std::int32_t>(index));
}

}  // namespace accord::text
