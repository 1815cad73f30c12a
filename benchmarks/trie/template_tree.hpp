// SPDX-License-Identifier: Apache-2.0
// The template tree of the two-dimensional trie: which templates share which prefixes.
//
// A *unit* is a number 0..unit_count-1 (the word of the head, the distance of an arc, ...). A *template* is a set of
// units. T1 is an ancestor of T2 when it is a proper subset of it, a direct ancestor when no template lies strictly
// between. The tree keeps for each template the direct ancestor by which a breadth-first walk reaches it first, then
// splits the units a vertex adds to its father into a chain of vertices of one unit each. The vertices added by the
// split are *virtual*: they are on the way to templates and stand for none. The path from the root to the vertex of T
// spells exactly the units of T, so a feature of T is a path of tokens, and where the path ends early no template
// below can fire.
//
// Vertices are numbered in depth-first order: the subtree of v is the range [v, skip(v)), and to prune it is to jump.
// Building costs O(|templates|^2 * |units of a template|); it is done once per model.
//
// Xian Qian, Qi Zhang, Xuanjing Huang, Lide Wu (2010), "2D Trie for Fast Parsing", COLING 2010.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::text {

struct TemplateVertex {
  std::int32_t unit = -1;         // the unit whose token selects the column
  std::int32_t depth = 0;         // number of units before this one on the path
  std::int32_t row = 0;           // place among the children of the father, which selects the row
  std::int32_t skip = 0;          // first vertex after the subtree
  std::int32_t child_count = 0;   // rows of every trie node of this vertex
  std::int32_t template_id = -1;  // -1: virtual
  std::int32_t father = -1;       // -1: hangs from the root

  bool is_virtual() const { return template_id < 0; }
};

class TemplateTree {
 public:
  // Longest path a walk must remember; longer templates are refused.
  static constexpr std::size_t max_template_size = 64;
  // A part has a token per unit, so that a damaged file must not ask for any number of them.
  static constexpr std::int32_t max_unit_count = 1 << 16;

  TemplateTree() = default;

  // Templates keep their order, which decides between several direct ancestors: the one reached first becomes the
  // father. With `presence` (one number per template, the measured chance that a feature of it is stored) the direct
  // ancestor that is present least often becomes the father instead, because a rare prefix prunes more. Throws
  // std::invalid_argument for an empty, repeated, too long or out-of-range template, and for too many units.
  TemplateTree(std::vector<std::vector<std::int32_t>> templates, std::int32_t unit_count, std::span<const double> presence = {});

  std::span<const TemplateVertex> vertices() const { return vertices_; }
  const TemplateVertex& vertex(std::size_t index) const { return vertices_[index]; }
  std::size_t size() const { return vertices_.size(); }
  std::int32_t unit_count() const { return unit_count_; }
  std::int32_t root_child_count() const { return root_child_count_; }
  std::uint32_t most_children() const { return most_children_; }  // of a vertex, the root left out
  std::size_t virtual_count() const { return vertices_.size() - templates_.size(); }
  std::size_t template_count() const { return templates_.size(); }

  // The units of each template, ascending.
  const std::vector<std::vector<std::int32_t>>& templates() const { return templates_; }
  const std::vector<double>& presence() const { return presence_; }
  std::int32_t vertex_of(std::size_t template_id) const { return vertex_of_template_[template_id]; }

  // The vertices from the root's child down to `vertex`, which is the last.
  std::vector<std::int32_t> path(std::int32_t vertex) const;

 private:
  std::vector<TemplateVertex> vertices_;
  std::vector<std::vector<std::int32_t>> templates_;
  std::vector<double> presence_;
  std::vector<std::int32_t> vertex_of_template_;
  std::int32_t unit_count_ = 0;
  std::int32_t root_child_count_ = 0;
  std::uint32_t most_children_ = 0;
};

}  // namespace accord::text
