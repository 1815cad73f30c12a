// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace accord::text {
namespace {

// The vertex each row leads to, -1 for the empty rows at the end of a frozen trie. Rows of a node are numbered after
// the row the node lies in, so one pass forward suffices.
std::vector<std::int32_t> vertices_of_rows(const TemplateTree& tree, const SortedCells& cells) {
  std::vector<std::int32_t> vertex_of_row(cells.row_count(), -1);
  const auto assign = [&](std::size_t first_row, std::size_t begin, std::size_t end) {
    for (std::size_t child = begin; child < end; child = static_cast<std::size_t>(tree.vertex(child).skip))
      vertex_of_row[first_row++] = static_cast<std::int32_t>(child);
  };
  assign(0, 0, tree.size());
  for (std::size_t row = 0; row < cells.row_count(); ++row) {
    if (vertex_of_row[row] < 0) continue;
    const auto index = static_cast<std::size_t>(vertex_of_row[row]);
    for (std::size_t cell = cells.row_begin[row]; cell < cells.row_begin[row + 1]; ++cell)
      assign(cells.nodes[cell].first_row, index + 1, static_cast<std::size_t>(tree.vertex(index).skip));
  }
  return vertex_of_row;
}

// Which cells lead to a feature with a weight, at their own node or below it: one pass backward.
std::vector<bool> cells_in_use(const TemplateTree& tree, const SortedCells& cells, const LabelRows& labels,
                               const std::vector<std::int32_t>& vertex_of_row) {
  std::vector<bool> cell_used(cells.tokens.size(), false);
  std::vector<bool> row_used(cells.row_count(), false);
  for (std::size_t row = cells.row_count(); row-- > 0;) {
    if (vertex_of_row[row] < 0) continue;
    const auto children = static_cast<std::size_t>(tree.vertex(static_cast<std::size_t>(vertex_of_row[row])).child_count);
    for (std::size_t cell = cells.row_begin[row]; cell < cells.row_begin[row + 1]; ++cell) {
      const TrieNode& node = cells.nodes[cell];
      bool used = node.label_row != no_row && labels.has_weight(node.label_row);
      for (std::size_t child = 0; child < children && !used; ++child) used = row_used[node.first_row + child];
      cell_used[cell] = used;
      if (used) row_used[row] = true;
    }
  }
  return cell_used;
}

struct Renumbered {
  SortedCells cells;
  std::vector<std::uint32_t> label_rows;  // the old number of each label row kept
};

// Nodes at leaves of the template tree have no rows; they point at empty ones after all others, so that every node of
// a frozen trie points at rows that exist.
void end_with_empty_rows(SortedCells& cells, std::size_t count) {
  const auto first_empty = static_cast<std::uint32_t>(cells.row_count());
  for (TrieNode& node : cells.nodes) node.first_row = std::min(node.first_row, first_empty);
  cells.row_begin.insert(cells.row_begin.end(), count, cells.tokens.size());
}

// Keeps the cells in use and numbers rows breadth first, whatever the order in which the features came.
Renumbered renumber(const TemplateTree& tree, const SortedCells& old, const LabelRows& labels) {
  const std::vector<std::int32_t> vertex_of_row = vertices_of_rows(tree, old);
  const std::vector<bool> used = cells_in_use(tree, old, labels, vertex_of_row);
  Renumbered result;
  std::vector<std::size_t> old_row(static_cast<std::size_t>(tree.root_child_count()));
  for (std::size_t row = 0; row < old_row.size(); ++row) old_row[row] = row;
  for (std::size_t row = 0; row < old_row.size(); ++row) {
    const std::size_t from = old_row[row];
    const auto children = static_cast<std::size_t>(tree.vertex(static_cast<std::size_t>(vertex_of_row[from])).child_count);
    for (std::size_t cell = old.row_begin[from]; cell < old.row_begin[from + 1]; ++cell) {
      if (!used[cell]) continue;
      TrieNode node = old.nodes[cell];
      if (node.label_row != no_row && labels.has_weight(node.label_row)) {
        result.label_rows.push_back(node.label_row);
        node.label_row = static_cast<std::uint32_t>(result.label_rows.size() - 1);
      } else {
        node.label_row = no_row;
      }
      const std::size_t first_old_row = node.first_row;
      node.first_row = children == 0 ? no_row : static_cast<std::uint32_t>(old_row.size());
      for (std::size_t child = 0; child < children; ++child) old_row.push_back(first_old_row + child);
      result.cells.tokens.push_back(old.tokens[cell]);
      result.cells.nodes.push_back(node);
    }
    result.cells.row_begin.push_back(result.cells.tokens.size());
  }
  end_with_empty_rows(result.cells, tree.most_children());
  return result;
}

}  // namespace

FeatureTrie::FeatureTrie(TemplateTree tree, std::int32_t label_count) : tree_(std::move(tree)), labels_(label_count) {
  if (label_count < 1 || label_count > LabelRows::max_label_count)
    throw std::invalid_argument("a trie cannot have " + std::to_string(label_count) + " labels");
  row_count_ = static_cast<std::uint32_t>(tree_.root_child_count());
}

std::size_t FeatureTrie::node_count() const {
  if (const auto* hash = std::get_if<HashCells>(&cells_)) return hash->size();
  const auto slots = std::get<DoubleArrayCells>(cells_).slots();
  return static_cast<std::size_t>(std::count_if(slots.begin(), slots.end(), [](const auto& slot) { return slot.row != no_row; }));
}

std::size_t FeatureTrie::memory_bytes() const {
  return labels_.memory_bytes() + with_cells([](const auto& cells) { return cells.memory_bytes(); });
}

void FeatureTrie::check_growing() const {
  if (frozen_) throw std::invalid_argument("a frozen trie takes no features and no weights");
}

void FeatureTrie::check_tokens(std::span<const std::int32_t> tokens) const {
  if (tokens.size() != static_cast<std::size_t>(tree_.unit_count()))
    throw std::invalid_argument("a part needs one token per unit: " + std::to_string(tree_.unit_count()) + ", not " +
                                std::to_string(tokens.size()));
}

void FeatureTrie::check_label(std::int32_t label) const {
  if (label < 0 || label >= labels_.label_count())
    throw std::invalid_argument("label " + std::to_string(label) + " is outside 0.." + std::to_string(labels_.label_count() - 1));
}

TrieNode& FeatureTrie::insert_node(std::uint32_t row, std::int32_t token, const TemplateVertex& vertex) {
  bool created = false;
  TrieNode& node = std::get<HashCells>(cells_).insert(row, static_cast<std::uint32_t>(token), created);
  if (created && vertex.child_count > 0) {
    const auto children = static_cast<std::uint32_t>(vertex.child_count);
    if (row_count_ >= no_row - children) throw std::length_error("too many rows for one trie");
    node.first_row = std::exchange(row_count_, row_count_ + children);
  }
  return node;
}

std::int32_t FeatureTrie::insert_feature(TrieNode& node, std::int32_t label) {
  if (node.label_row == no_row) node.label_row = labels_.add_row();
  return labels_.insert(node.label_row, label);
}

std::int32_t FeatureTrie::insert(std::size_t template_id, std::span<const std::int32_t> tokens, std::int32_t label) {
  check_growing();
  check_tokens(tokens);
  check_label(label);
  if (template_id >= tree_.template_count()) throw std::invalid_argument("no template " + std::to_string(template_id));
  for (const std::int32_t unit : tree_.templates()[template_id])
    if (tokens[static_cast<std::size_t>(unit)] < 0) return -1;
  TrieNode* node = nullptr;
  for (const std::int32_t index : tree_.path(tree_.vertex_of(template_id))) {
    const TemplateVertex& vertex = tree_.vertex(static_cast<std::size_t>(index));
    const std::uint32_t row = (node == nullptr ? 0 : node->first_row) + static_cast<std::uint32_t>(vertex.row);
    node = &insert_node(row, tokens[static_cast<std::size_t>(vertex.unit)], vertex);
  }
  return insert_feature(*node, label);
}

void FeatureTrie::insert_part(std::span<const std::int32_t> tokens, std::int32_t label, std::vector<std::int32_t>& features) {
  check_growing();
  check_tokens(tokens);
  check_label(label);
  WalkPath first_rows;
  first_rows[0] = 0;
  std::array<const TemplateVertex*, TemplateTree::max_template_size> path;
  // Nodes of virtual vertices are made only once a template below them fires: `ready` of the path's nodes exist.
  std::size_t ready = 0;
  for (std::size_t index = 0; index < tree_.size();) {
    const TemplateVertex& vertex = tree_.vertex(index);
    if (tokens[static_cast<std::size_t>(vertex.unit)] < 0) {
      index = static_cast<std::size_t>(vertex.skip);
      continue;
    }
    const auto depth = static_cast<std::size_t>(vertex.depth);
    path[depth] = &vertex;
    ready = std::min(ready, depth);
    TrieNode* node = nullptr;
    for (; !vertex.is_virtual() && ready <= depth; ++ready) {
      const TemplateVertex& step = *path[ready];
      const std::uint32_t row = first_rows[ready] + static_cast<std::uint32_t>(step.row);
      node = &insert_node(row, tokens[static_cast<std::size_t>(step.unit)], step);
      first_rows[ready + 1] = node->first_row;
    }
    if (node != nullptr) features.push_back(insert_feature(*node, label));
    ++index;
  }
}

void FeatureTrie::set_weights(std::span<const float> weights) {
  check_growing();
  if (weights.size() != feature_count())
    throw std::invalid_argument("expected " + std::to_string(feature_count()) + " weights, one per feature, not " +
                                std::to_string(weights.size()));
  for (std::size_t feature = 0; feature < weights.size(); ++feature)
    labels_.set_weight(static_cast<std::int32_t>(feature), weights[feature]);
}

SortedCells FeatureTrie::sorted_cells() const {
  return with_cells([this](const auto& cells) { return cells.sorted(row_count_); });
}

FeatureTrie FeatureTrie::freeze(TrieLayout layout, double dense_fill) const {
  const Renumbered kept = renumber(tree_, sorted_cells(), labels_);
  FeatureTrie result(tree_, labels_.packed(kept.label_rows, dense_fill));
  result.row_count_ = static_cast<std::uint32_t>(kept.cells.row_count());
  if (layout == TrieLayout::hash) result.cells_ = HashCells(kept.cells);
  else result.cells_ = DoubleArrayCells(kept.cells);
  result.frozen_ = true;
  return result;
}

void FeatureTrie::append_features(std::span<const std::int32_t> tokens, std::vector<std::int32_t>& features) const {
  check_tokens(tokens);
  walk(tokens.data(), [&](std::uint32_t label_row) { labels_.append_features(label_row, features); });
}

void FeatureTrie::add_scores(std::span<const std::int32_t> tokens, std::span<double> scores) const {
  check_tokens(tokens);
  if (scores.size() != static_cast<std::size_t>(labels_.label_count())) throw std::invalid_argument("scores need one entry per label");
  walk(tokens.data(), [&](std::uint32_t label_row) { labels_.add_scores(label_row, scores.data()); });
}

std::size_t FeatureTrie::count_visits(std::span<const std::int32_t> tokens) const {
  check_tokens(tokens);
  return walk(tokens.data(), [](std::uint32_t) {});
}

}  // namespace accord::text
