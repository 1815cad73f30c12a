// SPDX-License-Identifier: Apache-2.0
// Walks shared between parts: what depends on one word alone is walked once per word, not once per pair.
//
// A *context* is a set of units that many parts fill with the same tokens, such as all units of the head (with the
// direction, which has two values): a sentence of n words has n*(n-1) pairs and 2n such fillings. A vertex whose path
// lies within a context belongs to it (to the first, where several hold it). Per filling, the walk over the vertices
// of its context is done once and leaves (a) the feature rows found, or the sum of their scores, and (b) the
// *frontier*: the vertices just outside the context whose fathers were reached, where the walk of each part resumes.
// A part then costs one look-up per frontier vertex with a stored row and per vertex below it, instead of the whole
// tree.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/trie/trie.hpp"

namespace accord::text {

// How the vertices of a tree divide among contexts.
class SharingPlan {
 public:
  struct Step {
    std::int32_t vertex = 0;
    std::int32_t skip = 0;  // the step to go on with when the vertex is not reached
    bool inside = false;    // else the vertex is on the frontier
    bool collects = false;  // the feature rows found here belong to this context
  };

  SharingPlan(const TemplateTree& tree, const std::vector<std::vector<std::int32_t>>& contexts);

  std::size_t context_count() const { return steps_.size(); }
  // The vertices to look at for one filling of the context, depth first.
  std::span<const Step> steps(std::size_t context) const { return steps_[context]; }
  // The children of the root that belong to no context: every part walks them.
  std::span<const std::int32_t> unshared_roots() const { return unshared_roots_; }

 private:
  std::vector<std::vector<Step>> steps_;
  std::vector<std::int32_t> unshared_roots_;
};

// Where the walk of a part resumes: a vertex and the first row of the node its father reached.
struct FrontierEntry {
  std::uint32_t vertex = 0;
  std::uint32_t first_row = 0;
};

// Walks one filling of a context: calls found(label_row) and appends the frontier. Returns the vertices visited.
template <typename Cells, typename Found>
std::size_t walk_context(const TemplateTree& tree, const Cells& cells, std::span<const SharingPlan::Step> steps, const std::int32_t* tokens,
                         std::vector<FrontierEntry>& frontier, Found&& found) {
  WalkPath path;
  path[0] = 0;
  std::size_t visits = 0;
  for (std::size_t index = 0; index < steps.size();) {
    const SharingPlan::Step& step = steps[index];
    const TemplateVertex& vertex = tree.vertex(static_cast<std::size_t>(step.vertex));
    const std::uint32_t first_row = path[static_cast<std::size_t>(vertex.depth)];
    const std::uint32_t row = first_row + static_cast<std::uint32_t>(vertex.row);
    if (!step.inside) {
      if (cells.may_hold(row)) frontier.push_back({static_cast<std::uint32_t>(step.vertex), first_row});
      ++index;
      continue;
    }
    const std::int32_t token = tokens[vertex.unit];
    const TrieNode* node = nullptr;
    if (token >= 0 && cells.may_hold(row)) {
      ++visits;
      node = cells.find(row, static_cast<std::uint32_t>(token));
    }
    if (node == nullptr) {
      index = static_cast<std::size_t>(step.skip);
      continue;
    }
    path[static_cast<std::size_t>(vertex.depth) + 1] = node->first_row;
    if (step.collects && node->label_row != no_row) found(node->label_row);
    ++index;
  }
  return visits;
}

// Resumes the walk of a part at each frontier vertex.
template <typename Cells, typename Found>
std::size_t walk_frontier(const TemplateTree& tree, const Cells& cells, std::span<const FrontierEntry> frontier, const std::int32_t* tokens,
                          Found&& found) {
  WalkPath path;
  std::size_t visits = 0;
  for (const FrontierEntry& entry : frontier) {
    const TemplateVertex& vertex = tree.vertex(entry.vertex);
    path[static_cast<std::size_t>(vertex.depth)] = entry.first_row;
    visits += walk_subtrees(tree.vertices(), cells, tokens, entry.vertex, static_cast<std::size_t>(vertex.skip), path, found);
  }
  return visits;
}

}  // namespace accord::text
