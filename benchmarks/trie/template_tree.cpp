// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/template_tree.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace accord::text {
namespace {

using Units = std::vector<std::int32_t>;

// A template (or, with template_id -1, a virtual vertex) and the units it adds to what stands above it.
struct Entry {
  std::int32_t template_id = -1;
  Units rest;
};

std::vector<Units> checked(std::vector<Units> templates, std::int32_t unit_count) {
  if (unit_count < 0 || unit_count > TemplateTree::max_unit_count)
    throw std::invalid_argument("a template tree cannot have " + std::to_string(unit_count) + " units");
  std::set<Units> seen;
  for (std::size_t index = 0; index < templates.size(); ++index) {
    Units& units = templates[index];
    const std::string name = "template " + std::to_string(index);
    std::sort(units.begin(), units.end());
    if (units.empty()) throw std::invalid_argument(name + " has no unit");
    if (units.size() > TemplateTree::max_template_size) throw std::invalid_argument(name + " has too many units");
    if (units.front() < 0 || units.back() >= unit_count)
      throw std::invalid_argument(name + " has a unit outside 0.." + std::to_string(unit_count - 1));
    if (std::adjacent_find(units.begin(), units.end()) != units.end()) throw std::invalid_argument(name + " repeats a unit");
    if (!seen.insert(units).second) throw std::invalid_argument(name + " repeats an earlier template");
  }
  return templates;
}

bool is_proper_subset(const Units& small, const Units& large) {
  return small.size() < large.size() && std::includes(large.begin(), large.end(), small.begin(), small.end());
}

// The maximal proper subsets of each template among the templates, in their order.
std::vector<std::vector<std::int32_t>> direct_ancestors(const std::vector<Units>& templates) {
  std::vector<std::vector<std::int32_t>> direct(templates.size());
  for (std::size_t index = 0; index < templates.size(); ++index) {
    std::vector<std::int32_t> ancestors;
    for (std::size_t other = 0; other < templates.size(); ++other)
      if (is_proper_subset(templates[other], templates[index])) ancestors.push_back(static_cast<std::int32_t>(other));
    for (const std::int32_t ancestor : ancestors) {
      const bool between = std::any_of(ancestors.begin(), ancestors.end(), [&](std::int32_t other) {
        return is_proper_subset(templates[static_cast<std::size_t>(ancestor)], templates[static_cast<std::size_t>(other)]);
      });
      if (!between) direct[index].push_back(ancestor);
    }
  }
  return direct;
}

// The direct ancestor from which a breadth-first walk of the template graph first reaches each template; -1 is the
// root.
std::vector<std::int32_t> breadth_first_fathers(const std::vector<std::vector<std::int32_t>>& direct) {
  std::vector<std::vector<std::int32_t>> descendants(direct.size());
  std::vector<std::int32_t> fathers(direct.size(), -1);
  std::vector<bool> reached(direct.size(), false);
  std::queue<std::int32_t> queue;
  for (std::size_t index = 0; index < direct.size(); ++index) {
    for (const std::int32_t ancestor : direct[index])
      descendants[static_cast<std::size_t>(ancestor)].push_back(static_cast<std::int32_t>(index));
    if (!direct[index].empty()) continue;
    reached[index] = true;
    queue.push(static_cast<std::int32_t>(index));
  }
  for (; !queue.empty(); queue.pop()) {
    for (const std::int32_t descendant : descendants[static_cast<std::size_t>(queue.front())]) {
      const auto index = static_cast<std::size_t>(descendant);
      if (reached[index]) continue;
      reached[index] = true;
      fathers[index] = queue.front();
      queue.push(descendant);
    }
  }
  return fathers;
}

// The direct ancestor least often present, so that most walks end above the template.
std::vector<std::int32_t> rarest_fathers(const std::vector<std::vector<std::int32_t>>& direct, std::span<const double> presence) {
  std::vector<std::int32_t> fathers(direct.size(), -1);
  for (std::size_t index = 0; index < direct.size(); ++index) {
    const auto rarest = std::min_element(direct[index].begin(), direct[index].end(), [&](std::int32_t a, std::int32_t b) {
      return presence[static_cast<std::size_t>(a)] < presence[static_cast<std::size_t>(b)];
    });
    if (rarest != direct[index].end()) fathers[index] = *rarest;
  }
  return fathers;
}

std::int32_t most_frequent_unit(const std::vector<Entry>& entries) {
  std::map<std::int32_t, int> counts;
  for (const Entry& entry : entries)
    for (const std::int32_t unit : entry.rest) ++counts[unit];
  // Ascending keys and a strict comparison: ties go to the smallest unit.
  return std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
}

// A vertex of one unit with what hangs below it, before its own split.
struct Branch {
  std::int32_t unit = -1;
  std::int32_t template_id = -1;
  std::vector<Entry> below;
};

// Splits siblings until each has a single unit: the most frequent unit of the longer ones becomes a virtual vertex over
// them. No sibling of a single unit has that unit already, or it would lie between the longer one and its father.
std::vector<Branch> single_unit_branches(std::vector<Entry> siblings) {
  std::vector<Branch> branches;
  std::vector<Entry> longer;
  for (Entry& entry : siblings) {
    if (entry.rest.size() == 1) branches.push_back({entry.rest.front(), entry.template_id, {}});
    else longer.push_back(std::move(entry));
  }
  while (!longer.empty()) {
    Branch branch{most_frequent_unit(longer), -1, {}};
    std::vector<Entry> remaining;
    for (Entry& entry : longer) {
      const bool holds = std::erase(entry.rest, branch.unit) > 0;
      (holds ? branch.below : remaining).push_back(std::move(entry));
    }
    branches.push_back(std::move(branch));
    longer = std::move(remaining);
  }
  return branches;
}

// Numbers the vertices depth first. `tree_children` gives the templates that hang from each template before the
// split.
class Numbering {
 public:
  Numbering(const std::vector<std::vector<Entry>>& tree_children, std::vector<TemplateVertex>& vertices)
      : tree_children_(tree_children),
        vertices_(vertices) {}

  std::int32_t number(std::vector<Entry> siblings, std::int32_t father, std::int32_t depth) {
    std::vector<Branch> branches = single_unit_branches(std::move(siblings));
    for (std::size_t row = 0; row < branches.size(); ++row) {
      Branch& branch = branches[row];
      const std::size_t index = vertices_.size();
      vertices_.push_back({branch.unit, depth, static_cast<std::int32_t>(row), 0, 0, branch.template_id, father});
      std::vector<Entry> below;
      if (branch.template_id >= 0) below = tree_children_[static_cast<std::size_t>(branch.template_id)];
      std::move(branch.below.begin(), branch.below.end(), std::back_inserter(below));
      vertices_[index].child_count = number(std::move(below), static_cast<std::int32_t>(index), depth + 1);
      vertices_[index].skip = static_cast<std::int32_t>(vertices_.size());
    }
    return static_cast<std::int32_t>(branches.size());
  }

 private:
  const std::vector<std::vector<Entry>>& tree_children_;
  std::vector<TemplateVertex>& vertices_;
};

}  // namespace

TemplateTree::TemplateTree(std::vector<std::vector<std::int32_t>> templates, std::int32_t unit_count, std::span<const double> presence)
    : templates_(checked(std::move(templates), unit_count)),
      presence_(presence.begin(), presence.end()),
      unit_count_(unit_count) {
  if (!presence.empty() && presence.size() != templates_.size()) throw std::invalid_argument("presence needs one number per template");
  const auto direct = direct_ancestors(templates_);
  const auto fathers = presence.empty() ? breadth_first_fathers(direct) : rarest_fathers(direct, presence);

  std::vector<Entry> root_children;
  std::vector<std::vector<Entry>> tree_children(templates_.size());
  for (std::size_t index = 0; index < templates_.size(); ++index) {
    Entry entry{static_cast<std::int32_t>(index), templates_[index]};
    if (fathers[index] < 0) {
      root_children.push_back(std::move(entry));
      continue;
    }
    const Units& above = templates_[static_cast<std::size_t>(fathers[index])];
    entry.rest.clear();
    std::set_difference(templates_[index].begin(), templates_[index].end(), above.begin(), above.end(), std::back_inserter(entry.rest));
    tree_children[static_cast<std::size_t>(fathers[index])].push_back(std::move(entry));
  }
  root_child_count_ = Numbering(tree_children, vertices_).number(std::move(root_children), -1, 0);

  vertex_of_template_.assign(templates_.size(), -1);
  for (std::size_t index = 0; index < vertices_.size(); ++index) {
    const TemplateVertex& vertex = vertices_[index];
    most_children_ = std::max(most_children_, static_cast<std::uint32_t>(vertex.child_count));
    if (!vertex.is_virtual()) vertex_of_template_[static_cast<std::size_t>(vertex.template_id)] = static_cast<std::int32_t>(index);
  }
}

std::vector<std::int32_t> TemplateTree::path(std::int32_t vertex) const {
  std::vector<std::int32_t> vertices;
  for (; vertex >= 0; vertex = vertices_[static_cast<std::size_t>(vertex)].father) vertices.push_back(vertex);
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace accord::text
