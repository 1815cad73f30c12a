// SPDX-License-Identifier: Apache-2.0
// The two-dimensional trie: every feature that fires for a part, without building a feature string.
//
// A part is an array of tokens, one per unit (-1: the unit has none here: out of vocabulary, or absent). A template
// fires for the part when all its units have tokens, and its feature is stored when the path of those tokens, in the
// order of the template tree, is in the trie. A walk descends tree and trie in lock-step; where a token is missing or
// the path ends, all templates below are passed over by one jump. Set searched: the features of all templates; cost
// per part: one look-up per vertex whose father's path is present, at most |vertices|, and no allocation.
//
// A node stands after the token of its vertex and owns one row per child vertex; the column is the token of the
// child. (In the paper a node stands before that token, which asks for a look-up per child and one for the features
// where this asks for one in all; the stored matrix is the same, shifted by one token.)
//
// The trie grows in a hash while training; freeze() drops the features of weight zero and the paths that led only to
// them, and lays the rest out again. A path is kept while any feature below it is, even when its own feature is gone.
//
// Xian Qian, Qi Zhang, Xuanjing Huang, Lide Wu (2010), "2D Trie for Fast Parsing", COLING 2010.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "benchmarks/trie/template_tree.hpp"
#include "benchmarks/trie/trie_cells.hpp"
#include "benchmarks/trie/trie_labels.hpp"

namespace accord::text {

enum class TrieLayout : std::uint32_t { hash = 0, double_array = 1 };

// The first row of the node reached at each depth of a walk.
using WalkPath = std::array<std::uint32_t, TemplateTree::max_template_size + 1>;

// Walks the vertices [begin, end), a run of whole subtrees under one father whose node is at path[depth of begin].
// Calls found(label_row) for each path with features. Returns the number of vertices looked at.
template <typename Cells, typename Found>
std::size_t walk_subtrees(std::span<const TemplateVertex> vertices, const Cells& cells, const std::int32_t* tokens, std::size_t begin,
                          std::size_t end, WalkPath& path, Found&& found) {
  std::size_t visits = 0;
  for (std::size_t index = begin; index < end;) {
    const TemplateVertex& vertex = vertices[index];
    const std::uint32_t row = path[static_cast<std::size_t>(vertex.depth)] + static_cast<std::uint32_t>(vertex.row);
    const std::int32_t token = tokens[vertex.unit];
    if (token < 0 || !cells.may_hold(row)) {
      index = static_cast<std::size_t>(vertex.skip);
      continue;
    }
    ++visits;
    const TrieNode* const node = cells.find(row, static_cast<std::uint32_t>(token));
    if (node == nullptr) {
      index = static_cast<std::size_t>(vertex.skip);
      continue;
    }
    path[static_cast<std::size_t>(vertex.depth) + 1] = node->first_row;
    if (node->label_row != no_row) found(node->label_row);
    ++index;
  }
  return visits;
}

class FeatureTrie {
 public:
  // An empty trie that grows.
  FeatureTrie(TemplateTree tree, std::int32_t label_count);

  const TemplateTree& tree() const { return tree_; }
  const LabelRows& labels() const { return labels_; }
  bool frozen() const { return frozen_; }
  TrieLayout layout() const { return static_cast<TrieLayout>(cells_.index()); }
  std::size_t feature_count() const { return labels_.feature_count(); }
  std::size_t node_count() const;
  std::size_t memory_bytes() const;

  // Growing. Features are numbered 0, 1, ... in order of insertion and start with weight 0; inserting one again
  // returns its number. -1: the template does not fire for the tokens. All throw std::invalid_argument once the trie
  // is frozen.
  std::int32_t insert(std::size_t template_id, std::span<const std::int32_t> tokens, std::int32_t label);
  // The feature of every template that fires, appended to `features`.
  void insert_part(std::span<const std::int32_t> tokens, std::int32_t label, std::vector<std::int32_t>& features);
  // One weight per feature.
  void set_weights(std::span<const float> weights);

  // The same trie without the features of weight zero, laid out to be read. Feature numbers stay. A row of labels is
  // dense when at least the share `dense_fill` of the labels has a feature.
  FeatureTrie freeze(TrieLayout layout, double dense_fill = 0.5) const;

  // Reading; tokens has one entry per unit.
  void append_features(std::span<const std::int32_t> tokens, std::vector<std::int32_t>& features) const;
  void add_scores(std::span<const std::int32_t> tokens, std::span<double> scores) const;
  std::size_t count_visits(std::span<const std::int32_t> tokens) const;
  // Calls found(label_row) for each template that fires with stored features; returns the number of vertices visited.
  template <typename Found>
  std::size_t walk(const std::int32_t* tokens, Found&& found) const {
    return with_cells([&](const auto& cells) {
      WalkPath path;
      path[0] = 0;
      return walk_subtrees(tree_.vertices(), cells, tokens, 0, tree_.size(), path, found);
    });
  }
  template <typename Use>
  auto with_cells(Use&& use) const {
    return std::visit(use, cells_);
  }

  // A stored path of tokens with features: their units are those of the template, in the order of the tree.
  struct StoredPath {
    std::int32_t template_id = -1;
    std::vector<std::int32_t> tokens;  // one per unit of the tree; -1 outside the template
    std::uint32_t label_row = no_row;
  };
  // Calls visit(const StoredPath&) for each of them in a fixed order.
  template <typename Visit>
  void for_each_path(Visit&& visit) const {
    const SortedCells cells = sorted_cells();
    StoredPath path{-1, std::vector<std::int32_t>(static_cast<std::size_t>(tree_.unit_count()), -1), no_row};
    visit_paths(cells, 0, 0, tree_.size(), path, visit);
  }

  // A frozen trie as bytes: little-endian, checksummed, the same for the same trie. load() throws
  // std::invalid_argument for bytes that are foreign, damaged or of another version.
  std::string save() const;
  static FeatureTrie load(std::string_view bytes);

 private:
  FeatureTrie(TemplateTree tree, LabelRows labels) : tree_(std::move(tree)), labels_(std::move(labels)) {}

  void check_growing() const;
  void check_tokens(std::span<const std::int32_t> tokens) const;
  void check_label(std::int32_t label) const;
  void check_nodes() const;
  TrieNode& insert_node(std::uint32_t row, std::int32_t token, const TemplateVertex& vertex);
  std::int32_t insert_feature(TrieNode& node, std::int32_t label);
  SortedCells sorted_cells() const;

  template <typename Visit>
  void visit_paths(const SortedCells& cells, std::size_t first_row, std::size_t begin, std::size_t end, StoredPath& path,
                   Visit&& visit) const {
    for (std::size_t index = begin; index < end; index = static_cast<std::size_t>(tree_.vertex(index).skip)) {
      const TemplateVertex& vertex = tree_.vertex(index);
      const std::size_t row = first_row + static_cast<std::size_t>(vertex.row);
      for (std::size_t cell = cells.row_begin[row]; cell < cells.row_begin[row + 1]; ++cell) {
        const TrieNode node = cells.nodes[cell];
        path.tokens[static_cast<std::size_t>(vertex.unit)] = static_cast<std::int32_t>(cells.tokens[cell]);
        path.template_id = vertex.template_id;
        path.label_row = node.label_row;
        if (node.label_row != no_row) visit(std::as_const(path));
        visit_paths(cells, node.first_row, index + 1, static_cast<std::size_t>(vertex.skip), path, visit);
      }
      path.tokens[static_cast<std::size_t>(vertex.unit)] = -1;
    }
  }

  TemplateTree tree_;
  std::variant<HashCells, DoubleArrayCells> cells_;  // in the order of TrieLayout
  LabelRows labels_;
  std::uint32_t row_count_ = 0;
  bool frozen_ = false;
};

}  // namespace accord::text
